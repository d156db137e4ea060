"""Sentences about recent events of a hand, for the private page of its player.

Trichu's dealer plays two hands. Sentences about the Table's hand use its name, and those about the
dealer's own hand (`own`) say "you".
"""

from __future__ import annotations

from bot.table.state import Game
from bot.text.cards import Speaker
from cogs.pages.names import seat_name
from engine import PLAY_PHASES, Action, Gifts, GiveTrick, Pass, Phase, Play, Seat, View


def hand_news(state: Game, seat: Seat, view: View, words: Speaker, *, own: bool) -> list[str]:
    """Return the sentences about a hand: first the exchange, then choices that are kept."""
    return [
        *_exchange_news(state, seat, view, words, own=own),
        *_choice_news(state, seat, view, words, own=own),
    ]


def passes_trick(state: Game, seat: Seat) -> bool:
    """Return whether the seat passes for the rest of a trick that is not won yet."""
    return seat in state.kept.auto_pass and state.phase is not Phase.CLOSING


def received_to_show(view: View) -> Gifts:
    """Return the received cards to show, by giver; only until the seat has played a card."""
    has_played = view.seat is not None and view.started >> view.seat & 1
    return view.received if view.phase in PLAY_PHASES and not has_played else ()


def _exchange_news(state: Game, seat: Seat, view: View, words: Speaker, *, own: bool) -> list[str]:
    """Return the cards that a hand received, and those it gives.

    Received cards are shown until the hand's first play.
    """
    say, name = words.say, seat_name(state, seat, words)
    lines = []
    if got := received_to_show(view):
        cards_of = say.join(
            say(
                "{cards} from {name}", cards=words.cards(cards), name=seat_name(state, giver, words)
            )
            for giver, cards in got
        )
        lines.append(
            say("You received {cards}.", cards=cards_of)
            if own
            else say("{name} received {cards}.", name=name, cards=cards_of)
        )
    if view.phase is Phase.EXCHANGE and view.given:
        gave = say.join(
            say(
                "{cards} to {name}",
                cards=words.cards(cards),
                name=seat_name(state, receiver, words),
            )
            for receiver, cards in view.given
        )
        lines.append(
            say("You pass {cards}.", cards=gave)
            if own
            else say("{name} passes {cards}.", name=name, cards=gave)
        )
    return lines


def _choice_news(state: Game, seat: Seat, view: View, words: Speaker, *, own: bool) -> list[str]:
    """Return lines about kept moves, a face-down bomb, or passing."""
    say, name = words.say, seat_name(state, seat, words)
    lines = []
    if seat in state.kept.premoves:
        lines.append(_kept(state, state.kept.premoves[seat], words))
    if seat in state.kept.dropped:
        lines.append(
            say("A bomb fell – your choice was taken back.")
            if own
            else say("A bomb fell – your choice for {name} was taken back.", name=name)
        )
    if view.submitted is not None:
        icon = words.art.icon("bomb")
        lines.append(
            say("{icon} Your bomb is face down until the window closes.", icon=icon)
            if own
            else say(
                "{icon} {name}'s bomb is face down until the window closes.",
                icon=icon,
                name=name,
            )
        )
    if passes_trick(state, seat):
        lines.append(
            say("You pass this trick.") if own else say("{name} passes this trick.", name=name)
        )
    return lines


def _kept(state: Game, action: Action, words: Speaker) -> str:
    """Return the sentence about a move kept until the window closes."""
    say = words.say
    if isinstance(action, Pass):
        return say("You'll pass in a moment (unless a bomb falls).")
    if isinstance(action, GiveTrick):
        receiver = seat_name(state, action.receiver, words)
        return say("The trick goes to {name} in a moment (unless a bomb falls).", name=receiver)
    assert isinstance(action, Play)
    if action.partner is not None:
        partner = seat_name(state, action.partner, words)
        return say("The Dog goes to {name} in a moment (unless a bomb falls).", name=partner)
    cards = words.cards(action.cards)
    return say("You'll play {cards} in a moment (unless a bomb falls).", cards=cards)
