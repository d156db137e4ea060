"""Page of a decision that could have been better, as its player saw it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import discord

from bot.pictures.replay.scene import ReplayScene
from bot.table.state import Game
from bot.text.cards import Speaker
from bot.text.computers import explanation_text
from cogs.pages.controls import GOLD, Page, Part, gallery, line, row, text
from cogs.pages.history.replay import REPLAY_FILE, position_picture, seat_lines
from cogs.pages.history.review import (
    OpenReview,
    choice_text,
    cost_text,
    fairness,
    moment_text,
    place_of,
)
from cogs.pages.names import board_name, seat_name
from cogs.pages.replay_query import ReplayQuery
from cogs.pages.table.page import open_cards, trick_text
from cogs.pages.verbs import Verb
from players.coach.review import Judged, Review


def mark_page(
    opened: OpenReview, review: Review, index: int, words: Speaker, alt: str | None = None
) -> Page:
    """Return the mark with this index: the position, both choices, the cost, and why.

    Only the hands of the person that the review is for are open. `alt` is the alternative text of
    the picture; with it `REPLAY_FILE` must be attached.
    """
    mark, state = review.marks[index], mark_state(opened, review, index)
    parts: list[Part] = [text(_head(opened, review, index, words))]
    if alt is not None:
        parts.append(gallery(REPLAY_FILE, alt))
    else:
        seats, public = state.seats_of_chair(opened.seat), state.views.public
        trick = trick_text(state, public, words, played=False)
        parts += [line(), text(seat_lines(state, seats, words))]
        parts += map(text, open_cards(state, public, words))
        parts += [line(), text(trick)] if trick.strip() else []
    parts += [line(), text("\n".join(_judgement(opened, mark, state, words)))]
    parts += [text(fairness(words, costs=True)), *_controls(opened, review, index, words)]
    return Page(*parts, accent=GOLD)


def mark_state(opened: OpenReview, review: Review, index: int) -> Game:
    """Return the position before the decision of a mark."""
    return opened.replay.at(place_of(opened.replay, review.marks[index]))


def mark_picture(opened: OpenReview, review: Review, index: int, words: Speaker) -> ReplayScene:
    """Return the scene of the position, with the hands that the person could see."""
    state, moment = mark_state(opened, review, index), review.marks[index]
    heading = (moment_text(opened.replay, moment, words),)
    return position_picture(state, state.seats_of_chair(opened.seat), heading, words)


def _head(opened: OpenReview, review: Review, index: int, words: Speaker) -> str:
    """Return when the decision was made, and its number."""
    say, played = words.say, opened.replay.played_round
    board, number = opened.replay.board, say.number(played.number)
    small = (
        say("Round {number}", number=number) if board is None else board_name(board, words),
        seat_name(opened.replay.table, opened.seat, words),
        f"{say.number(index + 1)}/{say.number(len(review.marks))}",
    )
    return f"### {moment_text(opened.replay, review.marks[index], words)}\n-# {' · '.join(small)}"


def _judgement(opened: OpenReview, mark: Judged, state: Game, words: Speaker) -> Iterator[str]:
    """Yield what was done, what would have been better, the difference, and why."""
    say, own = words.say, choice_text(opened, mark, mark.own, words)
    if opened.own:
        yield say("Your choice: {action}", action=own)
    else:
        yield say.labelled(seat_name(state, opened.seat, words), own)
    better = choice_text(opened, mark, mark.better, words)
    yield "✅ " + say("Better: {action}", action=f"**{better}**")
    yield say("The difference: {cost}", cost=f"**{cost_text(mark, words)}**")
    if mark.explanation is not None:
        # A negative seat means that the explanation is about no player.
        seat = mark.explanation.seat
        name = seat_name(state, seat, words) if seat >= 0 else ""
        yield "💡 " + explanation_text(mark.explanation, name, say)


def _controls(opened: OpenReview, review: Review, index: int, words: Speaker) -> Iterator[Part]:
    """Yield the buttons to other marks, the review, another try, and the replay."""
    say, controls, query = words.say, opened.controls, opened.query
    place = place_of(opened.replay, review.marks[index])
    shown = ReplayQuery(query.number, place, by_trick=False)

    def go(emoji: str, label: str, name: str, to: int) -> Iterator[Part]:
        if len(review.marks) > 1:
            exists = 0 <= to < len(review.marks)
            args = replace(query, mark=max(0, to)).to_args(name)
            yield controls.button(Verb.REVIEW_MARK, label, args, emoji=emoji, disabled=not exists)

    again = replace(query, mark=index).to_args("again")
    yield row(
        controls.button(
            Verb.TRY_AGAIN,
            say("Try again"),
            again,
            emoji="🔁",
            style=discord.ButtonStyle.success,
        ),
        *go("◀️", say("Previous"), "back", index - 1),
        *go("▶️", say("Next"), "on", index + 1),
    )
    yield row(
        controls.button(Verb.REVIEW, say("Back to the review"), query.to_args("up"), emoji="↩️"),
        controls.button(Verb.REPLAY, say("Open in the replay"), shown.to_args("mark"), emoji="🎬"),
    )
