"""Another process that has the lock of a database."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parents[3]

HOLDER = """
import subprocess, sys
from pathlib import Path
from bot.storage.instance_lock import take
with take(Path(sys.argv[1]), "run"):
    if len(sys.argv) > 2:  # a child that outlives its parent
        subprocess.Popen([sys.executable, "-c", "input()"], stdin=0)
    print("taken", flush=True)
    sys.stdin.readline()
print("released", flush=True)
sys.stdin.readline()
"""


@contextmanager
def holding(database: Path, *more: str) -> Iterator[subprocess.Popen[str]]:
    """Another process that has the lock; it releases it at a line, and ends at the next."""
    with subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(database), *more],
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


def is_taken(database: Path) -> bool:
    """Whether another process cannot take the lock."""
    code = "import sys; from pathlib import Path; from bot.storage import instance_lock as i\n"
    code += "try: i.take(Path(sys.argv[1]), 'run')\nexcept i.InUse: sys.exit(3)"
    done = subprocess.run([sys.executable, "-c", code, str(database)], cwd=ROOT, check=False)
    assert done.returncode in (0, 3)
    return done.returncode == 3
