"""Computes the scene of a hand from the views of its seats.

The table part is made from the view of a spectator. So neither part can show a hidden card.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
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
from engine import Bomb, Card, CardSet, Phase, Play, Seat, View, card_text

InOrder = Callable[[CardSet], Sequence[Card]]
"""Function that sorts the cards of a hand as the reader chose."""


def hand_scene(state: Game, chair: Seat, words: Speaker, in_order: InOrder) -> HandScene | None:
    """Return the scene of the hands of a chair's player, in the language of `words`.

    It has the table part exactly while one of their seats is asked something. There is no scene if
    no visible hand has cards. Draw a new picture if and only if the scene has changed: without the
    table part, nothing that others do changes it.
    """
    seats = state.seats_of_chair(chair)
    situations = {seat: state.situation(seat) for seat in seats}
    visible = dict(situations[chair].now.hands)  # the Table's hand only after the full deal (T5)
    shown = {seat: visible[seat] for seat in seats if seat in visible and visible[seat].size}
    if not shown:
        return None
    asked = {seat for seat in seats if _asked(state, seat, situations[seat])}
    if any(situations[seat].live is not situations[seat].now for seat in asked):
        # The player already chooses their move for the moment after the open bomb window.
        after = state.views.after_window
        state = replace(state, match=after.match, _views=after)
    table = table_scene(state, words) if asked or shown.keys() != {chair} else None
    hands = []
    for seat, hand in shown.items():
        usable = _usable(situations[seat]) if seat in asked else hand.cards
        cards = _cards(in_order(hand.cards), usable, _received(situations[seat].now))
        acts = seat in asked or not asked & shown.keys()
        hands.append(HandShown(seat=seat, own=seat == chair, cards=cards, acts=acts))
    if table and (len(hands) > 1 or not hands[0].own):
        named = {seat.seat: seat for seat in table.seats}
        hands = [_labelled(hand, named[hand.seat], words, table=bool(asked)) for hand in hands]
    return HandScene(
        language=words.say.language,
        hands=tuple(hands),
        table=_from_seat(table, chair, seats, state.views.public, words)
        if table and asked
        else None,
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


def _cards(cards: Sequence[Card], usable: CardSet, received: CardSet) -> tuple[HandCard, ...]:
    """Return the cards of a hand with their marks."""
    return tuple(
        HandCard(
            card=face(card_text(card)),
            quiet=not usable >> card & 1,
            received=bool(received >> card & 1),
        )
        for card in cards
    )


def _labelled(hand: HandShown, seat: SeatShown, words: Speaker, *, table: bool) -> HandShown:
    """Return a hand with a name above it; above the own one the plate of the table is enough."""
    if hand.own and table:
        return hand
    name = Name(words.say("Your hand"), "") if hand.own else seat.name
    return hand.model_copy(update={"name": name, "team": seat.team})


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
    passed = seat.mark == "passed" and seat.seat not in seats
    return SeatShown(
        seat=seat.seat,
        name=seat.name,
        team=seat.team,
        cards=seat.cards,
        open_cards=() if seat.seat in seats else seat.open_cards,
        call=seat.call,
        place=seat.place,
        mark=seat.mark if passed or seat.mark == "turn" else "",
        word=seat.word if passed else "",
        notes=(words.say("you"),) if seat.seat == chair else (),
    )


def _middle(
    middle: Middle, order: Sequence[Seat], chair: Seat, view: View, words: Speaker
) -> Middle:
    """Return the play to beat and its player, points and wish; without a play the question."""
    if view.top is not None:
        by = order.index(view.top_seat)
        caption = Caption(text=f"{NAME} – {words.combination(view.top)}", named=by)
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
