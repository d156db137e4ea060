"""`python -m tools.postgres`: the tests of the storage on PostgreSQL, on a server of their own.

It needs the programs of the server (Debian: `apt install postgresql`), and nothing else: no server
that runs, no account. The server has its files and its socket in a new folder, which goes with it.
PostgreSQL refuses to be run by root: then another user runs it.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
ALL = tuple(f"tests/bot/{name}" for name in ("storage", "history", "profiles", "live"))
SAMPLE = tuple(f"tests/bot/storage/test_{name}.py" for name in ("postgres", "lessons"))
_USER = "tests"
_OTHERS = ("postgres", "nobody")
"""Users that may run the server instead of root."""
_INITDB_ARGUMENTS = ("-U", _USER, "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8", "--no-sync")
_START_TIMEOUT_S = 60.0
_POLL_INTERVAL_S = 0.05
_SETTINGS = {
    "listen_addresses": "",
    "fsync": "off",
    "full_page_writes": "off",
    "shared_buffers": "32MB",
    "max_connections": "200",
}


class Unable(Exception):
    """Error: no server can be started here; the text is the reason."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the tests. Returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tools.postgres", description=__doc__)
    parser.add_argument("--sample", action="store_true", help="a few, where it is possible")
    arguments, of_pytest = parser.parse_known_args(argv)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that the server is stopped
    paths = [] if any(Path(each.partition("::")[0]).exists() for each in of_pytest) else ALL
    try:
        with server() as folder:
            environment = {"TEST_DATABASE": "postgresql", "TEST_POSTGRES": str(folder)}
            chosen = [*paths, "-n", "auto"]
            if arguments.sample:
                chosen = [*SAMPLE, "-n0", "-m", "not soak and not slow"]
            command = [sys.executable, "-m", "pytest", "-q", *chosen, *of_pytest]
            return subprocess.run(
                command, cwd=ROOT, env={**os.environ, **environment}, check=False
            ).returncode
    except Unable as reason:
        print(f"The tests on PostgreSQL are left out: {reason}", file=sys.stderr)
        return 0 if arguments.sample else 1


@contextmanager
def server() -> Iterator[Path]:
    """Start a server, and yield the folder with its socket. Raises `Unable`."""
    programs, user = _programs(), _user()
    with tempfile.TemporaryDirectory(prefix="tichu-postgres-", dir=_short_folder()) as name:
        folder = Path(name)
        if user:
            shutil.chown(folder, user["user"], user["group"])
        quiet: dict[str, Any] = {"cwd": folder, "stdout": subprocess.DEVNULL, **user}
        made = subprocess.run(
            [programs / "initdb", "-D", folder / "data", *_INITDB_ARGUMENTS],
            **quiet,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
        if made.returncode:
            raise Unable(f"initdb says: {made.stderr.strip() or made.returncode}")
        settings = [part for name in _SETTINGS for part in ("-c", f"{name}={_SETTINGS[name]}")]
        with (folder / "log").open("w") as log:
            running = subprocess.Popen(
                [programs / "postgres", "-D", folder / "data", "-k", folder, *settings],
                **quiet,
                stderr=log,
            )
        try:
            _wait_for(running, folder)
            yield folder
        finally:
            running.send_signal(signal.SIGINT)  # fast shutdown: ends all connections
            running.wait()


def _wait_for(running: subprocess.Popen[Any], folder: Path) -> None:
    """Wait until the server accepts connections. Raises `Unable`."""
    ends = time.monotonic() + _START_TIMEOUT_S
    status = folder / "data" / "postmaster.pid"
    while not (status.exists() and "ready" in status.read_text("utf-8")):
        if running.poll() is not None or time.monotonic() > ends:
            raise Unable(f"the server did not start: {(folder / 'log').read_text('utf-8').strip()}")
        time.sleep(_POLL_INTERVAL_S)


def _programs() -> Path:
    """Return the folder with the newest programs of the server. Raises `Unable`."""
    if os.name == "nt":
        raise Unable("on Windows nobody has tried.")
    if importlib.util.find_spec("asyncpg") is None:
        raise Unable("the package asyncpg is not installed (`make` installs it).")
    folders = []
    if config := shutil.which("pg_config"):
        answer = subprocess.run([config, "--bindir"], capture_output=True, text=True, check=False)
        folders.append(Path(answer.stdout.strip()))
    usual = Path("/usr/lib/postgresql").glob("*/bin")
    folders += sorted(usual, key=lambda each: int("0" + each.parent.name), reverse=True)
    folders += [Path(place) for place in ("/usr/local/pgsql/bin", "/opt/homebrew/bin", "/usr/bin")]
    for folder in folders:
        if (folder / "initdb").is_file() and (folder / "postgres").is_file():
            return folder
    raise Unable("no initdb is installed (Debian, Ubuntu: apt install postgresql).")


def _user() -> dict[str, Any]:
    """Return the user to run the server as, in the form of `subprocess`. Raises `Unable`.

    Empty for the current user.
    """
    import pwd

    if os.geteuid() != 0:
        return {}
    known = {each.pw_name: each for each in pwd.getpwall()}
    for name in _OTHERS:
        if name in known:
            return {"user": name, "group": known[name].pw_gid, "extra_groups": []}
    raise Unable(f"root may not run it, and there is no user {' or '.join(_OTHERS)}.")


def _short_folder() -> str:
    """Return the parent of the server's folder: a socket's path is limited to 107 bytes."""
    usual = tempfile.gettempdir()
    return usual if len(usual) < 60 else "/tmp"


if __name__ == "__main__":
    sys.exit(main())
