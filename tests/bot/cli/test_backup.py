"""`python -m bot backup` and `restore`: no token needed, one sentence printed."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from bot.__main__ import main
from tests.bot.databases import open_store
from tests.bot.storage.lock_holder import held_elsewhere
from tests.bot.storage.samples import new_table


async def test_backs_up_a_running_bot(database: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store = await open_store(database)
    await store.tables.create(new_table())
    assert main(["backup", "copy.db"]) == 0
    size = Path("copy.db").stat().st_size
    told = f"copy.db: 1 tables, 0 matches that are over, {size / 1e6:.1f} MB.\n"
    assert capsys.readouterr() == (told, "")
    await store.tables.create(new_table(21))
    assert main(["backup", "copy.db"]) == 2
    assert capsys.readouterr() == (
        "",
        "copy.db exists already; name another file, or say --replace.\n",
    )
    assert main(["backup", "copy.db", "--replace"]) == 0
    assert "2 tables" in capsys.readouterr().out
    await store.close()


def test_refuses_to_back_up_a_missing_database(
    database: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["backup", "copy.db"]) == 2
    assert capsys.readouterr() == ("", f"There is no database {database}.\n")
    assert list(database.parent.iterdir()) == []


async def test_restores_a_backup(database: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store = await open_store(database)
    await store.tables.create(new_table())
    assert main(["backup", "copy.db"]) == 0
    await store.tables.create(new_table(21))
    await store.close()
    capsys.readouterr()
    assert main(["restore", "copy.db"]) == 0
    size = Path("copy.db").stat().st_size
    assert capsys.readouterr().out.splitlines() == [
        f"{database} is copy.db now: 1 tables, 0 matches that are over, {size / 1e6:.1f} MB.",
        f"What was there before is kept as {database}.replaced-1.",
    ]
    assert main(["restore", "missing.db"]) == 2
    assert capsys.readouterr() == ("", "There is no database missing.db.\n")


async def test_refuses_to_restore_while_a_bot_runs(
    database: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    await (await open_store(database)).close()
    assert main(["backup", "copy.db"]) == 0
    capsys.readouterr()
    with held_elsewhere(database):
        assert main(["restore", "copy.db"]) == 2
        assert f"is in use by `python -m bot run`, process {os.getpid()}" in capsys.readouterr().err
    assert main(["restore", "copy.db"]) == 0
