"""What the README says of the bot and can be checked: commands, permissions, files."""

from __future__ import annotations

import re
from pathlib import Path

import discord
from discord import app_commands

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
