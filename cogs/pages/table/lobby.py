"""The public lobby message, and the host's private page of seats."""

from __future__ import annotations

from collections.abc import Iterator

import discord

from bot.rating.ratings import weight_of_round
from bot.table.lobby import enough_players, players
from bot.table.state import Lobby, TableState
from bot.text import capital
from bot.text.cards import Speaker
from bot.text.computers import manners
from bot.text.labels import team_sign
from bot.text.options import game_title, length, rating_line, sitting_in, unusual
from cogs.pages.controls import Controls, Page, Part, gallery, line, option, row, text
from cogs.pages.names import plain_name, seat_name
from cogs.pages.rules import learn_button
from cogs.pages.table.deal_lines import lobby_deal_line, small_print
from cogs.pages.verbs import Verb
from engine import Seat


def lobby_page(
    state: Lobby, words: Speaker, picture: str | None = None, alt: str | None = None
) -> Page:
    """Return the lobby: game, unusual options, seats, and usable buttons.

    `picture` is the name of the attachment with the picture of the seats, and `alt` its alternative
    text (at most 1,024 characters). Without a picture the seats are listed as text.
    """
    return Page(
        text(_heading(state, words)),
        text("-# " + capital(" · ".join(_small(state, words)))),
        line(),
        text(_seats(state, words)) if picture is None else gallery(picture, alt),
        line(),
        text(f"-# {_waiting(state, words)}"),
        *small_print(_manners(state, words)),
        *small_print(lobby_deal_line(state, words)),
        row(*_seat_buttons(state, words)),
        row(*_page_buttons(state, words)),
        accent=discord.Colour(0x2F6F4F),
    )


def _seat_buttons(state: Lobby, words: Speaker) -> Iterator[Part]:
    """Return the buttons to join, to go on, and to leave.

    A player joins a team with a free seat, or the table if there are no teams.

    To go on is to start with enough players, else to fill the seats with computer players.
    """
    controls, say = Controls(state.id, state.revision), words.say
    primary, success = discord.ButtonStyle.primary, discord.ButtonStyle.success
    free = {chair.seat for chair in state.chairs if chair.kind == "empty"}
    for team, seats in enumerate(state.options.teams):
        if free.intersection(seats):
            yield controls.button(
                Verb.JOIN, say("Join"), str(team), style=primary, emoji=team_sign(team)
            )
    if free and not state.options.teams:
        yield controls.button(Verb.JOIN, say("Join"), style=primary)
    if enough_players(state):
        yield controls.button(Verb.START, say("Start"), style=success)
        if not free and state.room:
            yield controls.button(Verb.JOIN, say("Join instead of a computer"))
    else:
        robot = words.art.icon_emoji("computer")
        yield controls.button(Verb.FILL, say("Fill with computers"), emoji=robot)
    if state.room:
        yield controls.button(Verb.INVITE, say("Invite"))
    yield controls.button(Verb.LEAVE, say("Leave"))


def _page_buttons(state: Lobby, words: Speaker) -> Iterator[Part]:
    """Return the buttons to private pages: seats, which only the host arranges, and others."""
    controls, say = Controls(state.id, state.revision), words.say
    yield controls.button(Verb.SWAP, say("Seats"))
    yield controls.button(Verb.OPTIONS, say("Options"))
    yield controls.button(Verb.RULES, say("Rules"), state.options.variant)
    yield learn_button(words)


def _heading(state: TableState, words: Speaker) -> str:
    """Return the game and its length."""
    title, goal = (
        game_title(words.say, state.options.variant),
        length(state.options.rules, words.say),
    )
    return f"## {title} · {goal}"


def _small(state: Lobby, words: Speaker) -> Iterator[str]:
    """Return unusual options, the effect on ratings, and the substitutes for Experts."""
    yield from unusual(state.options, words)
    yield _rating(state, words)
    yield from sitting_in(state, words)


def _rating(state: Lobby, words: Speaker) -> str:
    """Return whether this match is rated, and at which weight with the current players."""
    taken, people = players(state), len(state.user_ids())
    share = weight_of_round(people, taken) if people < taken else 1.0
    return rating_line(state.options, share, words.say)


def _manners(state: TableState, words: Speaker) -> str:
    """Return the playing styles of the computer players."""
    told = " · ".join(manners(state, words.say))
    return told and f"-# {told}"


def _seats(state: TableState, words: Speaker) -> str:
    """Return the chairs by team; in turn order if everybody plays alone.

    Free chairs are left out if the match does not need them.
    """
    teams = state.options.teams
    if teams:
        return "\n\n".join(
            "\n".join(f"{team_sign(team)} {_chair(state, seat, words)}" for seat in seats)
            for team, seats in enumerate(teams)
        )
    all_needed = len(state.options.game.people) == 1
    shown = [chair.seat for chair in state.chairs if chair.kind != "empty" or all_needed]
    return "\n".join(_chair(state, seat, words) for seat in shown)


def _chair(state: TableState, seat: Seat, words: Speaker) -> str:
    """Return one chair and its player."""
    kind = state.chairs[seat].kind
    if kind == "empty":
        return f"{seat + 1} · *{words.say('free')}*"
    sign = words.art.icon("computer") + " " if kind == "computer" else ""
    return f"{seat + 1} · {sign}**{seat_name(state, seat, words)}**"


def _waiting(state: Lobby, words: Speaker) -> str:
    """Return how many players are missing or welcome, and the host."""
    say, people = words.say, state.options.game.people
    host, taken = f"<@{state.host_id}>", players(state)
    free = len(state.chairs) - taken
    if not free:
        if (start := state.timers.deadlines.get("start")) is not None:
            when = discord.utils.format_dt(start, "R")
            return say("Table is full – starts {when} · host {host}", when=when, host=host)
        return say("Table is full – {host} can start.", host=host)
    if taken in people:
        return say.many(
            "Ready to start – {n} more can join · host {host}",
            "Ready to start – up to {n} more can join · host {host}",
            free,
            host=host,
        )
    if len(people) == 1:
        return say.many(
            "{n} seat free · host {host}", "{n} seats free · host {host}", free, host=host
        )
    return say.many(
        "{n} more player needed, up to {most} can play · host {host}",
        "{n} more players needed, up to {most} can play · host {host}",
        people.start - taken,
        most=people[-1],
        host=host,
    )


def seats_page(state: Lobby, words: Speaker, note: str = "") -> Page:
    """Return the host's private page of seats; `note` is above them."""
    say, controls = words.say, Controls(state.id, state.revision)
    taken = [chair.seat for chair in state.chairs if chair.kind != "empty"]
    free = [chair.seat for chair in state.chairs if chair.kind == "empty"]
    others = [seat for seat in taken if state.chairs[seat].user_id != state.host_id]
    everywhere = [chair.seat for chair in state.chairs]

    def options(seats: list[Seat]) -> list[Part]:
        return [_seat_option(state, seat, words) for seat in seats]

    selects = [
        controls.select(
            Verb.SWAP, say("Swap two seats"), options(everywhere), "swap", least=2, most=2
        )
    ]
    if free:
        label = say("Add a computer")
        selects.append(controls.select(Verb.ADD_COMPUTER, label, options(free)))
    if others:
        selects.append(controls.select(Verb.REMOVE, say("Remove a player"), options(others)))
    head = "\n".join(filter(None, ("### " + say("Seats"), note)))
    return Page(text(head), text(_seats(state, words)), *selects)


def _seat_option(state: Lobby, seat: Seat, words: Speaker) -> Part:
    """Return a seat for a select: number, player, and team sign."""
    teams, kind = state.options.teams, state.chairs[seat].kind
    # Translators: an empty seat
    name = words.say("free") if kind == "empty" else plain_name(state, seat, words)
    sign = "🤖 " if kind == "computer" else ""
    team = next((team for team, seats in enumerate(teams) if seat in seats), None)
    return option(
        f"{seat + 1} · {sign}{name}", str(seat), emoji=None if team is None else team_sign(team)
    )


def taken_page(why: str, options: str, words: Speaker) -> Page:
    """Return the refusal of a table whose channel has one, with the way to a thread.

    `options` are those of the refused table, as arguments of the button.
    """
    button = Controls().button(Verb.IN_THREAD, words.say("Open in a thread"), options)
    return Page(text(why), row(button))


def closed_page(state: TableState, words: Speaker) -> Page:
    """Return the lobby message after the end of the lobby."""
    say = words.say
    if state.status == "playing" or state.status == "finished":
        news = say("Game on – see the table below.")
    elif state.status == "stopped":
        news = say("This table is closed.")
    elif not state.user_ids():
        news = say("Table closed – everyone has left.")
    else:
        news = say("Table closed – nothing happened for a while.")
    seats = _seats(state, words)  # empty if everybody has left and free chairs are left out
    told = [text(seats)] if seats else []
    return Page(text(_heading(state, words)), *told, text("-# " + news))
