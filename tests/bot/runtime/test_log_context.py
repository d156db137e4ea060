"""Each line says what it is about: in brackets for people, as fields for programs."""

from __future__ import annotations

import asyncio
import json
import logging
import re

import pytest

from bot.runtime.log_context import new_error_id, since_action, work_on
from bot.runtime.logs import JsonLines, TextLines


@pytest.fixture(autouse=True)
def _about_nothing() -> None:
    work_on()


def written(message: str, form: logging.Formatter, **extra: object) -> str:
    record = logging.makeLogRecord({"msg": message, "levelname": "ERROR", "name": "bot", **extra})
    return form.format(record).partition("bot: ")[2] or form.format(record)


def test_text_names_them_in_brackets() -> None:
    work_on(table=7, interaction=123)
    since_action(112)
    line = written("oh", TextLines(), error="7F3K2")
    assert line == "[table 7, action 112, interaction 123, error 7F3K2] oh"


def test_a_table_that_the_message_names_is_not_named_twice() -> None:
    work_on(table=7)
    assert written("table 7: oh", TextLines()) == "table 7: oh"
    assert written("table 7 is over", TextLines()) == "table 7 is over"
    assert written("table 70: oh", TextLines()) == "[table 7] table 70: oh"


def test_json_has_them_as_fields() -> None:
    work_on(table=7)
    line = json.loads(written("table 7: oh", JsonLines(), error="7F3K2"))
    assert line["table"] == 7
    assert line["error"] == "7F3K2"
    assert "action" not in line


def test_lines_about_nothing_stay_as_they_are() -> None:
    assert written("oh", TextLines()) == "oh"
    assert "table" not in json.loads(written("oh", JsonLines()))


async def test_each_task_has_its_own() -> None:
    async def one(table: int) -> str:
        work_on(table=table)
        await asyncio.sleep(0)
        return written("oh", TextLines())

    assert list(await asyncio.gather(one(1), one(2))) == ["[table 1] oh", "[table 2] oh"]
    assert written("oh", TextLines()) == "oh"


def test_names_of_errors_can_be_read_aloud() -> None:
    names = [new_error_id() for _ in range(100)]
    assert all(re.fullmatch(r"[2-9A-HJ-NP-Z]{5}", name) for name in names)
    assert len(set(names)) > 90
