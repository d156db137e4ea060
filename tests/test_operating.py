"""What docs/operating.md says of settings, commands, log lines and its own parts is true."""

from __future__ import annotations

import argparse
import ast
import inspect
import re
from collections.abc import Iterator
from functools import cache
from itertools import chain
from pathlib import Path

import discord.client
import discord.http
import discord.shard
import pytest

from bot.__main__ import COMMANDS

ROOT = Path(__file__).parent.parent
FILE = ROOT / "docs" / "operating.md"
PAGE = FILE.read_text(encoding="utf-8")
SECTIONS = dict(re.findall(r"^## (.+)\n((?:(?!## ).*\n?)*)", PAGE, re.MULTILINE))
VALUE = "<>"
"""What stands for a value in a sentence."""


def commands() -> dict[str, str]:
    """What `python -m bot` says of the arguments of each command, by its name."""
    said = {}
    for command in COMMANDS:
        own = argparse.ArgumentParser()
        command.add_arguments(own)
        said[command.NAME] = own.format_help()
    return said


def test_every_setting_is_named_and_no_other() -> None:
    example = (ROOT / ".env.example").read_text(encoding="utf-8")
    settings = set(re.findall(r"^#?([A-Z_]+)=", example, re.MULTILINE))
    assert set(re.findall(r"\b[A-Z]+(?:_[A-Z]+)+\b", PAGE)) <= settings
    assert set(re.findall(r"`([A-Z_]+)", SECTIONS["Settings"])) == settings


def test_every_command_is_named_with_its_options_and_no_other() -> None:
    rows = re.findall(r"^\| `([a-z-]+)(.*?) \|", SECTIONS["Commands"], re.MULTILINE)
    assert sorted(name for name, _ in rows) == sorted(commands())
    for name, rest in rows:
        for option in re.findall(r"--[a-z-]+", rest):
            assert option in commands()[name], (name, option)
    assert set(re.findall(r"python -m bot ([a-z-]+)", PAGE)) <= set(commands())


@cache
def sources() -> tuple[str, ...]:
    """The sources of the bot and of discord.py's connection."""
    files = chain.from_iterable((ROOT / part).rglob("*.py") for part in ("bot", "cogs"))
    connection = (discord.client, discord.gateway, discord.http, discord.shard)
    return (
        *(file.read_text(encoding="utf-8") for file in files),
        *map(inspect.getsource, connection),
    )


@cache
def texts(source: str) -> tuple[str, ...]:
    """The string literals of a source, with `VALUE`s."""
    found = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.JoinedStr):
            parts = (
                part.value if isinstance(part, ast.Constant) else VALUE for part in node.values
            )
            found.append("".join(map(str, parts)))
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            found.append(re.sub(r"%(\.\d)?[sdf]", VALUE, node.value))
    return tuple(found)


def sentences(quote: str) -> Iterator[str]:
    """The texts of all sources that hold the words of this quote; only those are parsed."""
    words = re.findall(r"[A-Za-z]+", quote)
    for source in sources():
        if all(word in source for word in words):
            yield from texts(source)


@pytest.mark.parametrize(
    "section",
    [
        "Fix start-up failures",
        "Log messages",
        "Storage errors",
    ],
)
def test_every_line_that_is_quoted_is_in_the_sources(section: str) -> None:
    """It stands in the first column; numbers stand for values."""
    rows = re.findall(r"^\| (.*?) \| ", SECTIONS[section], re.MULTILINE)
    no_action = re.findall(r"^No action is needed .*(?:\n.+)*", SECTIONS[section], re.MULTILINE)
    quoted = re.findall(r"`([^`]+)`", "\n".join([*rows, *no_action]))
    assert len(quoted) > 5
    for quote in quoted:
        line = re.sub(r"\d+", VALUE, quote)
        assert any(line in sentence or quote in sentence for sentence in sentences(quote)), quote


def test_its_links_lead_somewhere() -> None:
    parts = {re.sub(r"[^a-z -]", "", title.lower()).replace(" ", "-") for title in SECTIONS}
    linked = re.findall(r"\]\(([^)]+)\)", PAGE)
    assert parts == set(re.findall(r"^- \[.*\]\(#(.*)\)", PAGE, re.MULTILINE))
    for link in linked:
        if link.startswith("#"):
            assert link[1:] in parts, link
        else:
            assert (FILE.parent / link).is_file(), link
