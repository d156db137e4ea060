"""Logging: both formats, quiet libraries, and no secret in any line."""

from __future__ import annotations

import io
import json
import logging
import re
import warnings
from collections.abc import Iterator
from typing import Literal

import aiohttp
import discord
import pytest

from bot.runtime.logs import kind_and_place, kinds_and_frames, set_up_logging

TOKEN = "MTA.Gx1.not-a-real-token"
THEIRS = (
    "aiosqlite",
    "alembic",
    "asyncio",
    "discord",
    "discord.client",
    "discord.shard",
    "sqlalchemy",
)


@pytest.fixture(autouse=True)
def _restored_logging() -> Iterator[None]:
    root = logging.getLogger()
    handlers, level = list(root.handlers), root.level
    levels = {name: logging.getLogger(name).level for name in THEIRS}
    yield
    logging.captureWarnings(False)
    root.handlers[:] = handlers
    root.setLevel(level)
    for name, theirs in levels.items():
        logging.getLogger(name).setLevel(theirs)


def stream(form: Literal["text", "json"], level: str = "INFO", secret: str = TOKEN) -> io.StringIO:
    lines = io.StringIO()
    set_up_logging(level, form, secret=secret, stream=lines)
    return lines


def fail() -> None:
    raise RuntimeError(f"could not log in as {TOKEN}")


def test_text_lines() -> None:
    lines = stream("text")
    logging.getLogger("bot.live").info("table %d: %s", 7, "dealt")
    pattern = r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}Z INFO     bot\.live: table 7: dealt\n"
    assert re.fullmatch(pattern, lines.getvalue())


def test_json_lines() -> None:
    lines = stream("json")
    logging.getLogger("bot.live").warning("Hände: %s", "8♣", extra={"table": 7, "odd": object})
    line = json.loads(lines.getvalue())
    assert line.pop("time").endswith("+00:00")
    assert line == {
        "level": "WARNING",
        "logger": "bot.live",
        "message": "Hände: 8♣",
        "table": 7,
        "odd": "<class 'object'>",
    }


def test_traceback_is_part_of_its_json_line() -> None:
    lines = stream("json")
    try:
        fail()
    except RuntimeError:
        logging.getLogger("bot").exception("failed", stack_info=True)
    line = json.loads(lines.getvalue())
    assert "RuntimeError: could not log in as [secret]" in line["exception"]
    assert line["stack"].startswith("Stack")


@pytest.mark.parametrize("form", ["text", "json"])
def test_the_token_never_appears(form: Literal["text", "json"]) -> None:
    lines = stream(form)
    log = logging.getLogger("discord.somewhere")
    log.error(f"in the message {TOKEN}")  # noqa: G004
    log.error("in an argument %s", {"Authorization": f"Bot {TOKEN}"})
    log.error("in a field", extra={"header": TOKEN})
    try:
        fail()
    except RuntimeError:
        log.exception("in a traceback")
    assert TOKEN not in lines.getvalue()
    assert lines.getvalue().count("[secret]") >= 3


def test_tokens_of_interactions_never_appear() -> None:
    lines = stream("text")
    secret = "aW50ZXJhY3Rpb246MTIz" * 3
    url = f"https://discord.com/api/v10/webhooks/123/{secret}/messages/@original"
    logging.getLogger("discord.http").warning("PATCH %s responded with 429.", url)
    assert secret not in lines.getvalue()
    assert "/webhooks/123/[secret]/messages/@original responded" in lines.getvalue()


@pytest.mark.parametrize(
    "error",
    [
        discord.GatewayNotFound(),  # type: ignore[no-untyped-call]
        aiohttp.ClientConnectionError("no network\nat all"),
        ConnectionResetError(104, "reset by peer"),
        TimeoutError(),
    ],
)
@pytest.mark.parametrize("form", ["text", "json"])
def test_interrupted_connection_is_one_line(
    error: Exception, form: Literal["text", "json"]
) -> None:
    """discord.py reconnects by itself; a traceback would look like a bug of the bot."""
    lines = stream(form)
    log = logging.getLogger("discord.shard")
    log.error("Attempting a reconnect for shard ID %s in %.2fs", 3, 7.9, exc_info=error)
    written = lines.getvalue()
    assert written.count("\n") == 1
    assert f"for shard ID 3 in 7.90s ({type(error).__name__}: " in written
    assert "WARNING" in written
    assert "Traceback" not in written


@pytest.mark.parametrize(
    "name, error", [("discord.shard", KeyError("t")), ("cogs.delivery", TimeoutError())]
)
def test_every_other_error_keeps_its_traceback(name: str, error: Exception) -> None:
    lines = stream("text")
    try:
        raise error
    except type(error):
        logging.getLogger(name).exception("oh")
    assert "Traceback" in lines.getvalue()


def test_without_a_secret_lines_stay_as_they_are() -> None:
    lines = stream("text", secret="")
    logging.getLogger("bot").info("plain")
    assert lines.getvalue().endswith("bot: plain\n")


def test_libraries_are_quiet_at_our_debug_level() -> None:
    lines = stream("text", "DEBUG")
    for name in THEIRS:
        logging.getLogger(name).debug("chatter")
    logging.getLogger("discord.gateway").info("chatter")
    logging.getLogger("sqlalchemy.engine").info("chatter")
    assert lines.getvalue() == ""
    logging.getLogger("bot").debug("ours")
    logging.getLogger("discord.gateway").warning("important")
    assert lines.getvalue().count("\n") == 2


def test_libraries_are_not_louder_than_our_level() -> None:
    lines = stream("text", "ERROR")
    logging.getLogger("discord.client").warning("hm")
    assert lines.getvalue() == ""


def test_python_warnings_are_logged_once() -> None:
    stream("text")
    lines = stream("text")
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        logging.captureWarnings(True)
        warnings.warn("old", UserWarning, stacklevel=1)
    assert lines.getvalue().count("UserWarning: old") == 1


def test_kind_and_place_of_an_error_omit_its_text() -> None:
    try:
        raise ValueError("the Dragon and four aces")
    except ValueError as error:
        found = kind_and_place(error)
    assert re.fullmatch(r"ValueError in test_logs\.py:\d+", found)
    assert kind_and_place(KeyError("SA")) == "KeyError"


def test_kinds_and_frames_show_the_chain_of_an_error_without_texts() -> None:
    def names_cards() -> None:
        raise KeyError("SA" + "DRAGON")

    try:
        try:
            names_cards()
        except KeyError as error:
            raise ValueError("four" + "aces") from error
    except ValueError as error:
        found = kinds_and_frames(error)
    assert "DRAGON" not in found.replace('"DRAGON"', ""), "only the source line says it"
    assert "fouraces" not in found
    assert "in names_cards" in found
    assert found.index("KeyError\nwhich led to:\n") < found.index("\nValueError")
    assert kinds_and_frames(RuntimeError("from nowhere")) == "RuntimeError"
