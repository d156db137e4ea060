"""Computes the scenes of a replay from positions of a finished round."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from bot.art.names import face
from bot.pictures.replay.scene import ReplayScene
from bot.pictures.table.contents import table_scene
from bot.pictures.table.scene import Middle, SceneSeat
from bot.table.state import Game
from bot.text.cards import Speaker
from engine import CardSet, Seat, card_text, indices, points_of, sort_key


def replay_scene(
    state: Game, shown_seats: Collection[Seat], heading: Sequence[str], words: Speaker
) -> ReplayScene:
    """Return the scene of a position, in the language of `words`.

    The whole hands of `shown_seats` are open, of other seats only cards that everyone has seen.
    `heading` are the parts of the heading after the number of the round.
    """
    table, round_ = table_scene(state, words), state.round
    hands = tuple(
        _faces(round_.hands[seat.seat].cards) if seat.seat in shown_seats else seat.open_cards
        for seat in table.seats
    )
    seats = tuple(_seat(seat, round_.piles[seat.seat], words) for seat in table.seats)
    round_name = table.heading.split(" · ")[0]
    changes = {
        "seats": seats,
        "heading": " · ".join((round_name, *heading)),
        "middle": _middle(table.middle),
    }
    return ReplayScene(table=table.model_copy(update=changes), hands=hands)


def _faces(cards: CardSet) -> tuple[str, ...]:
    """Return the cards of a hand in notation, sorted."""
    return tuple(face(card_text(card)) for card in sorted(indices(cards), key=sort_key))


def _seat(seat: SceneSeat, pile: CardSet, words: Speaker) -> SceneSeat:
    """Return a seat of a table for a replay: with the points of its `pile` as its only note.

    Open cards, points of the match and titles are left out.
    """
    points = points_of(pile)
    won = (words.say.many("{n} point", "{n} points", points),) if pile and points else ()
    return seat.model_copy(update={"open_cards": (), "notes": won, "score": "", "title": ""})


def _middle(middle: Middle) -> Middle:
    """Return the middle of the table without a pause and notes that its captions repeat."""
    notes = tuple(note for note in middle.notes if note.icon in ("", "wish"))
    return middle.model_copy(update={"notes": notes})
