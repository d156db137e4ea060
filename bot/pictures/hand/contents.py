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
from bot.pictures.hand.scene import HandCard, HandScene, SceneHand
from bot.pictures.table.contents import OVER, table_scene
from bot.pictures.table.scene import NAME, Caption, Middle, SceneSeat, TableScene
from bot.table.state import Game
from bot.table.views import Situation
from bot.text.cards import Speaker
from engine import Bomb, Card, CardSet, Phase, Play, Seat, View, card_text

InOrder = Callable[[CardSet], Sequence[Card]]
"""Function that sorts the cards of a hand as the reader chose."""


def hand_scene(state: Game, chair: Seat, words: Speaker, in_order: InOrder) -> HandScene | None:
    """Return the scene of the hands of a chair's player, in the language of `words`.

    It is `None` if no visible hand has cards. It has a table part only while one of the player's
    seats is asked something. Without the table part, the actions of others do not change the
    scene, so a new picture is needed only if the scene has changed.
    """
    seats = state.seats_of_chair(chair)
    situations = {seat: state.situation(seat) for seat in seats}
    visible = dict(
        situations[chair].current.hands
    )  # the Table's hand only after the full deal (T5)
    hands_with_cards = {
        seat: visible[seat] for seat in seats if seat in visible and visible[seat].size
    }
    if not hands_with_cards:
        return None
    asked = {seat for seat in seats if _is_asked(state, seat, situations[seat])}
    if any(situations[seat].upcoming is not situations[seat].current for seat in asked):
        # The player is choosing a pre-move, so show the table as it will be after the window.
        after = state.views.after_window
        state = replace(state, match=after.match, _views=after)
    table = table_scene(state, words) if asked or hands_with_cards.keys() != {chair} else None
    hands = []
    for seat, hand in hands_with_cards.items():
        usable = _usable_cards(situations[seat]) if seat in asked else hand.cards
        cards = _marked_cards(
            in_order(hand.cards), usable, _received_cards(situations[seat].current)
        )
        is_large = seat in asked or not asked & hands_with_cards.keys()
        hands.append(SceneHand(seat=seat, own=seat == chair, cards=cards, acts=is_large))
    if table and (len(hands) > 1 or not hands[0].own):
        scene_seats = {seat.seat: seat for seat in table.seats}
        hands = [
            _with_label(hand, scene_seats[hand.seat], words, table=bool(asked)) for hand in hands
        ]
    return HandScene(
        language=words.say.language,
        hands=tuple(hands),
        table=_table_part(table, chair, seats, state.views.public, words)
        if table and asked
        else None,
    )


def _is_asked(state: Game, seat: Seat, situation: Situation) -> bool:
    """Return whether this seat has something to decide besides a call.

    It may have to answer, to pass cards, to play, to give a trick away or to withdraw. Before its
    turn it may choose the move after the open bomb window, or throw a bomb. A seat that has
    already chosen a pre-move or sealed its cards is not asked again.
    """
    current, upcoming = situation.current, situation.upcoming
    if not state.running or state.away(seat) or current.phase in OVER:
        return False
    if seat in state.kept.premoves or current.submitted is not None:
        return False
    if seat in state.awaited_seats:
        return True
    if state.round.asked or seat in state.kept.auto_pass:
        return False
    may_premove = upcoming.turn == seat and upcoming is not current and bool(upcoming.actions)
    return may_premove or any(isinstance(action, Bomb) for action in current.actions)


# --- the hands ------------------------------------------------------------------------------------


def _marked_cards(
    cards: Sequence[Card], usable: CardSet, received: CardSet
) -> tuple[HandCard, ...]:
    """Return the cards of a hand, marked as unusable or received."""
    return tuple(
        HandCard(
            card=face(card_text(card)),
            quiet=not usable >> card & 1,
            received=bool(received >> card & 1),
        )
        for card in cards
    )


def _with_label(hand: SceneHand, seat: SceneSeat, words: Speaker, *, table: bool) -> SceneHand:
    """Return a hand with a name above it, unless it is below the own plate of the table part."""
    if hand.own and table:
        return hand
    name = Name(words.say("Your hand"), "") if hand.own else seat.name
    return hand.model_copy(update={"name": name, "team": seat.team})


def _usable_cards(situation: Situation) -> CardSet:
    """Return the cards that can be used now; all cards if the choice is not about cards."""
    current, upcoming = situation.current, situation.upcoming
    if current.phase is Phase.EXCHANGE and current.gifts:
        return _union(gift.free | gift.forced for gift in current.gifts)
    if upcoming.phase in (Phase.GRAND, Phase.EXCHANGE, Phase.GIFT) or upcoming.asked_to_withdraw:
        return upcoming.hand.cards
    actions = (*current.actions, *upcoming.actions)
    return _union(action.cards for action in actions if isinstance(action, Bomb | Play))


def _received_cards(current: View) -> CardSet:
    """Return the cards received in the exchange, or none once the seat has played a card."""
    played = current.seat is not None and current.started >> current.seat & 1
    return 0 if played else _union(cards for _, cards in current.received)


def _union(sets: Iterable[CardSet]) -> CardSet:
    """Return all cards of these sets."""
    return reduce(or_, sets, 0)


# --- the table ------------------------------------------------------------------------------------


def _table_part(
    table: TableScene, chair: Seat, seats: Sequence[Seat], view: View, words: Speaker
) -> TableScene:
    """Return the table as seen from a chair, without facts that matter to no choice.

    So the picture does not change when others answer or are away, or when the table is paused.
    """
    own = next(index for index, seat in enumerate(table.seats) if seat.seat == chair)
    order = table.seats[own:] + table.seats[:own]
    return TableScene(
        language=table.language,
        clockwise=table.clockwise,
        heading="",
        seats=tuple(_table_part_seat(seat, chair, seats, words) for seat in order),
        middle=_table_part_middle(table.middle, [seat.seat for seat in order], chair, view, words),
    )


def _table_part_seat(
    seat: SceneSeat, chair: Seat, seats: Sequence[Seat], words: Speaker
) -> SceneSeat:
    """Return a seat of the table part, with the facts that matter to the reader's choice."""
    passed = seat.mark == "passed" and seat.seat not in seats
    return SceneSeat(
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


def _table_part_middle(
    middle: Middle, order: Sequence[Seat], chair: Seat, view: View, words: Speaker
) -> Middle:
    """Return the middle of the table part: the play to beat and its player, points and wish.

    Without a play the caption is the current question, or who leads.
    """
    if view.top is not None:
        player = order.index(view.top_seat)
        caption = Caption(text=f"{NAME} – {words.combination(view.top)}", named=player)
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
