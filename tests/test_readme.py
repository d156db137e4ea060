"""README in each language: its permissions, commands and buttons match the bot."""

from __future__ import annotations

import json
import re
from pathlib import Path

import discord
import pytest
from discord import app_commands

from bot.__main__ import parser
from bot.cli import run
from bot.runtime.settings import languages
from bot.text import speech
from cogs.delivery.channel_permissions import needed_permissions
from cogs.tichu import Tichu

ROOT = Path(__file__).parent.parent
FILES = {
    "en": ROOT / "README.md",
    **{path.name.split(".")[1]: path for path in sorted(ROOT.glob("docs/README.*.md"))},
}
READMES = {language: path.read_text(encoding="utf-8") for language, path in FILES.items()}
README = READMES["en"]
LONGEST = 120
each = pytest.mark.parametrize("language", FILES)


def test_there_is_one_for_each_language() -> None:
    assert set(FILES) == {language.replace("_", "-") for language in languages()}


@each
def test_is_short(language: str) -> None:
    assert len(READMES[language].splitlines()) <= LONGEST


@each
def test_invitation_asks_for_the_needed_permissions(language: str) -> None:
    looked_for = {"attach_files"}
    for in_thread, new_thread in ((False, False), (True, False), (False, True)):
        looked_for |= {*needed_permissions(in_thread=in_thread, new_thread=new_thread)}
    asked_for = set(re.findall(r"[?&]permissions=(\d+)", READMES[language]))
    assert asked_for == {str(discord.Permissions(**dict.fromkeys(looked_for, True)).value)}


@each
def test_names_every_command(language: str) -> None:
    rows = re.findall(r"^\| (`/tichu .*?) \|", READMES[language], re.MULTILINE)
    listed = re.findall(r"`(?:/tichu )?([a-z]+)`", " ".join(rows))
    commands = {
        command.name
        for command in Tichu.__cog_app_commands__
        if isinstance(command, app_commands.Command)
    }
    assert sorted(listed) == sorted(commands)


@each
def test_names_buttons_as_the_bot_does(language: str) -> None:
    say = speech(language)
    buttons = (say("Start"), say("My hand"), say("Give"), say("Invite"), say("Forget me…"))
    for button in (*buttons, say("Hall of fame")):
        assert f"**{button.rstrip('…').strip()}**" in READMES[language]


def test_operator_fills_in_the_link_of_a_hosted_bot() -> None:
    """It is defined once, in the last line of the English README."""
    lines = README.splitlines()
    assert [line for line in lines if line.startswith("[invite]:")] == lines[-1:]
    assert "][invite]" in README


def test_compose_uses_an_existing_command() -> None:
    """`--stay` waits for a fix of the configuration, because compose would restart in a loop."""
    compose = (ROOT / "compose.yaml").read_text(encoding="utf-8")
    (command,) = re.findall(r"^    command: (\[.*\])$", compose, re.MULTILINE)
    python, flag, package, *arguments = json.loads(command)
    assert (python, flag, package) == ("python", "-m", "bot")
    given = parser().parse_args(arguments)
    assert (given.command, given.stay) == (run, True)
