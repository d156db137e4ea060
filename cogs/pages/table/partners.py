"""Whose computer partner could be replaced, how, and by whom."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from bot.table.finding import computer_partners
from bot.table.state import Game, Lobby, OpenTable
from bot.text.cards import Speaker
from cogs.pages.names import seat_name
from engine import Seat


def url(table: OpenTable) -> str:
    """The address of the newest message of a table, or of its channel if there is none."""
    messages = table.messages
    message = messages.table or messages.lobby
    there = f"https://discord.com/channels/{table.guild_id}/{table.channel_id}"
    return there if message is None else f"{there}/{message}"


def partner_lines(game: Game, own: Seat | None, words: Speaker) -> Iterator[str]:
    """Whether a person could play in the place of this seat's partner, and how they sit down."""
    partners = computer_partners(game, own)
    if not partners:
        return
    names = words.say.listed(seat_name(game, seat, words) for seat in partners)
    yield words.say(
        "Computer partner: {names}. Anyone can take the seat: **My hand** at the table, or "
        "**Join** in /tichu tables.",
        names=names,
    )


def waiting_line(lobbies: Sequence[Lobby], words: Speaker) -> str:
    """Who waits for players in these lobbies, and where: perhaps they would like the seat."""
    found = (
        words.say(
            "{names} in {place}",
            names=words.say.listed(seat_name(lobby, chair.seat, words) for chair in lobby.people()),
            place=url(lobby),
        )
        for lobby in lobbies
    )
    return words.say("Waiting for players: {who}", who=" · ".join(found))
