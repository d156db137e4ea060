"""What has happened to a hand, in sentences: for the private page of whoever plays it.

Trichu's dealer plays two; what concerns the Table's hand names it.
"""

from __future__ import annotations

from bot.table.state import Game
from bot.text.cards import Speaker
from cogs.pages.names import seat_name
from engine.actions import Action, GiveTrick, Pass, Play
from engine.state import PLAYING, Phase
from engine.view import View


def news(state: Game, seat: int, seen: View, to: Speaker, *, own: bool) -> list[str]:
    """Cards received and given, a pre-move kept or fallen to a bomb, a bomb face down, a pass."""
    say = to.say
    name = seat_name(state, seat, to)
    lines = []
    if seen.received and seen.phase in PLAYING and not seen.past:
        got = ", ".join(
            say("{cards} from {name}", cards=to.cards(cards), name=seat_name(state, giver, to))
            for giver, cards in seen.received
        )
        lines.append(
            say("You received {cards}.", cards=got)
            if own
            else say("{name} received {cards}.", name=name, cards=got)
        )
    if seen.phase is Phase.EXCHANGE and seen.given:
        gave = ", ".join(
            say("{cards} to {name}", cards=to.cards(cards), name=seat_name(state, receiver, to))
            for receiver, cards in seen.given
        )
        lines.append(
            say("You give {cards}.", cards=gave)
            if own
            else say("{name} gives {cards}.", name=name, cards=gave)
        )
    if seat in state.kept.premoves:
        lines.append(_kept(state, state.kept.premoves[seat], seat, to, own=own))
    if seat in state.kept.dropped:
        lines.append(
            say("A bomb fell: your choice was taken back.")
            if own
            else say("A bomb fell: your choice for {name} was taken back.", name=name)
        )
    if seen.submitted is not None:
        icon = to.art.icon("bomb")
        lines.append(
            say("{icon} Your bomb lies face down until the window closes.", icon=icon)
            if own
            else say(
                "{icon} A bomb of {name} lies face down until the window closes.",
                icon=icon,
                name=name,
            )
        )
    if seat in state.kept.auto_pass:
        lines.append(
            say("You pass this trick.") if own else say("{name} passes this trick.", name=name)
        )
    return lines


def _kept(state: Game, action: Action, seat: int, to: Speaker, *, own: bool) -> str:
    """A choice that is kept until the bomb window closes."""
    say, name = to.say, seat_name(state, seat, to)
    if isinstance(action, Pass):
        return (
            say("You pass when the bomb window closes.")
            if own
            else say("{name} passes when the bomb window closes.", name=name)
        )
    if isinstance(action, Play):
        cards = to.cards(action.cards)
        if action.to is not None:
            partner = seat_name(state, action.to, to)
            return say("The Dog goes to {name} when the bomb window closes.", name=partner)
        return (
            say("You play {cards} when the bomb window closes.", cards=cards)
            if own
            else say("{name} plays {cards} when the bomb window closes.", name=name, cards=cards)
        )
    assert isinstance(action, GiveTrick)
    receiver = seat_name(state, action.to, to)
    return say("The trick goes to {name} when the bomb window closes.", name=receiver)
