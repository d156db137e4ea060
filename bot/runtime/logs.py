"""Logging of the whole process: lines of text or JSON on stderr, without secrets.

`python -m bot` calls `set_up_logging` once. All other code uses `logging.getLogger(__name__)`.
"""

from __future__ import annotations

import copy
import json
import logging
import re
import sys
import time
import traceback
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, Literal, TextIO

from bot.runtime.log_context import fields_of

MASK: Final = "[secret]"
"""What stands in a line in place of a secret."""
_LONGEST_REASON: Final = 200

_QUIET: Final = {
    "aiosqlite": logging.INFO,  # its DEBUG lines hold the parameters of statements: hands
    "alembic": logging.WARNING,
    "asyncio": logging.WARNING,
    "discord": logging.WARNING,
    "sqlalchemy": logging.WARNING,
}
"""The lowest level of messages from packages that we use, even if our own level is lower."""

_CONNECTION_LOGGERS: Final = ("discord.client", "discord.gateway", "discord.http", "discord.shard")
"""Where discord.py tells of its connection, and of nothing else that fails with errors of it."""

_INTERACTION_TOKEN = re.compile(r"(/(?:webhooks|interactions)/\d+/)[\w-]{20,}")
_STANDARD_FIELDS = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime"}


def set_up_logging(
    level: str,
    form: Literal["text", "json"],
    *,
    secret: str,
    stream: TextIO | None = None,
) -> None:
    """Send all records from `level` on to `stream` (stderr by default), in the form `form`.

    `secret` (the token of the bot) is replaced wherever it occurs. An earlier set-up of the root
    logger is replaced.
    """
    handler = logging.StreamHandler(stream if stream is not None else sys.stderr)
    handler.setFormatter(Redacting(JsonLines() if form == "json" else TextLines(), secret))
    root = logging.getLogger()
    for old in list(root.handlers):
        root.removeHandler(old)
    root.addHandler(handler)
    root.setLevel(level)
    for name, quietest in _QUIET.items():
        logging.getLogger(name).setLevel(max(quietest, root.level))
    logging.captureWarnings(True)


def kind_and_place(error: BaseException) -> str:
    """The type of an error and the line where it was raised, without its text.

    The text is left out because it may name somebody's cards.
    """
    frames = traceback.extract_tb(error.__traceback__)
    place = f" in {Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else ""
    return f"{type(error).__name__}{place}"


def kinds_and_frames(error: BaseException) -> str:
    """The traceback of an error and of what caused it, without the text of any of them.

    Each traceback ends with the type of its error. The texts are left out because they may name
    somebody's cards. The source lines of the frames are code and do not.
    """
    tracebacks: list[str] = []
    seen: set[int] = set()
    current: BaseException | None = error
    while current is not None and id(current) not in seen:
        seen.add(id(current))
        frames = "".join(traceback.format_tb(current.__traceback__))
        tracebacks.insert(0, f"{frames}{type(current).__name__}")
        hidden = None if current.__suppress_context__ else current.__context__
        current = current.__cause__ or hidden
    return "\nwhich led to:\n".join(tracebacks)


def connection_in_one_line(record: logging.LogRecord) -> logging.LogRecord:
    """The record, without its traceback if discord.py tells that its connection is interrupted.

    That happens every day, and discord.py connects again by itself. What has happened is said in
    brackets. discord.py is known by its name alone: not every command loads it.
    """
    error = record.exc_info[1] if record.exc_info else None
    if record.name not in _CONNECTION_LOGGERS or error is None or not _of_connection(error):
        return record
    short = copy.copy(record)
    what = " ".join(str(error).split())[:_LONGEST_REASON]
    short.msg, short.args = f"{record.getMessage()} ({type(error).__name__}: {what})", ()
    short.exc_info = short.exc_text = None
    if short.levelno == logging.ERROR:
        short.levelno, short.levelname = logging.WARNING, logging.getLevelName(logging.WARNING)
    return short


def _of_connection(error: BaseException) -> bool:
    """Whether an error is one with which a connection to Discord ends."""
    package = type(error).__module__.partition(".")[0]
    return isinstance(error, OSError | TimeoutError) or package in ("aiohttp", "discord")


class TextLines(logging.Formatter):
    """Lines for people: time in UTC, level, logger, what it is about, message, then the traceback.

    What it is about stands in brackets, such as `[table 7, action 112, error 7F3K2]`. A table that
    the message itself begins with is not named twice.
    """

    converter = staticmethod(time.gmtime)
    default_time_format = "%Y-%m-%d %H:%M:%S"
    default_msec_format = "%s.%03dZ"

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)-8s %(name)s: %(message)s")

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 - logging's name
        """The first line of a record."""
        about = fields_of(record)
        table = f"table {about.get('table')}"
        if record.message.startswith((f"{table} ", f"{table}:")):
            del about["table"]
        if about:
            named = ", ".join(f"{field} {value}" for field, value in about.items())
            record.message = f"[{named}] {record.message}"
        return super().formatMessage(record)


class JsonLines(logging.Formatter):
    """One JSON object a line: time, level, logger, message, what it is about, traceback.

    What it is about are `bot.runtime.log_context.FIELDS`, then all other `extra` fields.
    """

    def format(self, record: logging.LogRecord) -> str:
        """The record as one line of JSON; what JSON does not know is written as its `repr`."""
        line: dict[str, object] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
            **fields_of(record),
        }
        for name, value in vars(record).items():
            if name not in _STANDARD_FIELDS:
                line.setdefault(name, value)
        if record.exc_info:
            line["exception"] = self.formatException(record.exc_info)
        if record.stack_info:
            line["stack"] = self.formatStack(record.stack_info)
        return json.dumps(line, ensure_ascii=False, default=repr)


class Redacting(logging.Formatter):
    """Shortens what is told of the connection, and replaces secrets in what is written of it.

    It is the last step before a line is written, so it also finds secrets in arguments, extra
    fields and tracebacks.
    """

    def __init__(self, inner: logging.Formatter, secret: str) -> None:
        super().__init__()
        self._inner = inner
        self._secret = secret

    def format(self, record: logging.LogRecord) -> str:
        """The text of the inner formatter without the secret and tokens of interactions."""
        text = self._inner.format(connection_in_one_line(record))
        if self._secret:
            text = text.replace(self._secret, MASK)
        return _INTERACTION_TOKEN.sub(rf"\1{MASK}", text)
