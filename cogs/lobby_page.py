"""The public lobby message, and the private page that swaps seats."""

from __future__ import annotations

import discord

from bot.table import TableState
from bot.text.cards import Speaker
from bot.text.options import options_line
from cogs.controls import Controls, Page, line, option, row, text
from cogs.deal_lines import lobby_deal_line, small_print
from cogs.names import seat_name


def lobby_page(state: TableState, to: Speaker) -> Page:
    """Variant, options and seats by team, with the buttons of a lobby."""
    say = to.say
    controls = Controls(state.id, state.stamp)
    free = sum(chair.kind == "empty" for chair in state.chairs)
    computers = sum(chair.kind == "computer" for chair in state.chairs)
    waiting = (
        say.many("{n} seat is free.", "{n} seats are free.", free)
        if free
        else say("All seats are taken: the host can start.")
    )
    return Page(
        text(
            say("## A table of Tichu: {variant}", variant=to.variant(state.options.variant))
            + "\n"
            + options_line(state.options, to)
        ),
        line(),
        text(_teams(state, to)),
        line(),
        text(say("-# {waiting} Host: {host}", waiting=waiting, host=f"<@{state.host_id}>")),
        *small_print(lobby_deal_line(state, to)),
        row(
            controls.button(
                "join", say("Join"), style=discord.ButtonStyle.primary, disabled=not free
            ),
            controls.button("leave", say("Leave")),
            controls.button("swap", say("Swap seats")),
        ),
        row(
            controls.button(
                "add-computer",
                say("Add computer player"),
                emoji=to.art.icon_emoji("computer"),
                disabled=not free,
            ),
            controls.button(
                "remove-computer", say("Remove computer player"), disabled=not computers
            ),
            controls.button(
                "start", say("Start"), style=discord.ButtonStyle.success, disabled=bool(free)
            ),
        ),
        accent=discord.Colour(0x2F6F4F),
    )


def _teams(state: TableState, to: Speaker) -> str:
    """The seats by team; partners sit opposite each other."""
    say = to.say
    teams = state.options.game.lobby_teams(state.options.rules())
    blocks = []
    for number, seats in enumerate(teams):
        title = say("**Team {letter}**", letter="ABCDEF"[number])
        rows = [_chair(state, seat, to) for seat in seats]
        blocks.append("\n".join([title, *rows]))
    return "\n\n".join(blocks)


def _chair(state: TableState, seat: int, to: Speaker) -> str:
    chair = state.chairs[seat]
    if chair.kind == "empty":
        return to.say("{icon} Seat {number}: free", icon=to.art.icon("seat"), number=seat + 1)
    icon = to.art.icon("computer" if chair.kind == "computer" else "person")
    return to.say(
        "{icon} Seat {number}: {name}", icon=icon, number=seat + 1, name=seat_name(state, seat)
    )


def swap_page(state: TableState, to: Speaker) -> Page:
    """Private: choose the two seats to swap."""
    say = to.say
    options = [
        option(
            say("Seat {number}", number=chair.seat + 1),
            str(chair.seat),
            description=chair.name or say("free"),
        )
        for chair in state.chairs
    ]
    controls = Controls(state.id, state.stamp)
    return Page(
        text(say("Which two seats change places?")),
        controls.select("swap", say("Choose two seats"), options, least=2, most=2),
    )


def closed_page(state: TableState, to: Speaker) -> Page:
    """What is left of a lobby that is over."""
    say = to.say
    if state.status == "playing" or state.status == "finished":
        news = say("The match has begun: see the table below.")
    elif state.status == "stopped":
        news = say("This table was closed.")
    else:
        news = say("This table was closed because nothing happened for a while.")
    return Page(
        text(
            say("## A table of Tichu: {variant}", variant=to.variant(state.options.variant))
            + "\n"
            + options_line(state.options, to)
        ),
        text(_teams(state, to)),
        text("-# " + news),
    )
