"""The public lobby message, and the host's private page of seats."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

import discord

from bot.rating.ratings import weight_of_round
from bot.table.lobby import absent, absent_sides, enough_players, players
from bot.table.permission import seats_for
from bot.table.state import Lobby, TableState
from bot.text import capital
from bot.text.cards import Speaker
from bot.text.computers import manners
from bot.text.labels import team_emoji
from bot.text.options import game_title, length, novice_note, rating_line, unusual_options
from bot.text.people import channel_mention, mention
from cogs.pages.controls import Controls, Notice, Page, Part, gallery, line, option, row, text
from cogs.pages.names import label_name, seat_name
from cogs.pages.rules import learn_button
from cogs.pages.table.deal_lines import small_print
from cogs.pages.verbs import Verb
from engine import Seat


def lobby_page(
    state: Lobby, words: Speaker, picture: str | None = None, alt: str | None = None
) -> Page:
    """Return the public lobby message: game, unusual options, seats, and usable buttons.

    `picture` is the name of the attachment with the picture of the seats, and `alt` its alternative
    text (at most 1,024 characters). Without a picture the seats are listed as text.
    """
    title = f"## {game_title(words.say, state.options.variant)}"  # the picture has the length
    return Page(
        text(_heading(state, words) if picture is None else title),
        text("-# " + capital(" · ".join(_facts(state, words)))),
        line(),
        text(_seat_lines(state, words)) if picture is None else gallery(picture, alt),
        line(),
        text(f"-# {_state_line(state, words)}"),
        *small_print(_manners_line(state, words)),
        row(*_player_buttons(state, words)),
        row(*_page_buttons(state, words)),
        accent=discord.Colour(0x2F6F4F),
    )


def lobby_notice(state: Lobby, words: Speaker) -> Notice:
    """Return the first message of the lobby of an event, which mentions its people.

    An edit replaces it with the page. Its first line is all that a lock screen shows.
    """
    say, missing = words.say, " ".join(map(mention, absent(state)))
    ready = say("Your table is ready in {channel}!", channel=channel_mention(state.channel_id))
    lines = [
        f"{ready} {missing}",
        "-# " + capital(" · ".join(_facts(state, words))),
        _seat_lines(state, words),
    ]
    event, grace = state.options.event, state.timers.deadlines.get("grace")
    if grace is not None:
        when = discord.utils.format_dt(grace, "R")
        lines.append(
            say("Press **I'm here**. A team that isn't here {when} loses.", when=when)
            if event is not None and event.forfeit
            else say("Press **I'm here**. It starts {when} at the latest.", when=when)
        )
    elif event is not None and event.until is not None and state.options.turn_based:
        when = discord.utils.format_dt(event.until, "R")
        lines.append(say("Press **I'm here**. The match ends {when} at the latest.", when=when))
    elif event is not None:
        lines.append(say("Press **I'm here**. It starts when everyone is here."))
    rows = row(*_player_buttons(state, words)), row(*_page_buttons(state, words))
    return Notice("\n".join(lines), *rows)


def _player_buttons(state: Lobby, words: Speaker) -> Iterator[Part]:
    """Yield the buttons to join, to start or fill up the table, to invite, and to leave.

    Each team with a free seat has a button to join it. Without teams there is one for the table.
    A seat that is only for people of an event counts as free while one of them can take it.
    The table can be started with enough players, or else be filled with computer players. That of
    an event starts by itself, once its people are there.
    """
    controls, say = Controls(state.id, state.revision), words.say
    primary, success = discord.ButtonStyle.primary, discord.ButtonStyle.success
    free = {chair.seat for chair in state.chairs if chair.kind == "empty"}
    if state.options.event is not None and state.options.event.entrants_only:
        waiting = set(state.invitations.entrants).difference(state.user_ids())
        free.intersection_update(chain(*(seats_for(state, each) for each in waiting)))
    for team, seats in enumerate(state.options.teams):
        if free.intersection(seats):
            yield controls.button(
                Verb.JOIN, say("Join"), str(team), style=primary, emoji=team_emoji(team)
            )
    if free and not state.options.teams:
        yield controls.button(Verb.JOIN, say("Join"), style=primary)
    if state.options.event is not None:
        yield controls.button(Verb.CHECK_IN, say("I'm here"), style=success)
        yield controls.button(Verb.LEAVE, say("Leave"))
        return
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
    """Yield the buttons that open something private: seats, rules, lessons, options."""
    controls, say = Controls(state.id, state.revision), words.say
    if state.options.event is None:
        yield controls.button(Verb.SWAP, say("Seats"))
        yield controls.button(Verb.OPTIONS, say("Options"))
    yield controls.button(Verb.RULES, say("Rules"), state.options.variant)
    yield learn_button(words)
    yield controls.button(Verb.MORE, say("All options"))


def _heading(state: TableState, words: Speaker) -> str:
    """Return the heading with the game and its length."""
    title = game_title(words.say, state.options.variant)
    return f"## {title} · {length(state.options, words.say)}"


def _facts(state: Lobby, words: Speaker) -> Iterator[str]:
    """Yield the unusual options, the effect on ratings, and the substitutes for Experts.

    The place in its event comes first.
    """
    if (event := state.options.event) is not None:
        yield words.say("Table {table}", table=words.say.number(event.match + 1))
        if event.entrants_only:
            # Translators: of a table
            yield words.say("only for players of this event")
    yield from unusual_options(state.options, words)
    yield _rating_text(state, words)
    yield from novice_note(state, words)


def _rating_text(state: Lobby, words: Speaker) -> str:
    """Return the text on ratings: none, or their weight with the current players."""
    player_count, person_count = players(state), len(state.user_ids())
    weight = weight_of_round(person_count, player_count) if person_count < player_count else 1.0
    return rating_line(state.options, weight, words.say)


def _manners_line(state: TableState, words: Speaker) -> str:
    """Return the line with the playing styles of the computer players, or an empty text."""
    styles = " · ".join(manners(state, words.say))
    return f"-# {styles}" if styles else ""


def _seat_lines(state: TableState, words: Speaker) -> str:
    """Return one line for each chair, by team, or in turn order in a game without teams.

    In a game without teams, free chairs are left out if it can be played with fewer players.
    """
    teams = state.options.teams
    if teams:
        return "\n\n".join(
            "\n".join(f"{team_emoji(team)} {_chair_line(state, seat, words)}" for seat in seats)
            for team, seats in enumerate(teams)
        )
    all_needed = len(state.options.game.people) == 1  # the only possible number of players
    seats_to_show = [chair.seat for chair in state.chairs if chair.kind != "empty" or all_needed]
    return "\n".join(_chair_line(state, seat, words) for seat in seats_to_show)


def _chair_line(state: TableState, seat: Seat, words: Speaker) -> str:
    """Return the line of one chair with its player."""
    kind = state.chairs[seat].kind
    if kind == "empty":
        return f"{seat + 1} · *{words.say('free')}*"
    sign = words.art.icon("computer") + " " if kind == "computer" else ""
    return f"{seat + 1} · {sign}**{seat_name(state, seat, words)}**"


def _state_line(state: Lobby, words: Speaker) -> str:
    """Return the line with the number of players that can or must still join, and the host."""
    if state.options.event is not None:
        return _arrivals_line(state, words)
    say, player_counts = words.say, state.options.game.people
    host, player_count = mention(state.host_id), players(state)
    free = len(state.chairs) - player_count
    if not free:
        if (start := state.timers.deadlines.get("start")) is not None:
            start_time = discord.utils.format_dt(start, "R")
            return say("Table is full – starts {when} · host {host}", when=start_time, host=host)
        return say("Table is full – {host} can start.", host=host)
    if player_count in player_counts:
        return say.many(
            "Ready to start – {n} more can join · host {host}",
            "Ready to start – up to {n} more can join · host {host}",
            free,
            host=host,
        )
    if len(player_counts) == 1:
        return say.many(
            "{n} seat free · host {host}", "{n} seats free · host {host}", free, host=host
        )
    return say.many(
        "{n} more player needed, up to {most} can play · host {host}",
        "{n} more players needed, up to {most} can play · host {host}",
        player_counts.start - player_count,
        most=player_counts[-1],
        host=host,
    )


def _arrivals_line(state: Lobby, words: Speaker) -> str:
    """Return the line with the people of an event who have not come yet."""
    say, deadlines, event = words.say, state.timers.deadlines, state.options.event
    missing = absent(state)
    if not missing:
        return say("Everyone is here.")
    names = say.join([mention(user_id) for user_id in missing])
    if event is not None and event.until is not None and state.options.turn_based:
        when = discord.utils.format_dt(event.until, "R")
        return say(
            "Waiting for {names}. The match ends {when} at the latest.", names=names, when=when
        )
    if "grace" not in deadlines:
        return say("Waiting for {names}.", names=names)
    when = discord.utils.format_dt(deadlines["grace"], "R")
    if event is not None and event.forfeit and any(absent_sides(state)):
        return say(
            "Waiting for {names} – a team that isn't here {when} loses.", names=names, when=when
        )
    return say("Waiting for {names} – starts {when} without them.", names=names, when=when)


def seats_page(state: Lobby, words: Speaker, note: str = "") -> Page:
    """Return the host's private page to swap and fill seats; `note` is above them."""
    say, controls = words.say, Controls(state.id, state.revision)
    taken_seats = [chair.seat for chair in state.chairs if chair.kind != "empty"]
    free_seats = [chair.seat for chair in state.chairs if chair.kind == "empty"]
    removable = [seat for seat in taken_seats if state.chairs[seat].user_id != state.host_id]
    all_seats = [chair.seat for chair in state.chairs]

    def options(seats: list[Seat]) -> list[Part]:
        return [_seat_option(state, seat, words) for seat in seats]

    selects = [
        controls.select(
            Verb.SWAP, say("Swap two seats"), options(all_seats), "swap", least=2, most=2
        )
    ]
    if free_seats:
        label = say("Add a computer")
        selects.append(controls.select(Verb.ADD_COMPUTER, label, options(free_seats)))
    if removable:
        selects.append(controls.select(Verb.REMOVE, say("Remove a player"), options(removable)))
    head = "\n".join(filter(None, ("### " + say("Seats"), note)))
    return Page(text(head), text(_seat_lines(state, words)), *selects)


def _seat_option(state: Lobby, seat: Seat, words: Speaker) -> Part:
    """Return the option of a select for a seat: number, player, and team sign."""
    teams, kind = state.options.teams, state.chairs[seat].kind
    # Translators: an empty seat
    name = words.say("free") if kind == "empty" else label_name(state, seat, words)
    sign = "🤖 " if kind == "computer" else ""
    team = next((team for team, seats in enumerate(teams) if seat in seats), None)
    return option(
        f"{seat + 1} · {sign}{name}", str(seat), emoji=None if team is None else team_emoji(team)
    )


def taken_page(why: str, options: str, words: Speaker) -> Page:
    """Return the refusal of a second table in a channel, with a button to open it in a thread.

    `options` are those of the refused table, as arguments of the button.
    """
    button = Controls().button(Verb.IN_THREAD, words.say("Open in a thread"), options)
    return Page(text(why), row(button))


def closed_page(state: TableState, words: Speaker) -> Page:
    """Return the page that replaces the lobby message once the lobby is closed."""
    say = words.say
    if state.status == "playing" or state.status == "finished":
        news = say("Game on – see the table below.")
    elif state.status == "stopped":
        news = say("This table is closed.")
    elif not state.user_ids():
        news = say("Table closed – everyone has left.")
    else:
        news = say("Table closed – nothing happened for a while.")
    seats = _seat_lines(state, words)  # empty if everybody has left and free chairs are left out
    seat_block = [text(seats)] if seats else []
    return Page(text(_heading(state, words)), *seat_block, text("-# " + news))
