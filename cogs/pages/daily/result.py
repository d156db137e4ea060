"""The result of a daily deal beside those of everyone, of this server's members and the Expert."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import NamedTuple

import discord

from bot.board_records import Comparison, MemberResult, SoloResult, SoloRound, Streak
from bot.boards.board import Board
from bot.ids import TableId, UserId
from bot.table.state import Game
from bot.text.boards import result_text
from bot.text.cards import Speaker
from cogs.pages.controls import GOLD, Controls, Page, Part, line, row, text
from cogs.pages.daily.lines import comparison_text, expert_line, streak_line
from cogs.pages.names import board_name, listed_place, name_or_mention
from cogs.pages.replay_query import ReplayQuery
from cogs.pages.review_query import ReviewQuery
from cogs.pages.table.score_lines import round_story, scores_table
from cogs.pages.verbs import Verb
from players.boards import VERSION

_MOST_MEMBERS = 10
"""Number of members on the list of a server."""
_CONTROLS = Controls()


class DailyResult(NamedTuple):
    """A finished round of a daily deal, and what it is compared with."""

    board: Board
    """The board."""
    own: SoloRound
    """The reader's round."""
    everyone: Comparison
    """Comparison with all other results."""
    server: Comparison | None
    """Comparison with members of the server; `None` outside of servers."""
    expert: SoloResult | None
    """Result of the Expert in the reader's seat, if it has finished."""
    streak: Streak
    """Days in a row of the reader."""
    ends_at: datetime
    """End of the day of the board."""
    over: bool
    """True if the day is over, so that all hands may be seen."""


def result_page(shown: DailyResult, game: Game, words: Speaker) -> Page:
    """Return the page of a finished round; `game` is its last position."""
    say, own, result = words.say, shown.own, game.match.results[-1]
    assert own.points is not None, "the round is over"
    head = [f"### 🗓️ {board_name(shown.board, words)} · {say.signed(own.points)}"]
    if own.practice:
        head.append(f"-# {_not_counted(shown, words)}")
    return Page(
        text("\n".join((*head, round_story(game, result, words)))),
        text(scores_table(game, result, words)),
        text("\n".join(_comparisons(shown, words))),
        *_buttons(shown, game.id, words),
        accent=GOLD,
    )


def _not_counted(shown: DailyResult, words: Speaker) -> str:
    """Return why a round counts for nobody."""
    say = words.say
    if shown.own.begun_at < shown.ends_at:
        return say("The day ended before your round did, so it doesn't count.")
    return say("This deal was over when you began, so your round counts for nobody.")


def _comparisons(shown: DailyResult, words: Speaker) -> Iterator[str]:
    """Yield the comparisons with everyone, the members and the Expert, then streak and replay."""
    say = words.say
    everyone = comparison_text(shown.everyone, words, over=shown.over)
    yield "🌍 " + say.labelled(f"**{say('Everyone')}**", everyone)
    if shown.server is not None and 0 < shown.server.others < shown.everyone.others:
        server = comparison_text(shown.server, words, over=shown.over)
        yield "🏠 " + say.labelled(f"**{say('This server')}**", server)
    if shown.expert is not None or shown.own.version == VERSION:  # else it plays no more
        yield expert_line(shown.expert, words)
    if shown.streak.days and not shown.own.practice:
        yield streak_line(shown.streak, words)
    if not shown.over:
        opens = discord.utils.format_dt(shown.ends_at, "R")
        # Translators: {time} is such as “in 8 hours”
        yield "-# " + say("The replay with all hands open comes {time}.", time=opens)


def _buttons(shown: DailyResult, table_id: TableId, words: Speaker) -> Iterator[Part]:
    """Yield the rows with **Share**, the review or replay, and ways to other results."""
    say, args = words.say, str(shown.board.number)
    colours = discord.ButtonStyle
    first = []
    if not shown.own.practice:
        share = _CONTROLS.button(Verb.DAILY_SHARE, say("Share"), args, style=colours.primary)
        first.append(share)
    round_controls, number = Controls(table_id), shown.board.round_number
    review = ReviewQuery(number).to_args("result")
    first.append(round_controls.button(Verb.REVIEW, say("Review"), review, emoji="🔎"))
    if shown.over:
        replay = ReplayQuery(number).to_args("result")
        first.append(round_controls.button(Verb.REPLAY, say("Replay"), replay, emoji="🎬"))
    second = [_CONTROLS.button(Verb.DAILY, say("Back"), emoji="↩️")]
    if shown.server is not None:
        second.insert(0, _CONTROLS.button(Verb.DAILY_SERVER, say("This server"), args, emoji="🏠"))
    yield row(*first)
    yield row(*second)


def members_page(
    board: Board, members: Sequence[MemberResult], reader: UserId, words: Speaker
) -> Page:
    """Return the best results of a server's members, and the reader's own; the best come first."""
    say = words.say
    points = [each.points for each in members]
    shown = [
        _member(points.index(each.points) + 1, each, reader, words)
        for place, each in enumerate(members)
        if place < _MOST_MEMBERS or each.user_id == reader
    ]
    if not shown:
        shown = [say("Nobody here has finished it yet.")]
    elif len(shown) < len(members):
        left_out = len(members) - len(shown)
        shown.append("-# " + say.many("and {n} more", "and {n} more", left_out))
    back = _CONTROLS.button(Verb.DAILY_RESULT, say("Back"), str(board.number))
    return Page(
        text(f"### 🗓️ {board_name(board, words)} · {say('This server')}"),
        text("\n".join(shown)),
        line(),
        row(back),
        accent=GOLD,
    )


def _member(place: int, member: MemberResult, reader: UserId, words: Speaker) -> str:
    """Return the line of a member; the reader's own is marked."""
    mark = f"{words.art.icon('turn')} " if member.user_id == reader else ""
    name = name_or_mention(member.name, member.user_id)
    return f"{mark}{listed_place(place, words)} **{name}** · {result_text(member, words)}"
