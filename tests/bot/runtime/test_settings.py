"""Settings: defaults, sources, and one sentence for every wrong value."""

from __future__ import annotations

import os
import re
import tempfile
from pathlib import Path

import pytest
from pydantic import ValidationError

from bot.runtime import settings as settings_module
from bot.runtime.settings import Settings, SettingsError, languages, load_settings
from bot.runtime.shards import format_ids, read_ids

ROOT = Path(__file__).parents[3]
TOKEN = "MTA.Gx1.not-a-real-token"
VARIABLES = {name.upper() for name in Settings.model_fields}


@pytest.fixture(autouse=True)
def _clean_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for variable in VARIABLES:
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("DISCORD_TOKEN", TOKEN)
    monkeypatch.chdir(tmp_path)


def problem() -> str:
    with pytest.raises(SettingsError) as caught:
        load_settings()
    assert TOKEN not in str(caught.value)
    assert caught.value.__cause__ is None
    return str(caught.value)


def test_has_the_documented_defaults() -> None:
    settings = load_settings()
    assert settings.discord_token.get_secret_value() == TOKEN
    assert settings.database_url == "sqlite+aiosqlite:///data/tichu.db"
    assert settings.database_file == Path("data/tichu.db")
    assert settings.log_level == "INFO"
    assert settings.log_format == "text"
    assert settings.default_language == "en"
    assert settings.dev_guild_id is None
    assert settings.heartbeat_file == Path("data/heartbeat")
    assert settings.max_tables_per_guild == 32
    assert 1 <= settings.worker_processes <= 4


def test_creates_folders(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("DATABASE_URL", f"sqlite+aiosqlite:///{tmp_path}/deep/down/games.db")
    monkeypatch.setenv("HEARTBEAT_FILE", "alive/beat")
    assert load_settings().database_file == tmp_path / "deep/down/games.db"
    assert (tmp_path / "deep/down").is_dir()
    assert (tmp_path / "alive").is_dir()


def test_environment_overrides_the_env_file(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("DISCORD_TOKEN")
    monkeypatch.setenv("LOG_FORMAT", "JSON")
    (tmp_path / ".env").write_text(
        f"\ufeffDISCORD_TOKEN='{TOKEN}'\nLOG_FORMAT=text\nlog_level=debug\nDEV_GUILD_ID=\nOTHER=1\n",
        encoding="utf-8",
    )
    settings = load_settings()
    assert settings.discord_token.get_secret_value() == TOKEN
    assert (settings.log_format, settings.log_level) == ("json", "DEBUG")
    assert settings.dev_guild_id is None


@pytest.mark.parametrize("value", [None, ""])
def test_reports_a_missing_token(monkeypatch: pytest.MonkeyPatch, value: str | None) -> None:
    if value is None:
        monkeypatch.delenv("DISCORD_TOKEN")
    else:
        monkeypatch.setenv("DISCORD_TOKEN", value)
    assert problem() == (
        'DISCORD_TOKEN is not set: copy the bot\'s token from the "Bot" page of your application '
        "in the Discord Developer Portal into the file .env."
    )


@pytest.mark.parametrize("value", [f"Bot {TOKEN}", f"{TOKEN}…", "   "])
def test_reports_an_invalid_token(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv("DISCORD_TOKEN", value)
    assert problem().startswith("DISCORD_TOKEN is not a token: copy ")


def test_strips_the_token(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISCORD_TOKEN", f" {TOKEN}\n")
    assert load_settings().discord_token.get_secret_value() == TOKEN


@pytest.fixture
def token_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Return the configured token file, which does not exist yet."""
    monkeypatch.setenv("DISCORD_TOKEN", "")
    monkeypatch.setenv("DISCORD_TOKEN_FILE", "secrets/token")
    (tmp_path / "secrets").mkdir()
    return tmp_path / "secrets" / "token"


@pytest.mark.parametrize("text", [TOKEN, f"{TOKEN}\n", f"\ufeff {TOKEN}\r\n\n"])
def test_reads_the_token_from_a_file(token_file: Path, text: str) -> None:
    token_file.write_text(text, "utf-8")
    assert load_settings().discord_token.get_secret_value() == TOKEN


def test_token_file_may_be_named_in_the_env_file(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("DISCORD_TOKEN")
    (tmp_path / ".env").write_text("DISCORD_TOKEN=\nDISCORD_TOKEN_FILE=token.txt \n")
    (tmp_path / "token.txt").write_text(TOKEN)
    assert load_settings().discord_token.get_secret_value() == TOKEN


@pytest.mark.parametrize(
    "content, what",
    [
        (b"", "is empty: write only the token there."),
        (b" \n", "is empty: write only the token there."),
        (f"Bot {TOKEN}".encode(), "holds no token: write only the token there."),
        (f"# mine\n{TOKEN}\n".encode(), "holds no token: write only the token there."),
        (TOKEN.encode("utf-16"), "holds no token: write only the token there."),
        (f"{TOKEN} ".encode() + b"x" * 10**6, "holds no token: write only the token there."),
        (b"a" * 100_000, "holds no token: write only the token there."),
    ],
)
def test_a_file_without_a_token_is_one_sentence(
    token_file: Path, content: bytes, what: str
) -> None:
    token_file.write_bytes(content)
    assert problem() == f"DISCORD_TOKEN_FILE names the file secrets/token, which {what}"


def test_a_token_file_that_is_missing_or_a_folder_is_one_sentence(token_file: Path) -> None:
    begins = "DISCORD_TOKEN_FILE names the file secrets/token, which cannot be read ("
    assert problem().startswith(f"{begins}No such file or directory): write only ")
    token_file.mkdir()
    assert problem().startswith(f"{begins}Is a directory): write only ")


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such permissions")
def test_a_token_file_that_the_bot_may_not_read_is_one_sentence(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Compose secrets keep the permissions of the file on the host."""
    if is_root := os.geteuid() == 0:
        os.seteuid(65534)
    try:
        with tempfile.TemporaryDirectory(dir="/tmp") as folder:
            monkeypatch.chdir(folder)
            file = Path(folder) / "token"
            file.write_text(TOKEN)
            file.chmod(0)
            monkeypatch.setenv("DISCORD_TOKEN", "")
            monkeypatch.setenv("DISCORD_TOKEN_FILE", str(file))
            assert problem() == (
                f"DISCORD_TOKEN_FILE names the file {file}, which cannot be read (Permission "
                "denied): write only the token there, and let the user of the bot, and nobody "
                "else, read it."
            )
    finally:
        if is_root:
            os.seteuid(0)


def test_refuses_a_token_and_a_token_file_together(
    monkeypatch: pytest.MonkeyPatch, token_file: Path, tmp_path: Path
) -> None:
    token_file.write_text(TOKEN)
    sentence = "DISCORD_TOKEN and DISCORD_TOKEN_FILE are both set: keep only one of them."
    (tmp_path / ".env").write_text(f"DISCORD_TOKEN={TOKEN}\n")
    monkeypatch.delenv("DISCORD_TOKEN")
    assert problem() == sentence
    monkeypatch.setenv("DISCORD_TOKEN", TOKEN)
    assert problem() == sentence
    load_settings(with_token=False)


def test_commands_without_token_do_not_read_the_file(token_file: Path) -> None:
    assert not token_file.exists()
    assert load_settings(with_token=False).discord_token.get_secret_value() == ""


@pytest.mark.parametrize("name", ["DISCORD_TOKEN", "discord_token"])
def test_token_is_removed_from_the_environment(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.delenv("DISCORD_TOKEN")
    monkeypatch.setenv(name, TOKEN)
    assert load_settings().discord_token.get_secret_value() == TOKEN
    assert TOKEN not in os.environ.values()


@pytest.mark.parametrize(
    "variable, value, advice",
    [
        ("DATABASE_URL", "sqlite+aiosqlite:///data/tichu.db?mode=ro", "without options"),
        ("DATABASE_URL", "postgresql://localhost/tichu", "sqlite+aiosqlite:///"),
        ("DATABASE_URL", "sqlite:///data/tichu.db", "sqlite+aiosqlite:///"),
        ("DATABASE_URL", "sqlite+aiosqlite://data/tichu.db", "sqlite+aiosqlite:///"),
        ("DATABASE_URL", "sqlite+aiosqlite:///", "path of a file"),
        ("DATABASE_URL", "sqlite+aiosqlite:///:memory:", "path of a file"),
        ("DATABASE_URL", "sqlite+aiosqlite:///data/", "path of a file"),
        ("LOG_LEVEL", "LOUD", "DEBUG, INFO, WARNING, ERROR or CRITICAL"),
        ("LOG_FORMAT", "xml", "text or json"),
        ("DEFAULT_LANGUAGE", "tlh", "bot/locale"),
        ("DEV_GUILD_ID", "my server", "Copy Server ID"),
        ("DEV_GUILD_ID", "-1", "Copy Server ID"),
        ("MAX_TABLES_PER_GUILD", "0", "from 1 to 1000"),
        ("MAX_TABLES_PER_GUILD", "many", "from 1 to 1000"),
        ("SHARD_COUNT", "0", "from 1 to 16384"),
        ("SHARD_IDS", "all", "such as 0-3 or 0,2,5"),
        ("SHARD_IDS", "3-1", "such as 0-3 or 0,2,5"),
        ("LEASE_SECONDS", "5", "from 6 to 3600"),
        ("MAX_TABLES_PER_USER", "0", "from 1 to 1000"),
        ("WORKER_PROCESSES", "-1", "from 0 to 64"),
        ("WORKER_PROCESSES", "all", "from 0 to 64"),
    ],
)
def test_wrong_value_is_one_sentence(
    monkeypatch: pytest.MonkeyPatch, variable: str, value: str, advice: str
) -> None:
    monkeypatch.setenv(variable, value)
    sentence = problem()
    assert sentence.startswith(f"{variable} is {value!r}, but it must be ")
    assert advice in sentence
    assert sentence.endswith(".")
    assert "\n" not in sentence


def test_long_value_is_shortened(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOG_FORMAT", "x" * 5000)
    assert len(problem()) < 120


@pytest.mark.parametrize(
    "value",
    [
        "postgresql://host:secret@db/tichu",
        "postgresql://host:a@secret@db/tichu",
        "postgresql://host:a@b/secret@db/tichu",
        "postgresql://host:a secret@db/tichu",
        "postgresql://host:secret",
        "postgresql+asyncpg://host:secret@db",
        "postgresql:host:secret@db/tichu",
        "postgresql://db/tichu?password=a&secret",
        "MTA1NjE4NDk3MzEyMzQ1Njc4.Gx1abc." + "secret" * 5,
    ],
)
def test_secrets_in_the_wrong_place_are_not_shown(
    monkeypatch: pytest.MonkeyPatch, value: str
) -> None:
    monkeypatch.setenv("DATABASE_URL", value)
    assert "secret" not in problem()


def test_reports_the_first_of_several_problems(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DISCORD_TOKEN")
    monkeypatch.setenv("LOG_LEVEL", "loud")
    assert problem().startswith("DISCORD_TOKEN ")


def test_reports_a_folder_that_cannot_be_created(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("DATABASE_URL", "sqlite+aiosqlite:///file/tichu.db")
    assert problem().startswith("DATABASE_URL needs the folder file, which cannot be used (")


def test_reports_a_folder_in_place_of_a_file(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "beats").mkdir()
    monkeypatch.setenv("HEARTBEAT_FILE", "beats")
    assert problem() == "HEARTBEAT_FILE names the folder beats, but it must name a file."


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
@pytest.mark.parametrize("variable", ["DATABASE_URL", "HEARTBEAT_FILE"])
def test_reports_a_device_in_place_of_a_file(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, variable: str
) -> None:
    os.mkfifo(tmp_path / "pipe")
    prefix = "sqlite+aiosqlite:///" if variable == "DATABASE_URL" else ""
    monkeypatch.setenv(variable, f"{prefix}pipe")
    assert problem() == f"{variable} names pipe, which is a device, but it must name a file."


@pytest.mark.parametrize("name", ["notes.txt", "bot.log", "data/tichu.db"])
def test_heartbeat_overwrites_no_other_file(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str
) -> None:
    (tmp_path / "notes.txt").write_text("Buy milk.")
    (tmp_path / "bot.log").write_text("2026-11-22T18:00:00+00:00 INFO ready\n")
    monkeypatch.setenv("HEARTBEAT_FILE", name)
    sentence = problem()
    assert sentence.startswith(f"HEARTBEAT_FILE names {name}, which the heartbeat would overwrite:")


@pytest.mark.parametrize("content", [b"", b"\0" * 33, b"2026-11-22T18:00:00+00:00\n"])
def test_heartbeat_overwrites_a_previous_one(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, content: bytes
) -> None:
    """A crash of the machine can leave an empty file, or one of zeros."""
    (tmp_path / "beats").write_bytes(content)
    monkeypatch.setenv("HEARTBEAT_FILE", "beats")
    load_settings()


def test_reports_a_large_env_file(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("LOG_LEVEL=INFO\n" * 10_000)
    assert problem() == ".env is too large for a file of settings."


def test_reports_an_env_file_in_another_encoding(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("LOG_LEVEL=INFO\n", encoding="utf-16")
    assert problem() == ".env is not readable as text: save it again with the encoding UTF-8."


def test_accepts_any_spelling_of_a_language(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for language in ("es", "pt_BR"):
        (tmp_path / "locale" / language).mkdir(parents=True)
    (tmp_path / "locale/tichu.pot").touch()
    monkeypatch.setattr("bot.runtime.settings.LOCALES", tmp_path / "locale")
    assert languages() == ["en", "es", "pt_BR"]
    discords = {"es-ES": "es", "es-419": "es", "en-US": "en", "en-GB": "en", "pt-BR": "pt_BR"}
    for name, language in {"pt-br": "pt_BR", "ES": "es", **discords}.items():
        monkeypatch.setenv("DEFAULT_LANGUAGE", name)
        assert load_settings(with_token=False).default_language == language
    monkeypatch.setenv("DISCORD_TOKEN", TOKEN)
    for name in ("pt", "pt-PT", "es-", "es-and-so-on", "spanish"):
        monkeypatch.setenv("DEFAULT_LANGUAGE", name)
        assert "bot/locale" in problem()


def test_settings_are_frozen_and_hide_the_token() -> None:
    settings = load_settings()
    with pytest.raises(ValidationError):
        settings.log_level = "DEBUG"  # type: ignore[misc]
    assert TOKEN not in f"{settings!r} {settings} {settings.model_dump_json()}"


def test_example_lists_every_setting_with_its_default() -> None:
    lines = (ROOT / ".env.example").read_text("utf-8").splitlines()
    matches = (re.fullmatch(r"#?([A-Z_]+)=(.*)", line) for line in lines)
    shown = {match[1]: match[2] for match in matches if match}
    settings = load_settings()
    assert shown.keys() == VARIABLES
    assert shown.pop("DISCORD_TOKEN") == ""
    assert shown.pop("DISCORD_TOKEN_FILE") == ""
    assert shown.pop("DEV_GUILD_ID") == ""
    assert shown.pop("METRICS_PORT") == ""
    assert shown.pop("SHARD_COUNT") == ""
    assert shown.pop("SHARD_IDS") == ""
    assert shown == {name: str(getattr(settings, name.lower())) for name in shown}


@pytest.mark.parametrize(
    "limit, number",
    [("150000 100000", 1), ("200000 100000", 2), ("50000 100000", 1), ("max 100000", 8)],
)
def test_counts_the_processors_of_a_container(
    limit: str, number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "cpu.max").write_text(limit + "\n", "ascii")
    monkeypatch.setattr(settings_module, "_CONTAINER_LIMIT", tmp_path / "cpu.max")
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(8)), raising=False)
    assert settings_module.processors() == number


def test_reads_the_shards_of_a_process(monkeypatch: pytest.MonkeyPatch) -> None:
    def loaded(**given: str) -> Settings:
        for variable, value in {"DISCORD_TOKEN": TOKEN, **given}.items():
            monkeypatch.setenv(variable, value)
        return load_settings()

    assert loaded().shards is None
    assert loaded(SHARD_COUNT="8").shards is None  # one process has them all
    shards = loaded(SHARD_IDS="5, 0-2,2").shards
    assert shards is not None
    assert (shards.ids, shards.count) == ((0, 1, 2, 5), 8)
    guilds = [(number << 22) + 12345 for number in range(16)]
    assert [shards.of(guild) for guild in guilds] == [*range(8), *range(8)]
    with pytest.raises(SettingsError, match=r"names the shard 8, .* is 7\."):
        loaded(SHARD_IDS="8")
    monkeypatch.delenv("SHARD_COUNT")
    with pytest.raises(SettingsError, match="SHARD_COUNT is not"):
        loaded()


def test_refuses_an_endless_list_of_shards(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each of its parts may name 100,000 shards."""
    monkeypatch.setenv("SHARD_IDS", "0-9," * 300 + "9")
    assert problem().endswith("such as 0-3 or 0,2,5.")


def test_shard_ids_are_written_as_they_are_read() -> None:
    for text in ("0", "0-1", "0-3,8", "1,3,5-7"):
        assert format_ids(read_ids(text)) == text
