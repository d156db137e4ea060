"""README: its permissions, commands, links and exit statuses match the bot."""

from __future__ import annotations

import json
import re
from pathlib import Path

import discord
from discord import app_commands

from bot.__main__ import parser
from bot.cli import run
from bot.cli.console import CONFIGURATION
from cogs.delivery.channel_permissions import needed_permissions
from cogs.tichu import Tichu

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_invitation_asks_for_the_needed_permissions() -> None:
    looked_for = {"attach_files"}
    for in_thread, new_thread in ((False, False), (True, False), (False, True)):
        looked_for |= {*needed_permissions(in_thread=in_thread, new_thread=new_thread)}
    asked_for = re.findall(r"[?&]permissions=(\d+)", README)
    assert asked_for == [str(discord.Permissions(**dict.fromkeys(looked_for, True)).value)]


def test_names_every_command() -> None:
    rows = re.findall(r"^\| (`/tichu .*?) \|", README, re.MULTILINE)
    listed = re.findall(r"`(?:/tichu )?([a-z]+)`", " ".join(rows))
    commands = {
        command.name
        for command in Tichu.__cog_app_commands__
        if isinstance(command, app_commands.Command)
    }
    assert sorted(listed) == sorted(commands)


def test_links_lead_to_existing_files() -> None:
    links = [link for link in re.findall(r"\]\(([^)]+)\)", README) if "://" not in link]
    assert len(links) > 10
    for link in links:
        assert (ROOT / link).is_file(), link


def test_compose_uses_an_existing_command() -> None:
    """`--stay` waits for a fix of the configuration, because compose would restart in a loop."""
    compose = (ROOT / "compose.yaml").read_text(encoding="utf-8")
    (command,) = re.findall(r"^    command: (\[.*\])$", compose, re.MULTILINE)
    python, flag, package, *arguments = json.loads(command)
    assert (python, flag, package) == ("python", "-m", "bot")
    given = parser().parse_args(arguments)
    assert (given.command, given.stay) == (run, True)


def test_names_the_exit_statuses() -> None:
    statuses = re.findall(r"^\| (\d+) \|", README, re.MULTILINE)
    assert statuses == ["0", "1", "2", str(CONFIGURATION)]
    assert f"RestartPreventExitStatus={CONFIGURATION}" in README
