"""Computes the scenes of a replay from positions of a finished round."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from bot.art.names import face
from bot.pictures.hand.contents import InOrder
from bot.pictures.replay.scene import ReplayScene
from bot.pictures.table.contents import table_scene
from bot.pictures.table.scene import Middle, SceneSeat
from bot.table.moments import laid_plays
from bot.table.state import Game
from bot.text.cards import Speaker, cards_in_play_order
from engine import Card, CardSet, Round, Seat, card_text, points_of


def replay_scene(
    state: Game,
    shown_seats: Collection[Seat],
    heading: Sequence[str],
    words: Speaker,
    in_order: InOrder,
) -> ReplayScene:
    """Return the scene of a position, in the language of `words`.

    The whole hands of `shown_seats` are open, of other seats only cards that everyone has seen.
    `heading` are the parts of the heading after the number of the round. `in_order` sorts a hand.
    """
    table, round_ = table_scene(state, words), state.round
    hands = tuple(
        tuple(map(_face, in_order(round_.hands[seat.seat].cards)))
        if seat.seat in shown_seats
        else seat.open_cards
        for seat in table.seats
    )
    seats = tuple(_seat(seat, round_.piles[seat.seat], words) for seat in table.seats)
    round_name = table.heading.split(" · ")[0]
    changes = {
        "seats": seats,
        "heading": " · ".join((round_name, *heading)),
        "middle": _middle(table.middle, round_),
    }
    return ReplayScene(table=table.model_copy(update=changes), hands=hands)


def _face(card: Card) -> str:
    return face(card_text(card))


def _seat(seat: SceneSeat, pile: CardSet, words: Speaker) -> SceneSeat:
    """Return a seat of a table for a replay: with the points of its `pile` as its only note.

    Open cards, points of the match and titles are left out.
    """
    points = points_of(pile)
    won = (words.say.many("{n} point", "{n} points", points),) if pile and points else ()
    return seat.model_copy(update={"open_cards": (), "notes": won, "score": "", "title": ""})


def _middle(middle: Middle, round_: Round) -> Middle:
    """Return the middle of the table without a pause and notes that its captions repeat.

    After the round, it has the cards of the last play in place of the caption that it is over.
    """
    notes = tuple(note for note in middle.notes if note.icon in ("", "wish"))
    changes: dict[str, object] = {"notes": notes}
    if middle.scores:
        *_, last = laid_plays(round_)
        changes["captions"] = middle.captions[1:]
        changes["cards"] = tuple(map(_face, cards_in_play_order(last.combination)))
    return middle.model_copy(update=changes)
