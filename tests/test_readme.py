"""What the README says of the bot and can be checked: commands, permissions, files."""

from __future__ import annotations

import json
import re
from pathlib import Path

import discord
from discord import app_commands

from bot.__main__ import parser
from bot.cli import run
from bot.cli.console import CONFIGURATION
from cogs.delivery.channel_permissions import needed
from cogs.tichu import Tichu

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_invitation_asks_for_what_the_bot_looks_for() -> None:
    looked_for = {"attach_files"}
    for in_thread, new_thread in ((False, False), (True, False), (False, True)):
        looked_for |= {*needed(in_thread=in_thread, new_thread=new_thread)}
    asked_for = re.findall(r"[?&]permissions=(\d+)", README)
    assert asked_for == [str(discord.Permissions(**dict.fromkeys(looked_for, True)).value)]


def test_every_command_is_in_the_table_and_no_other() -> None:
    rows = re.findall(r"^\| (`/tichu .*?) \|", README, re.MULTILINE)
    listed = re.findall(r"`(?:/tichu )?([a-z]+)`", " ".join(rows))
    commands = {
        command.name
        for command in Tichu.__cog_app_commands__
        if isinstance(command, app_commands.Command)
    }
    assert sorted(listed) == sorted(commands)


def test_what_it_links_to_is_there() -> None:
    links = [link for link in re.findall(r"\]\(([^)]+)\)", README) if "://" not in link]
    assert len(links) > 10
    for link in links:
        assert (ROOT / link).is_file(), link


def test_compose_starts_the_bot_with_a_command_that_there_is() -> None:
    """It does not end where a person is needed: it would be started again in a circle."""
    compose = (ROOT / "compose.yaml").read_text(encoding="utf-8")
    (command,) = re.findall(r"^    command: (\[.*\])$", compose, re.MULTILINE)
    python, flag, package, *arguments = json.loads(command)
    assert (python, flag, package) == ("python", "-m", "bot")
    given = parser().parse_args(arguments)
    assert (given.command, given.stay) == (run, True)


def test_the_table_of_exit_statuses_names_the_one_for_mistakes_of_people() -> None:
    statuses = re.findall(r"^\| (\d+) \|", README, re.MULTILINE)
    assert statuses == ["0", "1", "2", str(CONFIGURATION)]
    assert f"RestartPreventExitStatus={CONFIGURATION}" in README
