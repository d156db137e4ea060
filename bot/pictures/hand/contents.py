"""Computes the scene of a hand from the views of its seats.

The table part is made from the view of a spectator. So neither part can show a hidden card.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import reduce
from operator import or_

from bot.art.names import face
from bot.pictures.descriptions import Name
from bot.pictures.hand.scene import HandCard, HandScene, HandShown
from bot.pictures.table.contents import OVER, table_scene
from bot.pictures.table.scene import NAME, Caption, Middle, SeatShown, TableScene
from bot.table.state import Game
from bot.table.views import Situation
from bot.text.cards import Speaker
from engine import Bomb, Card, CardSet, Hand, Phase, Play, Seat, View, card_text

InOrder = Callable[[CardSet], Sequence[Card]]
"""Function that sorts the cards of a hand as the reader chose."""


def hand_scene(state: Game, chair: Seat, words: Speaker, in_order: InOrder) -> HandScene | None:
    """Return the scene of the hands of a chair's player, in the language of `words`.

    It has the table part exactly while the player `is_asked`. There is no scene if no visible hand
    has cards.
    """
    seats = state.seats_of_chair(chair)
    situations = {seat: state.situation(seat) for seat in seats}
    visible = dict(situations[chair].now.hands)  # the Table's hand only after the full deal (T5)
    shown = {seat: visible[seat] for seat in seats if seat in visible and visible[seat].size}
    if not shown:
        return None
    asked = {seat for seat in seats if _asked(state, seat, situations[seat])}
    everybody = table_scene(state, words)
    names = {seat.seat: seat for seat in everybody.seats}
    return HandScene(
        language=words.say.language,
        hands=tuple(
            _hand(
                names[seat],
                hand,
                situations[seat],
                in_order,
                own=seat == chair,
                name=_label(
                    names[seat], words, own=seat == chair, alone=len(shown) == 1, table=bool(asked)
                ),
                asked=seat in asked,
                acts=seat in asked or not asked & shown.keys(),
            )
            for seat, hand in shown.items()
        ),
        table=_from_seat(everybody, chair, seats, state.views.public, words) if asked else None,
    )


def is_asked(state: Game, chair: Seat) -> bool:
    """Return whether this chair's player is asked something, for any of their seats."""
    return any(
        _asked(state, seat, state.situation(seat)) for seat in state.seats_of_chair(chair)
    )


def _asked(state: Game, seat: Seat, situation: Situation) -> bool:
    """Return whether this seat has something to decide besides a call.

    That is an answer, cards to pass, a play, a gift or a withdrawal that the table waits for, the
    move after the open bomb window, or a bomb. A kept or sealed choice is made already.
    """
    now, live = situation.now, situation.live
    if not state.running or state.away(seat) or now.phase in OVER:
        return False
    if seat in state.kept.premoves or now.submitted is not None:
        return False
    if seat in state.awaited_seats:
        return True
    if state.round.asked or seat in state.kept.auto_pass:
        return False
    moves = live.turn == seat and live is not now and bool(live.actions)
    return moves or any(isinstance(action, Bomb) for action in now.actions)


# --- the hands ------------------------------------------------------------------------------------


def _hand(
    public: SeatShown,
    hand: Hand,
    situation: Situation,
    in_order: InOrder,
    *,
    own: bool,
    name: Name | None,
    asked: bool,
    acts: bool,
) -> HandShown:
    """Return one hand; `public` is its seat at the table."""
    usable = _usable(situation) if asked else hand.cards
    received = _received(situation.now)
    return HandShown(
        seat=public.seat,
        own=own,
        name=name,
        team=public.team if name else None,
        cards=tuple(
            HandCard(
                card=face(card_text(card)),
                quiet=not usable >> card & 1,
                received=bool(received >> card & 1),
            )
            for card in in_order(hand.cards)
        ),
        acts=acts,
    )


def _label(
    public: SeatShown, words: Speaker, *, own: bool, alone: bool, table: bool
) -> Name | None:
    """Return the name above a hand: none for the own one if it is alone or below the own plate."""
    if not own:
        return public.name
    return None if alone or table else Name(words.say("Your hand"), "")


def _usable(situation: Situation) -> CardSet:
    """Return the cards that are part of a legal play, bomb or exchange; else all cards."""
    now, live = situation.now, situation.live
    if now.phase is Phase.EXCHANGE and now.gifts:
        return _union(gift.free | gift.forced for gift in now.gifts)
    if live.phase in (Phase.GRAND, Phase.EXCHANGE, Phase.GIFT) or live.asked_to_withdraw:
        return live.hand.cards
    actions = (*now.actions, *live.actions)
    return _union(action.cards for action in actions if isinstance(action, Bomb | Play))


def _received(now: View) -> CardSet:
    """Return the cards from the exchange, until the seat has played a card."""
    played = now.seat is not None and now.started >> now.seat & 1
    return 0 if played else _union(cards for _, cards in now.received)


def _union(sets: Iterable[CardSet]) -> CardSet:
    """Return all cards of these sets."""
    return reduce(or_, sets, 0)


# --- the table ------------------------------------------------------------------------------------


def _from_seat(
    table: TableScene, chair: Seat, seats: Sequence[Seat], view: View, words: Speaker
) -> TableScene:
    """Return the table as seen from a chair, without facts that matter to no choice.

    So answers of others, absences and pauses do not change the picture.
    """
    own = next(n for n, seat in enumerate(table.seats) if seat.seat == chair)
    order = table.seats[own:] + table.seats[:own]
    return TableScene(
        language=table.language,
        clockwise=table.clockwise,
        heading="",
        seats=tuple(_seat(seat, chair, seats, words) for seat in order),
        middle=_middle(table.middle, [seat.seat for seat in order], chair, view, words),
    )


def _seat(seat: SeatShown, chair: Seat, seats: Sequence[Seat], words: Speaker) -> SeatShown:
    """Return a seat with its cards, its call, and whether it is on turn or has passed."""
    return SeatShown(
        seat=seat.seat,
        name=seat.name,
        team=seat.team,
        cards=seat.cards,
        open_cards=() if seat.seat in seats else seat.open_cards,
        call=seat.call,
        place=seat.place,
        mark=seat.mark if seat.mark in ("turn", "passed") else "",
        word=seat.word,
        notes=(words.say("you"),) if seat.seat == chair else (),
    )


def _middle(
    middle: Middle, order: Sequence[Seat], chair: Seat, view: View, words: Speaker
) -> Middle:
    """Return the play to beat and its player, points and wish; without a play the question."""
    if view.top is not None:
        by = order.index(view.top_seat)
        caption = Caption(text=words.by(view.top, NAME), named=by)
    elif middle.captions[0].named is None:
        caption = middle.captions[0]
    elif view.turn == chair:
        caption = Caption(text=words.say("You lead"))
    else:
        caption = middle.captions[0].model_copy(update={"named": order.index(view.turn)})
    return Middle(
        cards=middle.cards,
        captions=(caption,),
        notes=tuple(note for note in middle.notes if note.icon in ("", "wish")),
    )
