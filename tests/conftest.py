"""Settings of all tests: Hypothesis (see `tests.campaign`), garbage collection, folders.

In a new checkout pytest rewrites and compiles every test module, which takes longer than most
tests. Each worker begins with other modules, so that none waits for another one. Everything created
by this is kept, so garbage collection pauses meanwhile: it took a third of that time.

Test databases are in memory where the system offers that: on a disk, a test that opens and writes
one waits half of its time for the disk.

Machines in tests are never suspended, except in the tests about that, so sleeps are not cut into
naps: a month that passes in a moment would have 43,000 of them.
"""

from __future__ import annotations

import gc
import math
import os
import shutil
import signal
from collections.abc import Iterator
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from bot.runtime import clock
from tests.campaign import load_profile

_OBJECTS = 1_000_000
"""New objects between garbage collections of the youngest generation, instead of 700."""
_SHM = Path("/dev/shm")
"""Linux folder in memory."""
_ROOM = 1 << 30
"""Bytes that must be free there, ten times the size of all files of a run."""

load_profile()
gc.disable()  # until all tests are collected; the distributing process makes little garbage

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # A shell starts background processes this way, and every process below inherits it, so the
    # programs that tests start and end with Ctrl-C would never end.
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_configure() -> None:
    """Let pytest create the folders of tests in memory, unless a place is configured."""
    if os.access(_SHM, os.W_OK) and shutil.disk_usage(_SHM).free >= _ROOM:
        os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(_SHM))


@pytest.fixture(autouse=True, scope="session")
def whole_sleeps() -> Iterator[None]:
    """Let clocks sleep in one piece."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(clock, "LONGEST_NAP_S", math.inf)
        yield


@pytest.hookimpl(tryfirst=True)
def pytest_collection(session: pytest.Session) -> None:
    """Let each of several workers import its share of the modules first, then collect all."""
    worker: dict[str, Any] | None = getattr(session.config, "workerinput", None)
    if worker is None:
        return
    number, workers = int(worker["workerid"].removeprefix("gw")), worker["workercount"]
    root = session.config.rootpath
    folders = [root / argument.partition("::")[0] for argument in session.config.args]
    files = [file for folder in folders for file in sorted(folder.glob("**/test_*.py"))]
    for file in files[number::workers]:
        with suppress(Exception, pytest.skip.Exception):  # reported when it is collected
            import_module(".".join(file.relative_to(root).with_suffix("").parts))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip SQLite-only tests when stores are opened on PostgreSQL."""
    for item in items if os.environ.get("TEST_DATABASE") == "postgresql" else ():
        if mark := item.get_closest_marker("sqlite"):
            item.add_marker(pytest.mark.skip(reason=f"SQLite alone: {mark.args[0]}"))


def pytest_collection_finish() -> None:
    """Exclude modules and tests, which stay until the end, from garbage collection.

    It also runs less often than in a bot, which saves a tenth of the tests' time.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(_OBJECTS)
    gc.enable()
