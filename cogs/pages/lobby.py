"""The public message of a lobby, what is left of it later, and the private page to swap seats."""

from __future__ import annotations

import discord

from bot.table.lobby import enough_players
from bot.table.state import Lobby, TableState
from bot.text.cards import Speaker
from bot.text.options import options_line
from cogs.pages.controls import Controls, Page, line, option, row, text
from cogs.pages.deal_lines import lobby_deal_line, small_print
from cogs.pages.names import seat_name
from cogs.pages.verbs import Verb
from engine import Seat


def lobby_page(state: Lobby, words: Speaker) -> Page:
    """The lobby: variant, options, seats by team, and its buttons."""
    say = words.say
    controls = Controls(state.id, state.revision)
    free = sum(chair.kind == "empty" for chair in state.chairs)
    computers = sum(chair.kind == "computer" for chair in state.chairs)
    waiting = _waiting(state, free, words)
    return Page(
        text(_heading(state, words)),
        line(),
        text(_teams(state, words)),
        line(),
        text(say("-# {waiting} Host: {host}", waiting=waiting, host=f"<@{state.host_id}>")),
        *small_print(lobby_deal_line(state, words)),
        row(
            controls.button(
                Verb.JOIN, say("Join"), style=discord.ButtonStyle.primary, disabled=not free
            ),
            controls.button(Verb.LEAVE, say("Leave")),
            controls.button(Verb.SWAP, say("Swap seats")),
        ),
        row(
            controls.button(
                Verb.ADD_COMPUTER,
                say("Add computer player"),
                emoji=words.art.icon_emoji("computer"),
                disabled=not free,
            ),
            controls.button(
                Verb.REMOVE_COMPUTER, say("Remove computer player"), disabled=not computers
            ),
            controls.button(
                Verb.START,
                say("Start"),
                style=discord.ButtonStyle.success,
                disabled=not enough_players(state),
            ),
        ),
        accent=discord.Colour(0x2F6F4F),
    )


def _heading(state: TableState, words: Speaker) -> str:
    """Which game is played here, with its options."""
    variant = words.variant(state.options.variant)
    heading = words.say("## A table of Tichu: {variant}", variant=variant)
    return f"{heading}\n{options_line(state.options, words)}"


def _teams(state: TableState, words: Speaker) -> str:
    """The chairs by team. Where everybody plays alone, they are in no teams.

    Chairs that are free are left out where the match can do without them.
    """
    say, chairs = words.say, state.chairs
    teams = state.options.game.lobby_teams(state.options.rules)
    if len(teams) != 2:
        all_needed = len(state.options.game.people) == 1
        shown = [chair.seat for chair in chairs if chair.kind != "empty" or all_needed]
        return "\n".join(_chair(state, seat, words) for seat in shown)
    blocks = []
    for number, seats in enumerate(teams):
        title = say("**Team {letter}**", letter="ABCDEF"[number])
        rows = [_chair(state, seat, words) for seat in seats]
        blocks.append("\n".join([title, *rows]))
    return "\n\n".join(blocks)


def _waiting(state: TableState, free: int, words: Speaker) -> str:
    """How many players are missing, and how many can still join."""
    say, people = words.say, state.options.game.people
    if not free:
        return say("All seats are taken: the host can start.")
    if len(people) == 1:
        return say.many("{n} seat is free.", "{n} seats are free.", free)
    missing = people.start - (len(state.chairs) - free)
    if missing > 0:
        return say.many(
            "{n} more player is needed; up to {most} can play.",
            "{n} more players are needed; up to {most} can play.",
            missing,
            most=people[-1],
        )
    return say.many(
        "The host can start; {n} more can join.", "The host can start; {n} more can join.", free
    )


def _chair(state: TableState, seat: Seat, words: Speaker) -> str:
    """One chair and who sits on it."""
    chair = state.chairs[seat]
    if chair.kind == "empty":
        return words.say("{icon} Seat {number}: free", icon=words.art.icon("seat"), number=seat + 1)
    icon = words.art.icon("computer" if chair.kind == "computer" else "person")
    return words.say(
        "{icon} Seat {number}: {name}",
        icon=icon,
        number=seat + 1,
        name=seat_name(state, seat, words),
    )


def swap_page(state: Lobby, words: Speaker) -> Page:
    """The private page on which the host chooses two seats to swap."""
    say = words.say
    options = [
        option(
            say("Seat {number}", number=chair.seat + 1),
            str(chair.seat),
            description=chair.name or say("free"),
        )
        for chair in state.chairs
    ]
    controls = Controls(state.id, state.revision)
    return Page(
        text(say("Which two seats change places?")),
        controls.select(Verb.SWAP, say("Choose two seats"), options, least=2, most=2),
    )


def closed_page(state: TableState, words: Speaker) -> Page:
    """What the lobby message shows when the lobby is over."""
    say = words.say
    if state.status == "playing" or state.status == "finished":
        news = say("The match has begun: see the table below.")
    elif state.status == "stopped":
        news = say("This table was closed.")
    else:
        news = say("This table was closed because nothing happened for a while.")
    return Page(
        text(_heading(state, words)),
        text(_teams(state, words)),
        text("-# " + news),
    )
