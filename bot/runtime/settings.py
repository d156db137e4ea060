"""Settings of the bot, from the environment and from the file `.env`.

`python -m bot` reads and checks them once at the start. A wrong value is reported as one sentence
that names the variable, its value and what is wrong with it.
"""

from __future__ import annotations

import importlib.util
import os
import re
from ipaddress import ip_address
from pathlib import Path
from typing import Annotated, Any, Final, Literal, Self

from pydantic import Field, SecretStr, ValidationError, field_validator, model_validator
from pydantic_settings import (
    BaseSettings,
    NoDecode,
    SettingsConfigDict,
)

from bot.runtime.heartbeat import DEFAULT_FILE
from bot.runtime.shards import Shards, read_ids

LOCALES: Final = Path(__file__).parents[1] / "locale"
"""Folder of translations, with one folder for each language."""
ENV_FILE: Final = Path(".env")
"""File of settings beside the environment, in the working directory."""
SQLITE: Final = "sqlite+aiosqlite:///"
"""Prefix of the URL of an SQLite file."""
POSTGRES: Final = "postgresql+asyncpg://"
"""Prefix of the URL of a PostgreSQL database."""

_SOURCE_LANGUAGE = "en"
"""Language of the texts in the code."""
_TOKEN_FORM = re.compile(r"[!-~]+")
_TOKEN_FILE_BYTES = 4096
"""Maximum size of a token file, in bytes."""
_LONGEST_QUOTED = 60
"""Maximum number of characters of a wrong value in a message."""
_CONTAINER_LIMIT = Path("/sys/fs/cgroup/cpu.max")
"""Linux: file with the CPU limit of a container, as "quota period"."""
_REGION = re.compile(r"_([a-z]{2}|\d{3})$")
"""Region at the end of a language code of Discord, such as es-ES, es-419 or en-US."""
_SECRET = re.compile(
    r"(?<=:).+(?=@)|(?<=://)[^/]*:.+|(?<=password=).+|[\w-]{20,}\.[\w-]{4,}\.[\w-]{20,}", re.S
)
"""Passwords in URLs, and tokens: never shown, even in the wrong variable.

A password may hold any sign, because operators forget to quote them. So everything before the last
`@` is hidden.
"""
_LARGEST_ENV_FILE = 100_000
"""Maximum size of the file of settings, in bytes."""
_BEGINNING_OF_HEARTBEAT = re.compile(rb"\0*|\d{4}-\d\d-\d\dT[\d:.]+\+00:00(\n.*)?", re.S)
"""Beginning of an existing heartbeat; a crash of the machine can leave zeros."""


class SettingsError(Exception):
    """Raised if a setting is missing or wrong. The text is one sentence for the operator."""


class Settings(BaseSettings):
    """All settings of the bot. The environment variable of a field is its name in capitals.

    The description of a field completes the sentence "VARIABLE is 'value', but it ..." of a
    `SettingsError`. `.env.example` documents each setting for operators.
    """

    model_config = SettingsConfigDict(
        frozen=True,
        extra="ignore",
        env_file_encoding="utf-8-sig",  # some editors begin a UTF-8 file with a mark
        env_ignore_empty=True,
        hide_input_in_errors=True,
    )

    discord_token: SecretStr = Field(
        description='copy the bot\'s token from the "Bot" page of your application in the '
        "Discord Developer Portal into the file .env"
    )
    """Token with which the bot logs in."""
    discord_token_file: Path | None = Field(
        None, description="must be the path of a file that holds the token"
    )
    """File that contains the token, in place of `discord_token`."""
    database_url: str = Field(
        SQLITE + "data/tichu.db",
        description="must be sqlite+aiosqlite:/// and the path of a file, without options, "
        "for example sqlite+aiosqlite:///data/tichu.db, or for PostgreSQL "
        "postgresql+asyncpg://user:password@host/database",
    )
    """URL of the database: an SQLite file, or PostgreSQL."""
    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL"] = Field(
        "INFO", description="must be DEBUG, INFO, WARNING, ERROR or CRITICAL"
    )
    """Minimum level of log messages."""
    log_format: Literal["text", "json"] = Field("text", description="must be text or json")
    """Format of log lines: for people or for programs."""
    default_language: str = Field(
        _SOURCE_LANGUAGE, description="must be a language with a folder in bot/locale, or en"
    )
    """Language of servers without a supported language of their own."""
    dev_guild_id: int | None = Field(
        None,
        gt=0,
        lt=2**63,
        description="must be a server's number: switch on Developer Mode in Discord, "
        'right-click the server and choose "Copy Server ID"',
    )
    """For developers: the only server with the slash commands."""
    heartbeat_file: Path = Field(
        DEFAULT_FILE, description="must be the path of a file, such as data/heartbeat"
    )
    """File of the heartbeat."""
    metrics_port: int | None = Field(
        None, ge=1, le=65535, description="must be a whole number from 1 to 65535"
    )
    """Port of the metrics for Prometheus; `None` serves none."""
    metrics_address: str = Field(
        "127.0.0.1", description="must be an IP address, such as 127.0.0.1 or 0.0.0.0"
    )
    """Address of the port for metrics; the default is only reachable from this machine."""
    max_tables_per_guild: int = Field(
        32, ge=1, le=1000, description="must be a whole number from 1 to 1000"
    )
    """Maximum number of open tables in a server."""
    max_tables_per_user: int = Field(
        3, ge=1, le=1000, description="must be a whole number from 1 to 1000"
    )
    """Maximum number of open tables of one person in a server."""
    forget_servers_after_days: int = Field(
        90, ge=0, le=36500, description="must be a whole number of days from 0 to 36500"
    )
    """Days until data of a server is erased after the bot has left it; 0: never."""
    worker_processes: int = Field(
        default_factory=lambda: min(4, max(1, processors() - 1)),
        ge=0,
        le=64,
        description="must be a whole number from 0 to 64",
    )
    """Number of worker processes for computer players; 0: Novices in the bot's own process."""
    shard_count: int | None = Field(
        None, ge=1, le=16384, description="must be a whole number from 1 to 16384"
    )
    """Number of shards in all processes; `None`: as many as Discord recommends."""
    shard_ids: Annotated[tuple[int, ...] | None, NoDecode] = Field(
        None, description="must be a list of numbers from 0, such as 0-3 or 0,2,5"
    )
    """Shards of this process, if others use the same database; `None`: all."""
    lease_seconds: int = Field(
        30, ge=6, le=3600, description="must be a whole number of seconds from 6 to 3600"
    )
    """Seconds until another process may take over the shards of a process that has stopped."""

    @property
    def shards(self) -> Shards | None:
        """Shards of this process; `None` if no other process uses the database."""
        if self.shard_ids is None or self.shard_count is None:
            return None
        return Shards(self.shard_ids, self.shard_count)

    @property
    def database_file(self) -> Path | None:
        """Path of the database file in `database_url`; `None` for a database server."""
        if self.database_url.startswith(POSTGRES):
            return None
        return Path(self.database_url.removeprefix(SQLITE))

    @property
    def data_folder(self) -> Path:
        """Folder of the database, or of the heartbeat: the bot may write there."""
        return (self.database_file or self.heartbeat_file).parent

    @model_validator(mode="before")
    @classmethod
    def _read_token_file(cls, values: dict[str, Any]) -> dict[str, Any]:
        """Read the token from its file if only that is set. Raise `SettingsError`."""
        name, token = values.get("discord_token_file"), values.get("discord_token")
        if not name or isinstance(token, SecretStr):  # a `SecretStr` was passed by the program
            return values
        if token is not None:
            raise SettingsError(
                "DISCORD_TOKEN and DISCORD_TOKEN_FILE are both set: keep only one of them."
            )
        return {**values, "discord_token": _token_in_file(Path(str(name).strip()))}

    @model_validator(mode="after")
    def _check_shards(self) -> Self:
        """Check SHARD_IDS against SHARD_COUNT. Raises `SettingsError`."""
        if self.shard_ids is None:
            return self
        if self.shard_count is None:
            raise SettingsError(
                "SHARD_IDS is set, but SHARD_COUNT is not: it must be the number of shards of all "
                "processes together."
            )
        if self.shard_ids[-1] >= self.shard_count:
            raise SettingsError(
                f"SHARD_IDS names the shard {self.shard_ids[-1]}, but with "
                f"SHARD_COUNT={self.shard_count} the last one is {self.shard_count - 1}."
            )
        return self

    @field_validator("shard_ids", mode="before")
    @classmethod
    def _parse_shard_ids(cls, value: object) -> object:
        return read_ids(value) if isinstance(value, str) else value

    @field_validator("discord_token", mode="before")
    @classmethod
    def _check_token(cls, value: object) -> object:
        if isinstance(value, str):
            value = value.strip()
            if not _TOKEN_FORM.fullmatch(value):
                raise ValueError("a token is one word of plain letters, digits and signs")
        return value

    @field_validator("database_url")
    @classmethod
    def _check_database_url(cls, value: str) -> str:
        if value.startswith(POSTGRES):
            if not value.removeprefix(POSTGRES).partition("?")[0].partition("/")[2]:
                raise ValueError("no name of a database")
            if importlib.util.find_spec("asyncpg") is None:
                raise SettingsError(
                    "DATABASE_URL names PostgreSQL, but the package asyncpg is not installed: "
                    "python -m pip install --require-hashes -r requirements-postgres.txt."
                )
            return value
        path = value.removeprefix(SQLITE)
        is_path = path and not path.startswith((":", "file:")) and "?" not in path
        if not value.startswith(SQLITE) or not is_path or path.endswith(("/", "\\")):
            raise ValueError("not a file of SQLite")
        return value

    @field_validator("metrics_address")
    @classmethod
    def _check_address(cls, value: str) -> str:
        return str(ip_address(value.strip()))

    @field_validator("log_level", mode="before")
    @classmethod
    def _upper(cls, value: object) -> object:
        return value.strip().upper() if isinstance(value, str) else value

    @field_validator("log_format", mode="before")
    @classmethod
    def _lower(cls, value: object) -> object:
        return value.strip().lower() if isinstance(value, str) else value

    @field_validator("default_language")
    @classmethod
    def _find_language(cls, value: str) -> str:
        """Return the language of the bot with this code, or with this code without its region."""

        def normalized(code: str) -> str:
            """Return one spelling for de-AT, de_AT and DE_at."""
            return code.replace("-", "_").casefold()

        languages_by_code = {normalized(language): language for language in languages()}
        for code in (normalized(value), _REGION.sub("", normalized(value))):
            if code in languages_by_code:
                return languages_by_code[code]
        raise ValueError("not translated")


def processors() -> int:
    """Return the number of processors for this process, within the limit of its container."""
    count = os.cpu_count() or 1
    if hasattr(os, "sched_getaffinity"):
        count = len(os.sched_getaffinity(0))
    try:
        quota, period = map(int, _CONTAINER_LIMIT.read_text("ascii").split())
    except (OSError, ValueError):  # no container, or none with a limit
        return count
    return min(count, max(1, quota // period))


def languages() -> list[str]:
    """Return the languages of the bot, sorted: English and each folder of bot/locale."""
    folders = LOCALES.iterdir() if LOCALES.is_dir() else ()
    return sorted({_SOURCE_LANGUAGE} | {path.name for path in folders if path.is_dir()})


def load_settings(env_file: Path | None = ENV_FILE, *, with_token: bool = True) -> Settings:
    """Load the settings from the environment and from `env_file`; the environment wins.

    Without `with_token` a token is not required, and is empty. The token is removed from the
    environment, because child processes inherit that. The folders of the database and of the
    heartbeat are created. Raise `SettingsError` for the first setting that is missing or wrong; its
    text never contains the token.
    """
    try:
        no_token: dict[str, Any] = {} if with_token else {"discord_token": SecretStr("")}
        if env_file and env_file.is_file() and env_file.stat().st_size > _LARGEST_ENV_FILE:
            raise SettingsError(f"{env_file} is too large for a file of settings.")
        settings = Settings(_env_file=env_file, **no_token)
    except ValidationError as error:
        raise SettingsError(_sentence(error)) from None
    except UnicodeDecodeError:
        raise SettingsError(
            f"{env_file} is not readable as text: save it again with the encoding UTF-8."
        ) from None
    except OSError as error:
        raise SettingsError(f"{env_file} cannot be read: {error.strerror}.") from None
    for name in [name for name in os.environ if name.upper() == "DISCORD_TOKEN"]:
        del os.environ[name]
    if settings.database_file is not None:
        _make_folder("DATABASE_URL", settings.database_file)
    _make_folder("HEARTBEAT_FILE", settings.heartbeat_file)
    _check_heartbeat_file(settings.heartbeat_file, settings.database_file)
    return settings


def _token_in_file(file: Path) -> str:
    """Return the token in a file, stripped of blanks. Raise `SettingsError`."""
    named, advice = f"DISCORD_TOKEN_FILE names the file {file}, which", "write only the token there"
    try:
        with file.open("rb") as opened:
            content = opened.read(_TOKEN_FILE_BYTES + 1)
        # A longer file contains no token. A blank is no token either, so it is refused below.
        token = content.decode("utf-8-sig").strip() if len(content) <= _TOKEN_FILE_BYTES else " "
    except OSError as error:
        raise SettingsError(
            f"{named} cannot be read ({error.strerror}): {advice}, and let the user of the bot, "
            "and nobody else, read it."
        ) from None
    except UnicodeDecodeError:
        token = " "  # is refused below
    if not token:
        raise SettingsError(f"{named} is empty: {advice}.")
    if not _TOKEN_FORM.fullmatch(token):
        raise SettingsError(f"{named} holds no token: {advice}.")
    return token


def _sentence(error: ValidationError) -> str:
    """Return a sentence that describes the first problem of `error`."""
    problem = error.errors()[0]
    field = str(problem["loc"][0])
    advice = Settings.model_fields[field].description
    if field == "discord_token":
        wrong = "not set" if problem["type"] == "missing" else "not a token"
        return f"DISCORD_TOKEN is {wrong}: {advice}."
    return f"{field.upper()} is {_quoted(problem['input'])}, but it {advice}."


def _quoted(value: Any) -> str:
    """Return a wrong value in quotes without secrets, shortened if it is long."""
    text = _SECRET.sub("…", str(value))
    return repr(text if len(text) <= _LONGEST_QUOTED else text[: _LONGEST_QUOTED - 1] + "…")


def _make_folder(variable: str, file: Path) -> None:
    """Create the folder of `file`, the value of `variable`. Raises `SettingsError`."""
    try:
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        is_folder, is_device = file.is_dir(), file.exists() and not file.is_file()
    except OSError as error:
        raise SettingsError(
            f"{variable} needs the folder {file.parent}, which cannot be used "
            f"({error.strerror}): create it, or choose another path in .env."
        ) from None
    if is_folder:
        raise SettingsError(f"{variable} names the folder {file}, but it must name a file.")
    if is_device:
        raise SettingsError(f"{variable} names {file}, which is a device, but it must name a file.")


def _check_heartbeat_file(file: Path, database: Path | None) -> None:
    """Raise `SettingsError` if the heartbeat would overwrite another file."""
    try:
        with file.open("rb") as opened:
            is_free = _BEGINNING_OF_HEARTBEAT.fullmatch(opened.read(64)) is not None
    except OSError:
        is_free = True  # there is none, or writing it fails, which is logged
    if not is_free or (database is not None and file.resolve() == database.resolve()):
        raise SettingsError(
            f"HEARTBEAT_FILE names {file}, which the heartbeat would overwrite: choose a path of "
            "its own, such as data/heartbeat."
        )
