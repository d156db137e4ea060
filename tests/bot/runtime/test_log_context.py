"""Context of log lines: in brackets as text, as fields in JSON."""

from __future__ import annotations

import asyncio
import json
import logging
import re

import pytest

from bot.runtime.logs import JsonLines, TextLines, new_error_id, set_log_action, set_log_context


@pytest.fixture(autouse=True)
def _about_nothing() -> None:
    set_log_context()


def written(message: str, form: logging.Formatter, **extra: object) -> str:
    record = logging.makeLogRecord({"msg": message, "levelname": "ERROR", "name": "bot", **extra})
    return form.format(record).partition("bot: ")[2] or form.format(record)


def test_text_has_the_context_in_brackets() -> None:
    set_log_context(table=7, interaction=123)
    set_log_action(112)
    line = written("oh", TextLines(), error="7F3K2")
    assert line == "[table 7, action 112, interaction 123, error 7F3K2] oh"


def test_table_named_by_the_message_is_not_repeated() -> None:
    set_log_context(table=7)
    assert written("table 7: oh", TextLines()) == "table 7: oh"
    assert written("table 7 is over", TextLines()) == "table 7 is over"
    assert written("table 70: oh", TextLines()) == "[table 7] table 70: oh"


def test_json_has_the_context_as_fields() -> None:
    set_log_context(table=7)
    line = json.loads(written("table 7: oh", JsonLines(), error="7F3K2"))
    assert line["table"] == 7
    assert line["error"] == "7F3K2"
    assert "action" not in line


def test_lines_without_context_stay_unchanged() -> None:
    assert written("oh", TextLines()) == "oh"
    assert "table" not in json.loads(written("oh", JsonLines()))


async def test_each_task_has_its_own_context() -> None:
    async def one(table: int) -> str:
        set_log_context(table=table)
        await asyncio.sleep(0)
        return written("oh", TextLines())

    assert list(await asyncio.gather(one(1), one(2))) == ["[table 1] oh", "[table 2] oh"]
    assert written("oh", TextLines()) == "oh"


def test_error_ids_can_be_read_aloud() -> None:
    names = [new_error_id() for _ in range(100)]
    assert all(re.fullmatch(r"[2-9A-HJ-NP-Z]{5}", name) for name in names)
    assert len(set(names)) > 90
