"""Logging of the whole process as text or JSON, with the table and action in progress.

`python -m bot` calls `set_up_logging` once. All other code uses `logging.getLogger(__name__)`.
"""

from __future__ import annotations

import copy
import json
import logging
import re
import secrets
import sys
import time
import traceback
from collections.abc import Mapping
from contextvars import ContextVar
from datetime import UTC, datetime
from pathlib import Path
from types import MappingProxyType
from typing import Final, Literal, TextIO, TypeAlias

MASK: Final = "[secret]"
"""Replacement of a secret in a line."""
_LONGEST_REASON: Final = 200

_LEAST_LEVELS: Final = {
    "aiosqlite": logging.INFO,  # its DEBUG lines hold the parameters of statements: hands
    "alembic": logging.WARNING,
    "asyncio": logging.WARNING,
    "discord": logging.WARNING,
    "sqlalchemy": logging.WARNING,
}
"""Minimum levels of packages that we use, even if our own level is lower."""

_CONNECTION_LOGGERS: Final = ("discord.client", "discord.gateway", "discord.http", "discord.shard")
"""Loggers of discord.py for its connection, which log no other errors of the same types."""

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

    `secret` (the token of the bot) is masked wherever it occurs. An earlier set-up of the root
    logger is replaced.
    """
    handler = logging.StreamHandler(stream if stream is not None else sys.stderr)
    handler.setFormatter(Redacting(JsonLines() if form == "json" else TextLines(), secret))
    root = logging.getLogger()
    for old in list(root.handlers):
        root.removeHandler(old)
    root.addHandler(handler)
    root.setLevel(level)
    for name, quietest in _LEAST_LEVELS.items():
        logging.getLogger(name).setLevel(max(quietest, root.level))
    logging.captureWarnings(True)


def kind_and_place(error: BaseException) -> str:
    """Return the type of an error and the line that raised it, without its text.

    The text may name cards of a hand.
    """
    frames = traceback.extract_tb(error.__traceback__)
    place = f" in {Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else ""
    return f"{type(error).__name__}{place}"


def kinds_and_frames(error: BaseException) -> str:
    """Return the traceback of an error and of its causes, without their texts.

    Each traceback ends with the type of its error. The texts may name cards of a hand; the source
    lines of the frames are code and do not.
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
    """Return a record, shortened to one line if discord.py logs an interrupted connection.

    Connections are interrupted every day, and discord.py reconnects by itself. So the traceback is
    removed, and the error is appended in brackets. discord.py is recognized by the logger's name,
    because not every command loads the package.
    """
    error = record.exc_info[1] if record.exc_info else None
    if record.name not in _CONNECTION_LOGGERS or error is None or not _is_connection_error(error):
        return record
    short = copy.copy(record)
    reason = " ".join(str(error).split())[:_LONGEST_REASON]
    short.msg, short.args = f"{record.getMessage()} ({type(error).__name__}: {reason})", ()
    short.exc_info = short.exc_text = None
    if short.levelno == logging.ERROR:
        short.levelno, short.levelname = logging.WARNING, logging.getLevelName(logging.WARNING)
    return short


def _is_connection_error(error: BaseException) -> bool:
    """Return whether an error may be the end of a connection to Discord."""
    package = type(error).__module__.partition(".")[0]
    return isinstance(error, OSError | TimeoutError) or package in ("aiohttp", "discord")


class TextLines(logging.Formatter):
    """Formatter for people: UTC time, level, logger, context, message, traceback.

    The context is in brackets, such as `[table 7, action 112, error 7F3K2]`. The table is omitted
    if the message itself begins with it.
    """

    converter = staticmethod(time.gmtime)
    default_time_format = "%Y-%m-%d %H:%M:%S"
    default_msec_format = "%s.%03dZ"

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)-8s %(name)s: %(message)s")

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 - logging's name
        """Return the first line of a record."""
        about = context_of(record)
        table = f"table {about.get('table')}"
        if record.message.startswith((f"{table} ", f"{table}:")):
            del about["table"]
        if about:
            named = ", ".join(f"{field} {value}" for field, value in about.items())
            record.message = f"[{named}] {record.message}"
        return super().formatMessage(record)


class JsonLines(logging.Formatter):
    """Formatter with one JSON object per line: time, level, logger, message, context, traceback.

    The context has `bot.runtime.logs.FIELDS`, then all other `extra` fields.
    """

    def format(self, record: logging.LogRecord) -> str:
        """Return the record as one line of JSON; other types are written as their `repr`."""
        line: dict[str, object] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
            **context_of(record),
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
    """Formatter that shortens records about the connection, and masks secrets in the output.

    It is the last step before a line is written, so it also finds secrets in arguments, extra
    fields and tracebacks.
    """

    def __init__(self, inner: logging.Formatter, secret: str) -> None:
        super().__init__()
        self._inner = inner
        self._secret = secret

    def format(self, record: logging.LogRecord) -> str:
        """Return the text of the inner formatter without the token and tokens of interactions."""
        text = self._inner.format(connection_in_one_line(record))
        if self._secret:
            text = text.replace(self._secret, MASK)
        return _INTERACTION_TOKEN.sub(rf"\1{MASK}", text)


ErrorId: TypeAlias = str
"""Error id shown to the user and written to the log."""
FIELDS: Final = ("table", "action", "interaction", "error")
"""Fields, in the order of a line."""
_ERROR_ID_CHARACTERS: Final = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"
"""Digits and letters that are not confused with each other."""
_ERROR_ID_LENGTH: Final = 5

_NO_CONTEXT: Final[Mapping[str, int]] = MappingProxyType({})

_log_context: ContextVar[Mapping[str, int]] = ContextVar("log_context", default=_NO_CONTEXT)


def set_log_context(
    *, table: int | None = None, action: int | None = None, interaction: int | None = None
) -> None:
    """Set the context of all log lines of the current task, in place of any earlier one.

    `table` is its number, `action` its number of actions when the work began, and `interaction` the
    Discord id of the click or command.
    """
    about = {"table": table, "action": action, "interaction": interaction}
    _log_context.set({field: value for field, value in about.items() if value is not None})


def set_log_action(number: int) -> None:
    """Set the number of actions in the context of the current task."""
    _log_context.set({**_log_context.get(), "action": number})


def context_of(record: logging.LogRecord) -> dict[str, object]:
    """Return the fields of a record: its own (`extra`), and those of the current task."""
    about, own = _log_context.get(), vars(record)
    return {
        field: own.get(field, about.get(field))
        for field in FIELDS
        if field in own or field in about
    }


def new_error_id() -> ErrorId:
    """Return a new error id, such as 7F3K2."""
    return "".join(secrets.choice(_ERROR_ID_CHARACTERS) for _ in range(_ERROR_ID_LENGTH))
