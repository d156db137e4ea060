"""Campaign: the disk of a running bot is lost, and Litestream's copy is restored elsewhere.

It needs the program `litestream` on the PATH, or its path in the variable LITESTREAM.
"""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import sys
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

import pytest

from bot.history.check import check
from bot.ids import TableId
from tests.bot.databases import open_store
from tests.bot.stored_versions import DEVELOPMENT, place

ROOT = Path(__file__).parents[3]
LITESTREAM = os.environ.get("LITESTREAM") or shutil.which("litestream")
DISKS = int(os.environ.get("LOST_DISKS", "20"))
"""Number of disks that are lost."""
_PLAYED_S = (1.0, 9.0)
"""Shortest and longest time of play after the first move."""
_LOST_S = 2.0
"""Upper limit of the time whose moves are lost."""

pytestmark = [
    pytest.mark.soak,
    pytest.mark.sqlite("Litestream copies files of SQLite"),
    pytest.mark.skipif(
        LITESTREAM is None,
        reason="no program `litestream` on the PATH, and LITESTREAM does not name one",
    ),
]


class Stored(NamedTuple):
    """Commit that the bot has acknowledged."""

    at: float
    """Time of the acknowledgement (`time.time`)."""
    table_id: TableId
    seq: int
    """Number of the last stored action."""


class Disk:
    """Disk with a database that a bot plays on, and Litestream copies to another disk."""

    def __init__(self, folder: Path) -> None:
        self.disk, self.elsewhere = folder / "disk", folder / "elsewhere"
        for each in (self.disk, self.elsewhere):
            each.mkdir(parents=True)
        self.database = self.disk / "tichu.db"
        self.url = f"file://{self.elsewhere}/copy"
        self._acknowledged = self.elsewhere / "acknowledged"
        self.environment = os.environ | {
            "DATABASE": str(self.database),
            "COPY_URL": self.url,
            "SFTP_KEY": "",
            "SFTP_HOST_KEY": "",
        }

    def litestream(self, log: str = "litestream") -> subprocess.Popen[bytes]:
        """Start to copy the database."""
        assert LITESTREAM is not None
        with (self.elsewhere / log).open("wb") as output:
            return subprocess.Popen(
                [LITESTREAM, "replicate", "-config", str(ROOT / "litestream.yml")],
                env=self.environment,
                stdout=output,
                stderr=output,
            )

    def bot(self) -> subprocess.Popen[bytes]:
        """Start to play at full speed."""
        with self._acknowledged.open("ab") as output:
            return subprocess.Popen(
                [
                    *(sys.executable, "-m", "tests.bot.storage.full_speed"),
                    *(str(self.database), str(self.elsewhere / "backup.db")),
                ],
                cwd=ROOT,
                stdout=output,
            )

    def stored(self) -> list[Stored]:
        """Return the acknowledged commits so far, in order."""
        lines = self._acknowledged.read_text("utf-8").splitlines(keepends=True)
        found = [line.split() for line in lines if line.endswith("\n")]
        return [Stored(float(at), TableId(int(table)), int(seq)) for at, table, seq in found]

    def restore(self, target: Path) -> None:
        """Restore the copy."""
        assert LITESTREAM is not None
        command = [LITESTREAM, "restore", "-o", str(target), self.url]
        subprocess.run(command, check=True, capture_output=True)


async def missing(stored: list[Stored], file: Path) -> list[Stored]:
    """Return the acknowledged commits that are not in this database."""
    store = await open_store(file)
    ids = {each.table_id for each in stored}
    numbers = {table_id: len(await store.tables.actions(table_id)) for table_id in ids}
    await store.close()
    return [each for each in stored if each.seq > numbers[each.table_id]]


@pytest.mark.parametrize("number", range(DISKS))
async def test_lost_disk_loses_seconds(
    tmp_path: Path, number: int, capsys: pytest.CaptureFixture[str]
) -> None:
    """A third of the disks begin with an older schema, which is migrated."""
    chance = random.Random(f"{number} {time.time()}")
    lost = Disk(tmp_path)
    if number % 3 == 1:
        place(DEVELOPMENT, lost.database)
    processes = [lost.litestream(), lost.bot()]
    if number % 3 == 2:
        processes.reverse()
    try:
        while not lost.stored():
            assert [each.poll() for each in processes] == [None, None]
            time.sleep(0.05)
        if number % 4 == 3:  # Litestream is killed as well, and started again
            time.sleep(chance.uniform(*_PLAYED_S))
            litestream = processes[0 if number % 3 != 2 else 1]
            litestream.kill()
            litestream.wait()
            time.sleep(chance.uniform(0.1, 3))
            processes.append(lost.litestream("again"))
            time.sleep(_LOST_S)
        time.sleep(chance.uniform(*_PLAYED_S))
    finally:
        for each in processes:
            each.kill()
        end = time.time()
        for each in processes:
            each.wait()
    shutil.rmtree(lost.disk)

    restored = tmp_path / "restored.db"
    begun = time.perf_counter()
    lost.restore(restored)
    took = time.perf_counter() - begun
    found = await check(restored, datetime.now(UTC))
    assert found.damage == ()
    stored = lost.stored()
    gone = await missing(stored, restored)
    assert gone == stored[len(stored) - len(gone) :], "only the last moves are lost"
    window = end - gone[0].at if gone else 0.0
    with capsys.disabled():
        print(  # noqa: T201 - figures for the operator
            f"\ndisk {number}: {len(stored)} moves, {len(gone)} lost, the oldest {window:.2f} s "
            f"before the end; restored in {took:.2f} s, {found.rounds} rounds, stale: "
            f"{len(found.stale)}"
        )
    assert window < _LOST_S
