"""Holders of a database lock: a real process, and a simulated one."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from types import MappingProxyType
from typing import Any
from unittest.mock import Mock, patch

from bot.storage import instance_lock

ROOT = Path(__file__).parents[3]

HOLDER = """
import subprocess, sys
from pathlib import Path
from bot.storage.instance_lock import acquire
while True:
    with acquire(Path(sys.argv[1]), "run"):
        print("taken", flush=True)
        if sys.stdin.readline() == "child\\n":  # it outlives its parent
            subprocess.Popen([sys.executable, "-c", "input()"], stdin=0)
            print("started", flush=True)
            sys.stdin.readline()
    print("released", flush=True)
    sys.stdin.readline()
"""


@contextmanager
def holding(database: Path) -> Iterator[subprocess.Popen[str]]:
    """Start a process that holds the lock, releases it at a line and takes it at the next.

    At the line "child" it first starts a child, and releases the lock at one more line.
    """
    with subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(database)],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "taken\n"
        try:
            yield process
        finally:
            process.kill()


def told(process: subprocess.Popen[str], line: str) -> str:
    """Send a line to the process; return its answer."""
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(line)
    process.stdin.flush()
    return process.stdout.readline()


@contextmanager
def held_elsewhere(database: Path) -> Iterator[None]:
    """Hold the lock as if by another process with the same number.

    The system gives a lock to an open file, and this process opens it a second time.
    """
    with as_another_process():
        lock = instance_lock.acquire(database, "run")
    try:
        yield
    finally:
        with as_another_process({instance_lock.lock_file(database): Mock()}):
            lock.close()


def is_taken(database: Path) -> bool:
    """Return whether another process cannot take the lock."""
    try:
        with as_another_process():
            instance_lock.acquire(database).close()
    except instance_lock.InUse:
        return True
    return False


def as_another_process(
    held: Mapping[Path, Any] = MappingProxyType({}),
) -> AbstractContextManager[Any]:
    """Limit the locks that this process knows it holds to `held`."""
    return patch.object(instance_lock, "_locks", {**held})
