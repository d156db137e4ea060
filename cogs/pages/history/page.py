"""Private pages of past matches, and of one match's rounds."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace

import discord

from bot.history.listing import HistoryQuery, Listing
from bot.history.seat_history import SeatedRound
from bot.ids import ChannelId, Revision, TableId, UserId
from bot.records import MatchRecord, MatchSeat, RoundRecord
from bot.table.state import TableState
from bot.text.cards import Speaker
from bot.text.people import channel_mention, isolated, mention, person_name
from cogs.pages.controls import Controls, Page, Part, length, line, option, read_number, row, text
from cogs.pages.names import safe, seat_name
from cogs.pages.verbs import Verb
from engine import Call, Column, NotationError

ROUNDS_PER_PAGE = 10
MOST_CHARACTERS = 3800
_CONTROLS = Controls()
"""Controls without a table, to which the list does not belong."""
_WHOLE_SERVER = HistoryQuery()
_CALLS = {"tichu": Call.TICHU, "grand": Call.GRAND}


def write_history_query(query: HistoryQuery) -> str:
    """Return the text of a query for the id of a button."""
    direction = "newer" if query.newer else "older"
    return f"{query.user_id}.{query.channel_id}.{query.beyond}.{direction}"


def read_history_query(text: str) -> HistoryQuery:
    """Parse the text of `write_history_query`; raise `NotationError` for a forged one."""
    parts = text.split(".")
    if len(parts) != 4 or parts[3] not in ("newer", "older"):
        raise NotationError("not a page of matches")
    user, channel, beyond = (read_number(part) for part in parts[:3])
    if max(user, channel, beyond) >= 2**63:
        raise NotationError("not a page of matches")
    return HistoryQuery(UserId(user), ChannelId(channel), TableId(beyond), parts[3] == "newer")


def write_rounds_query(page: int, list_query: HistoryQuery) -> str:
    """Return the text of a page of rounds and of its list for the id of a button."""
    return f"{write_history_query(list_query)}.{page}"


def read_rounds_query(text: str) -> tuple[int, HistoryQuery]:
    """Parse the text of `write_rounds_query`: the page and the list.

    A page that was not opened from a list has the list of the whole server. Raises `NotationError`
    for a forged text.
    """
    list_text, _, page = text.rpartition(".")
    return read_number(page or "0"), read_history_query(list_text) if list_text else HistoryQuery()


def history_page(listing: Listing, words: Speaker) -> Page:
    """Return the page with a list of matches and buttons to newer and older ones."""
    say, query = words.say, listing.query
    items: list[Part] = [text(_heading(query, words))]
    if not listing.matches:
        items.append(text(say("No matches yet.")))
        return Page(*items)
    entries = [_match_entry(table, match, words, losers=True) for table, match in listing.matches]
    if sum(map(length, entries)) > MOST_CHARACTERS:
        entries = [
            _match_entry(table, match, words, losers=False) for table, match in listing.matches
        ]
    items.append(text("\n".join(entries)))
    options = [
        option(
            say("Table {table} · {names}", table=table, names=_all_names(match, words)),
            str(table),
            description=_game_text(match, words),
        )
        for table, match in listing.matches
    ]
    args = write_rounds_query(0, query)
    items.append(_CONTROLS.select(Verb.MATCH, say("Open a match"), options, args))
    if listing.newer or listing.older:
        newest, oldest = listing.matches[0][0], listing.matches[-1][0]
        items.append(
            row(
                _page_button(
                    say("Newer"), replace(query, beyond=newest, newer=True), exists=listing.newer
                ),
                _page_button(
                    say("Older"), replace(query, beyond=oldest, newer=False), exists=listing.older
                ),
            )
        )
    return Page(*items)


def _page_button(label: str, query: HistoryQuery, *, exists: bool) -> Part:
    """Return the button to another page of the list, disabled if there is none."""
    return _CONTROLS.button(Verb.HISTORY, label, write_history_query(query), disabled=not exists)


def _heading(query: HistoryQuery, words: Speaker) -> str:
    """Return the heading of a list, with the person and channel that it is about."""
    say = words.say
    heading = "### " + say("Past matches")
    filters = []
    if query.user_id:
        filters.append(mention(query.user_id))
    filters.append(channel_mention(query.channel_id) if query.channel_id else say("this server"))
    return f"{heading}\n-# {' · '.join(filters)}"


def _match_entry(table: TableId, match: MatchRecord, words: Speaker, *, losers: bool) -> str:
    """Return two lines on a match: table, date and game, then the result."""
    heading = words.say("Table {table}", table=table)
    head = f"**{heading}** · {_date_text(match)} · {_game_text(match, words)}"
    return f"{head}\n{_outcome_line(match, words, losers=losers)}"


def _date_text(match: MatchRecord) -> str:
    return discord.utils.format_dt(match.ended_at, "f")


def _outcome_line(match: MatchRecord, words: Speaker, *, losers: bool) -> str:
    """Return the line with the winners of a match and, with `losers`, their opponents."""
    columns = sorted({seat.column for seat in match.seats} | {s.column for s in match.scores})
    winning_columns = {seat.column for seat in match.seats if seat.won}
    winning_columns |= {score.column for score in match.scores if score.won}
    columns.sort(key=lambda column: column not in winning_columns)
    parts = [
        _column_text(match, column, words, is_winner=column in winning_columns)
        for column in columns
        if column in winning_columns or losers
    ]
    if match.reason == "stopped":
        parts.insert(0, words.say("stopped"))
    elif not winning_columns:
        parts.insert(0, words.say.sense("of a match", "draw"))
    return f"-# {' · '.join(parts)}"


def _game_text(match: MatchRecord, words: Speaker) -> str:
    return f"{words.variant(match.variant)} · {_round_count_text(match, words)}"


def _round_count_text(match: MatchRecord, words: Speaker) -> str:
    return words.say.many("{n} round", "{n} rounds", match.rounds)


def _column_text(match: MatchRecord, column: Column, words: Speaker, *, is_winner: bool) -> str:
    """Return the names of a column's players, with its final total if there are points."""
    names = [safe(_player_name(seat, words)) for seat in match.seats if seat.column == column]
    result = " & ".join(names) or words.say("The Table")
    total = next((score.total for score in match.scores if score.column == column), None)
    if is_winner:
        result = f"🏆 **{result}**"
    return result if total is None else f"{result} {words.say.number(total)}"


def _all_names(match: MatchRecord, words: Speaker) -> str:
    return ", ".join(isolated(_player_name(seat, words)) for seat in match.seats)


def _player_name(seat: MatchSeat, words: Speaker) -> str:
    """Return the name of a seat's player at the match's end."""
    return person_name(words.say, seat.name, seat.user_id, seat.seat)


def match_page(
    state: TableState,
    match: MatchRecord | None,
    rounds: Sequence[SeatedRound],
    page: int,
    words: Speaker,
    list_query: HistoryQuery = _WHOLE_SERVER,
) -> Page:
    """Return a page with up to ten finished rounds of a match, which can be replayed.

    `match` is `None` while the match is played. Pages count from 0, and a number that is too large
    shows the last page. If the names do not fit, losers are left out first, then callers.
    `list_query` is the list of matches to which a button leads back.
    """
    say, controls = words.say, Controls(state.id, Revision(0))
    head = "### " + say(
        "Table {table} · {game}", table=state.id, game=words.variant(state.options.variant)
    )
    pages = -(-len(rounds) // ROUNDS_PER_PAGE)  # rounded up
    page = max(min(page, pages - 1), 0)
    rounds_on_page = rounds[page * ROUNDS_PER_PAGE :][:ROUNDS_PER_PAGE]

    for losers, callers in ((True, True), (False, True), (False, False)):
        heading = f"{say('Still being played.')}\n-# {_seated(state, words)}"
        if match:
            heading = f"{_date_text(match)} · {_round_count_text(match, words)}"
            heading += "\n" + _outcome_line(match, words, losers=losers)
        heading = f"{head}\n{heading}"
        lines = "\n".join(_round_line(*each, words, callers=callers) for each in rounds_on_page)
        if length(heading) + length(lines) <= MOST_CHARACTERS:
            break

    items: list[Part] = [text(heading)]
    list_button = _CONTROLS.button(
        Verb.HISTORY, say("Past matches"), write_history_query(list_query)
    )
    if not rounds:
        items.append(text(say("No round has finished yet.")))
        return Page(*items, row(list_button))
    items += [line(), text(lines)]
    options = [
        option(
            say("Round {number}", number=say.number(round_.number)),
            str(round_.number),
            description=_plain_scores(round_, words),
        )
        for _, round_ in rounds_on_page
    ]
    items.append(controls.select(Verb.REPLAY_ROUND, say("Replay a round"), options))
    buttons = []
    if pages > 1:
        previous_args = write_rounds_query(max(page - 1, 0), list_query)
        next_args = write_rounds_query(page + 1, list_query)
        buttons = [
            controls.button(Verb.MATCH, say("Previous"), previous_args, disabled=page == 0),
            controls.button(Verb.MATCH, say("Next"), next_args, disabled=page == pages - 1),
        ]
    items.append(row(*buttons, list_button))
    return Page(*items)


def _seated(state: TableState, words: Speaker) -> str:
    """Return the names at a table in the order of the scores, by team if the game has teams."""
    teams = state.options.teams or [[chair.seat] for chair in state.chairs]
    names = [" & ".join(seat_name(state, seat, words) for seat in team) for team in teams]
    return (" – " if state.options.teams else ", ").join(names)


def _plain_scores(round_: RoundRecord, words: Speaker) -> str:
    return " : ".join(words.say.signed(score.score) for score in round_.scores)


def _round_line(state: TableState, round_: RoundRecord, words: Speaker, *, callers: bool) -> str:
    """Return the line of a round: its scores, totals and calls."""
    heading = words.say("Round {number}", number=words.say.number(round_.number))
    parts = [f"**{heading}**"]
    if round_.scores:
        parts.append(_plain_scores(round_, words))
        parts.append(
            "(" + " : ".join(words.say.number(score.total) for score in round_.scores) + ")"
        )
    return " ".join(parts) + "".join(
        f" · {call}" for call in _call_texts(state, round_, words, callers=callers)
    )


def _call_texts(
    state: TableState, round_: RoundRecord, words: Speaker, *, callers: bool
) -> Iterator[str]:
    """Yield the text of each call, or of the first player out in a game without points."""
    result = json.loads(round_.result)
    for seat, call, is_made in result.get("calls", ()):
        call_text = f"{words.call(_CALLS[call])} {'✓' if is_made else '✗'}"
        yield words.say.labelled(seat_name(state, seat, words), call_text) if callers else call_text
    if not round_.scores and result.get("out"):
        yield f"👑 {seat_name(state, result['out'][0], words)}"
