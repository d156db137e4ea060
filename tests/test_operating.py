"""docs/operating.md: its settings, commands and log lines exist."""

from __future__ import annotations

import argparse
import inspect
import re
from functools import cache
from pathlib import Path

import discord.client
import discord.http
import discord.shard
import pytest

from bot.__main__ import COMMANDS
from bot.cli.console import CONFIGURATION

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs" / "operating.md").read_text(encoding="utf-8")
SECTIONS = dict(re.findall(r"^## (.+)\n((?:(?!## ).*\n?)*)", PAGE, re.MULTILINE))
VALUE = "<>"
"""Placeholder for a value in a text."""


def commands() -> dict[str, str]:
    """Return the help on the arguments of each command by its name."""
    said = {}
    for command in COMMANDS:
        own = argparse.ArgumentParser()
        command.add_arguments(own)
        said[command.NAME] = own.format_help()
    return said


def test_names_every_setting() -> None:
    example = (ROOT / ".env.example").read_text(encoding="utf-8")
    settings = set(re.findall(r"^#?([A-Z_]+)=", example, re.MULTILINE))
    named = set(re.findall(r"\b[A-Z]+(?:_[A-Z]+)+\b", PAGE))
    assert named - {"COMPOSE_PROFILES"} <= settings
    assert set(re.findall(r"`([A-Z_]+)", SECTIONS["Settings"])) == settings


def test_names_every_command_with_its_options() -> None:
    rows = re.findall(r"^\| `([a-z-]+)(.*?) \|", SECTIONS["Commands"], re.MULTILINE)
    assert sorted(name for name, _ in rows) == sorted(commands())
    for name, rest in rows:
        for option in re.findall(r"--[a-z-]+", rest):
            assert option in commands()[name], (name, option)
    assert set(re.findall(r"python -m bot ([a-z-]+)", PAGE)) <= set(commands())


def test_names_the_exit_statuses() -> None:
    section = SECTIONS["Run as a service"]
    statuses = re.findall(r"^\| (\d+) \|", section, re.MULTILINE)
    assert statuses == ["0", "1", "2", str(CONFIGURATION)]
    assert f"RestartPreventExitStatus={CONFIGURATION}" in section


@cache
def sources() -> str:
    """Return the texts in the code of the bot and of discord.py's connection.

    Adjacent literals are joined, and each inserted value is a `VALUE`.
    """
    files = [file for part in ("bot", "cogs") for file in (ROOT / part).rglob("*.py")]
    modules = (discord.client, discord.gateway, discord.http, discord.shard)
    code = "\n".join(
        [*(file.read_text("utf-8") for file in files), *map(inspect.getsource, modules)]
    )
    joined = re.sub(r"""(["'])\s+f?\1""", "", code)
    return re.sub(r"%(?:\.\d)?[sdf]|\{[^{}\n]*\}", VALUE, joined)


@pytest.mark.parametrize(
    "section",
    [
        "Fix start-up failures",
        "Log messages",
        "Storage errors",
    ],
)
def test_quoted_log_lines_are_in_the_sources(section: str) -> None:
    """It is in the first column; numbers are placeholders of values."""
    rows = re.findall(r"^\| (.*?) \| ", SECTIONS[section], re.MULTILINE)
    no_action = re.findall(r"^No action is needed .*(?:\n.+)*", SECTIONS[section], re.MULTILINE)
    quoted = re.findall(r"`([^`]+)`", "\n".join([*rows, *no_action]))
    assert len(quoted) > 5
    for quote in quoted:
        assert quote in sources() or re.sub(r"\d+", VALUE, quote) in sources(), quote
