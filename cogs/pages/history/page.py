"""Private pages of past matches, and of one match's rounds."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

import discord

from bot.history.listing import HistoryQuery, Listing
from bot.history.seat_history import SeatedRound
from bot.ids import ChannelId, Revision, TableId, UserId
from bot.records import MatchRecord, MatchSeat, RoundRecord
from bot.table.state import TableState
from bot.text.cards import Speaker
from bot.text.labels import person_name
from cogs.pages.controls import Controls, Page, Part, length, line, number, option, row, text
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
    """Return a query for matches as text for the id of a button."""
    way = "newer" if query.newer else "older"
    return f"{query.user_id}.{query.channel_id}.{query.beyond}.{way}"


def read_history_query(text: str) -> HistoryQuery:
    """Parse the text of `write_history_query`; raise `NotationError` for a forged one."""
    parts = text.split(".")
    if len(parts) != 4 or parts[3] not in ("newer", "older"):
        raise NotationError("not a page of matches")
    user, channel, beyond = (number(part) for part in parts[:3])
    if max(user, channel, beyond) >= 2**63:
        raise NotationError("not a page of matches")
    return HistoryQuery(UserId(user), ChannelId(channel), TableId(beyond), parts[3] == "newer")


def write_rounds_query(page: int, listed: HistoryQuery) -> str:
    """Return a page of rounds and its list as button text."""
    return f"{write_history_query(listed)}.{page}"


def read_rounds_query(text: str) -> tuple[int, HistoryQuery]:
    """Parse the text of `write_rounds_query`; a page alone was opened from no list.

    Raises `NotationError` for a forged one.
    """
    listed, _, page = text.rpartition(".")
    return number(page or "0"), read_history_query(listed) if listed else HistoryQuery()


def history_page(listing: Listing, words: Speaker) -> Page:
    """Return the list of matches, with links to newer and older ones."""
    say, query = words.say, listing.query
    parts: list[Part] = [text(_heading(query, words))]
    if not listing.matches:
        parts.append(text(say("No matches yet.")))
        return Page(*parts)
    entries = [_entry(table, match, words, losers=True) for table, match in listing.matches]
    if sum(map(length, entries)) > MOST_CHARACTERS:
        entries = [_entry(table, match, words, losers=False) for table, match in listing.matches]
    parts.append(text("\n".join(entries)))
    options = [
        option(
            say("Table {table} · {names}", table=table, names=_all_names(match, words)),
            str(table),
            description=_game(match, words),
        )
        for table, match in listing.matches
    ]
    args = write_rounds_query(0, query)
    parts.append(_CONTROLS.select(Verb.MATCH, say("Open a match"), options, args))
    newest, oldest = listing.matches[0][0], listing.matches[-1][0]
    ways = (
        (say("Newer"), HistoryQuery(query.user_id, query.channel_id, newest, True), listing.newer),
        (say("Older"), HistoryQuery(query.user_id, query.channel_id, oldest, False), listing.older),
    )
    if listing.newer or listing.older:
        parts.append(
            row(
                *(
                    _CONTROLS.button(
                        Verb.HISTORY, label, write_history_query(there), disabled=not lit
                    )
                    for label, there, lit in ways
                )
            )
        )
    return Page(*parts)


def _heading(query: HistoryQuery, words: Speaker) -> str:
    say = words.say
    heading = "### " + say("Past matches")
    which = []
    if query.user_id:
        which.append(f"<@{query.user_id}>")
    which.append(f"<#{query.channel_id}>" if query.channel_id else say("this server"))
    return f"{heading}\n-# {' · '.join(which)}"


def _entry(table: TableId, match: MatchRecord, words: Speaker, *, losers: bool) -> str:
    """Return a match in two lines: date and game, and the result."""
    heading = words.say("Table {table}", table=table)
    head = f"**{heading}** · {_date(match)} · {_game(match, words)}"
    return f"{head}\n{_outcome(match, words, losers=losers)}"


def _date(match: MatchRecord) -> str:
    return discord.utils.format_dt(match.ended_at, "f")


def _outcome(match: MatchRecord, words: Speaker, *, losers: bool) -> str:
    """Return the winners in a small line, and with `losers` also their opponents."""
    columns = sorted({seat.column for seat in match.seats} | {s.column for s in match.scores})
    won = {seat.column for seat in match.seats if seat.won}
    won |= {score.column for score in match.scores if score.won}
    columns.sort(key=lambda column: column not in won)
    said = [
        _column(match, column, words, won=column in won)
        for column in columns
        if column in won or losers
    ]
    if match.reason == "stopped":
        said.insert(0, words.say("stopped"))
    return f"-# {' · '.join(said)}"


def _game(match: MatchRecord, words: Speaker) -> str:
    return f"{words.variant(match.variant)} · {_rounds(match, words)}"


def _rounds(match: MatchRecord, words: Speaker) -> str:
    return words.say.many("{n} round", "{n} rounds", match.rounds)


def _column(match: MatchRecord, column: Column, words: Speaker, *, won: bool) -> str:
    """Return the names of a column, with its final total if there are points."""
    names = [safe(_called(seat, words)) for seat in match.seats if seat.column == column]
    said = " & ".join(names) or words.say("The Table")
    total = next((score.total for score in match.scores if score.column == column), None)
    if won:
        said = f"🏆 **{said}**"
    return said if total is None else f"{said} {words.say.number(total)}"


def _all_names(match: MatchRecord, words: Speaker) -> str:
    return ", ".join(_called(seat, words) for seat in match.seats)


def _called(seat: MatchSeat, words: Speaker) -> str:
    """Return the name of a seat's player at the match's end."""
    return person_name(words.say, seat.name, seat.user_id)


def match_page(
    state: TableState,
    match: MatchRecord | None,
    rounds: Sequence[SeatedRound],
    page: int,
    words: Speaker,
    listed: HistoryQuery = _WHOLE_SERVER,
) -> Page:
    """Return the finished rounds of a match, ten a page, with replays.

    The first page is 0.

    `match` is `None` while it is played. A page number that is too large shows the last page. If
    the names do not fit, losers are left out first, then callers. `listed` is the list to which a
    button leads back.
    """
    say, controls = words.say, Controls(state.id, Revision(0))
    head = "### " + say(
        "Table {table} · {game}", table=state.id, game=words.variant(state.options.variant)
    )
    pages = -(-len(rounds) // ROUNDS_PER_PAGE)
    page = max(min(page, pages - 1), 0)
    shown = rounds[page * ROUNDS_PER_PAGE :][:ROUNDS_PER_PAGE]
    for losers, callers in ((True, True), (False, True), (False, False)):
        about = say("Still being played.")
        if match:
            about = f"{_date(match)} · {_rounds(match, words)}"
            about += "\n" + _outcome(match, words, losers=losers)
        about = f"{head}\n{about}"
        lines = "\n".join(_round(*each, words, callers=callers) for each in shown)
        if length(about) + length(lines) <= MOST_CHARACTERS:
            break
    parts: list[Part] = [text(about)]
    way_back = _CONTROLS.button(Verb.HISTORY, say("Past matches"), write_history_query(listed))
    if not rounds:
        parts.append(text(say("No round has finished yet.")))
        return Page(*parts, row(way_back))
    parts += [line(), text(lines)]
    options = [
        option(
            say("Round {number}", number=say.number(round_.number)),
            str(round_.number),
            description=_plain_scores(round_, words),
        )
        for _, round_ in shown
    ]
    parts.append(controls.select(Verb.REPLAY_ROUND, say("Replay a round"), options))
    buttons = []
    if pages > 1:
        before, after = (write_rounds_query(max(at, 0), listed) for at in (page - 1, page + 1))
        buttons = [
            controls.button(Verb.MATCH, say("Previous"), before, disabled=page == 0),
            controls.button(Verb.MATCH, say("Next"), after, disabled=page == pages - 1),
        ]
    parts.append(row(*buttons, way_back))
    return Page(*parts)


def _plain_scores(round_: RoundRecord, words: Speaker) -> str:
    return " : ".join(words.say.signed(score.score) for score in round_.scores)


def _round(state: TableState, round_: RoundRecord, words: Speaker, *, callers: bool) -> str:
    """Return a round in a line: its scores, its totals, its calls."""
    heading = words.say("Round {number}", number=words.say.number(round_.number))
    said = [f"**{heading}**"]
    if round_.scores:
        said.append(_plain_scores(round_, words))
        said.append(
            "(" + " : ".join(words.say.number(score.total) for score in round_.scores) + ")"
        )
    return " ".join(said) + "".join(
        f" · {call}" for call in _calls(state, round_, words, callers=callers)
    )


def _calls(
    state: TableState, round_: RoundRecord, words: Speaker, *, callers: bool
) -> Iterator[str]:
    """Return each call and whether it was made.

    In a game without points, return the first player out.
    """
    result = json.loads(round_.result)
    for seat, call, made in result.get("calls", ()):
        called = f"{words.call(_CALLS[call])} {'✓' if made else '✗'}"
        yield words.say.labelled(seat_name(state, seat, words), called) if callers else called
    if not round_.scores and result.get("out"):
        yield f"👑 {seat_name(state, result['out'][0], words)}"
