"""Private replay page of a finished round, position by position, with hidden or open hands.

The ids of its buttons contain the round, the index of the position, and the kind of view.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import discord

from bot.errors import Reason, Refused
from bot.history.replay import Replay
from bot.ids import Revision, UserId
from bot.table.state import Game
from bot.text.cards import Speaker
from cogs.pages.controls import Controls, Page, Part, length, line, option, read_number, row, text
from cogs.pages.history.event_text import last_moves
from cogs.pages.names import seat_name, shared_by
from cogs.pages.table.page import in_turn_order, open_cards, seat_line, totals, trick_text
from cogs.pages.table.score_lines import hierarchy_lines, round_story, scores_table
from cogs.pages.verbs import Verb
from engine import CardSet, NotationError, Round, Seat, View, indices, points_of, sort_key

MOST_CHARACTERS = 3900
"""Largest number of characters in a message (Discord allows 4,000)."""
FORMATS = ("txt", "json", "tch")
"""Formats to save a round in; the last is only for Nanjing."""


@dataclass(frozen=True, slots=True)
class ReplayQuery:
    """A position in a round of a match."""

    number: int
    """The number of the round; 0 is the last one that is over."""
    place: int = 0
    """The index of the position in the round, from 0."""
    opened: bool = False
    """True if all hands are open."""

    def to_args(self, button: str) -> str:
        """Return the query as arguments of a button; `read_replay_query` parses them.

        `button` makes the id unique, because several buttons may lead to the same position.
        """
        return f"{self.number}.{self.place}.{'open' if self.opened else 'public'}.{button}"


def read_replay_query(text: str) -> ReplayQuery:
    """Parse the id of a button; raise `NotationError` for a forged one."""
    parts = text.split(".")
    if len(parts) != 4 or parts[2] not in ("open", "public"):
        raise NotationError("not a position of a round")
    return ReplayQuery(read_number(parts[0]), read_number(parts[1]), parts[2] == "open")


@dataclass(frozen=True, slots=True)
class FileChoice:
    """A file to save: its format, and one round or all."""

    form: str
    whole_match: bool

    def to_args(self) -> str:
        """Return the choice as a value of the select; `read_file_choice` parses it."""
        return f"{self.form}.{'match' if self.whole_match else 'round'}"


def read_file_choice(text: str) -> FileChoice:
    """Parse the chosen value of the select; raise `Refused` for a forged one."""
    form, _, which = text.partition(".")
    if form not in FORMATS or which not in ("round", "match"):
        raise Refused(Reason.UNKNOWN_BUTTON)
    return FileChoice(form, which == "match")


def replay_page(
    replay: Replay, query: ReplayQuery, words: Speaker, by: UserId | None = None
) -> Page:
    """Return the page of one position, with buttons to the others.

    A place that is too large shows the last position. If `by`, the user who shared it, is given,
    the page is public and its only button opens the position for the user who clicks it.
    """
    last_place = len(replay.played_round.positions) - 1
    query = ReplayQuery(query.number, min(query.place, last_place), query.opened)
    for pictures, moves in ((True, 6), (False, 6), (False, 2), (False, 0)):
        blocks = list(_blocks(replay, query, words, pictures=pictures, moves=moves))
        if sum(map(length, blocks)) <= MOST_CHARACTERS:
            break
    items: list[Part] = [text(blocks[0])]
    for block in blocks[1:]:
        items += [line(), text(block)]
    if by is None:
        return Page(*items, *_control_rows(replay, query, words))
    open_button = Controls(replay.table.id, Revision(0)).button(
        Verb.REPLAY, words.say("Open for me"), query.to_args("open")
    )
    return Page(*items, shared_by(by, words), row(open_button))


def _blocks(
    replay: Replay, query: ReplayQuery, words: Speaker, *, pictures: bool, moves: int
) -> Iterator[str]:
    """Yield the blocks of text; without `pictures`, cards are text.

    `moves` is the largest number of recent events to list.
    """
    state, positions = replay.at(query.place), replay.played_round.positions
    view = state.views.public
    yield _head(replay, query, view, words)
    seat_lines = []
    for seat in in_turn_order(view):
        seat_lines.append(
            seat_line(state, view, seat, words) + _points_won(state.round, seat, words)
        )
        hand = state.round.hands[seat].cards
        if query.opened and hand:
            seat_lines.append(words.cards(hand) if pictures else _plain_cards(hand, words))
    yield "\n".join(seat_lines)
    if query.opened:
        if not view.past and any(state.round.opening.received):
            yield "\n".join(_exchange_lines(state, state.round, words))
    else:
        yield from open_cards(state, view, words)
    is_last = query.place == len(positions) - 1
    yield (
        _round_result_text(replay, state, words)
        if is_last
        else trick_text(state, view, words, is_live=False)
    )
    recent = " · ".join(last_moves(state, positions[: query.place + 1], moves, words))
    small_print = filter(None, (recent, _deal_check_text(replay, words)))
    yield "\n".join(f"-# {sentence}" for sentence in small_print)


def _head(replay: Replay, query: ReplayQuery, view: View, words: Speaker) -> str:
    """Return the heading: round, position, trick, view, dealer, game, and totals."""
    say = words.say
    head = say(
        "### Replay · round {round} of table {table}", round=query.number, table=replay.table.id
    )
    is_last = query.place == len(replay.played_round.positions) - 1
    trick_number = len(view.past) + (0 if is_last else 1)
    facts = [
        say(
            "Move {number}/{all}",
            number=say.number(query.place + 1),
            all=say.number(len(replay.played_round.positions)),
        ),
        say("trick {number}", number=say.number(trick_number)),
        say("hands shown") if query.opened else say("hands hidden"),
        say("dealer: {name}", name=seat_name(replay.at(query.place), view.dealer, words)),
        words.variant(replay.table.options.variant),
    ]
    lines = [head, "-# " + " · ".join(facts)]
    if view.totals:
        lines.append(totals(replay.at(query.place), view, words))
    return "\n".join(lines)


def _points_won(round_: Round, seat: Seat, words: Speaker) -> str:
    """Return the text of the card points in the tricks that a seat has won."""
    if not round_.piles[seat]:
        return ""
    points = points_of(round_.piles[seat])
    return " · " + words.say.many("{n} point won", "{n} points won", points)


def _plain_cards(cards: CardSet, words: Speaker) -> str:
    return " ".join(words.plain_card(card) for card in sorted(indices(cards), key=sort_key))


def _exchange_lines(state: Game, round_: Round, words: Speaker) -> Iterator[str]:
    """Yield a line for each giver with the cards passed in the exchange."""
    # Translators: who handed over what in the exchange
    yield words.say("Passed:")
    for giver, gifts in enumerate(round_.opening.given):
        if gifts:
            gift_texts = (
                f"{seat_name(state, seat, words)} {_plain_cards(cards, words)}"
                for seat, cards in gifts
            )
            yield f"-# **{seat_name(state, giver, words)}** → {', '.join(gift_texts)}"


def _round_result_text(replay: Replay, state: Game, words: Speaker) -> str:
    """Return the text of the round's result, or of the new ranks in a game without points."""
    if not state.match.variant.scored:
        return hierarchy_lines(state, words)
    result = replay.played_round.result
    return "\n".join(
        part
        for part in (round_story(state, result, words), scores_table(state, result, words))
        if part
    )


def _deal_check_text(replay: Replay, words: Speaker) -> str:
    """Return the sentence on whether the cards were dealt from the secret."""
    say, proof = words.say, replay.proof
    if proof.deal is None:
        return say("This deal has no secret, so there's nothing to check.")
    if proof.as_dealt:
        return "✅ " + say("Deal verified.")
    return "❌ " + say("This deal doesn't match the secret.")


def _control_rows(replay: Replay, query: ReplayQuery, words: Speaker) -> Iterator[Part]:
    """Yield the rows to move, to change the view, and to share or save."""
    say, controls, played = words.say, Controls(replay.table.id, Revision(0)), replay.played_round
    last_place = len(played.positions) - 1

    def step_button(emoji: str, label: str, button: str, place: int) -> Part:
        """Return the button to another position, disabled if it is already shown."""
        target = ReplayQuery(query.number, place, query.opened).to_args(button)
        is_shown = place == query.place
        return controls.button(Verb.REPLAY, label, target, emoji=emoji, disabled=is_shown)

    yield row(
        step_button("⏮️", say("First"), "first", 0),
        step_button("◀️", say("Previous"), "back", max(query.place - 1, 0)),
        step_button("▶️", say("Next"), "on", min(query.place + 1, last_place)),
        step_button("⏭️", say("Last"), "last", last_place),
    )
    other_view = ReplayQuery(query.number, query.place, not query.opened).to_args("turn")
    yield row(
        step_button("⏪", say("Previous trick"), "trick-back", played.trick_before(query.place)),
        step_button("⏩", say("Next trick"), "trick-on", played.trick_after(query.place)),
        controls.button(
            Verb.REPLAY,
            say("Hide hands") if query.opened else say("Show hands"),
            other_view,
            style=discord.ButtonStyle.primary,
        ),
    )
    yield row(
        controls.button(Verb.MATCH, say("Rounds"), "0"),
        controls.button(Verb.PROOF, say("Fair deal"), str(query.number)),
        controls.button(Verb.SHARE_REPLAY, say("Share"), query.to_args("share"), emoji="📣"),
    )
    names = {
        "txt": (say("Round as text"), say("Match as text")),
        "json": (say("Round as JSON"), say("Match as JSON")),
        "tch": (
            say("Round as BrettspielWelt log"),
            say("Match as BrettspielWelt log"),
        ),
    }
    formats = FORMATS if replay.table.options.game.classic else FORMATS[:-1]
    options = [
        option(label, FileChoice(form, whole_match).to_args())
        for form in formats
        for label, whole_match in zip(names[form], (False, True), strict=True)
    ]
    yield controls.select(Verb.SAVE, say("Save as a file"), options, str(query.number))
