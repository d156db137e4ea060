"""An Expert's advice in words, for the private hand of whoever asked for it."""

from __future__ import annotations

from bot.computers.worker_pool import Thought
from bot.table.state import Game
from bot.text.cards import Speaker
from cogs.pages.names import seat_name
from engine.actions import (
    Action,
    AnswerGrand,
    AnswerWithdraw,
    Bomb,
    CallTichu,
    GiveTrick,
    PassCards,
    Play,
)
from engine.combinations import Combination, on_top, readings

MOST_SHOWN = 3


def hint(state: Game, seat: int, advice: Thought, to: Speaker) -> str:
    """What an Expert would do and the next best, with the points that his team can expect."""
    say = to.say
    if not advice:
        return say("💡 For this an Expert has no hint.")
    scored = state.options.game.scored
    lines = [say("💡 **What an Expert would do, the best first:**")]
    for number, (action, points) in enumerate(advice[:MOST_SHOWN], 1):
        what = _words(state, seat, action, to)
        if scored:
            what += f": **{say.signed(round(points))}**"
        lines.append(f"{number}. {what}")
    if scored:
        lines.append(say("-# The numbers are the points your team can expect in this round."))
    return "\n".join(lines)


def _words(state: Game, seat: int, action: Action, to: Speaker) -> str:
    """An action as somebody would say it who gives advice."""
    say = to.say
    if isinstance(action, Play | Bomb):
        return _play(state, seat, action, to)
    if isinstance(action, CallTichu):
        return say("Call Tichu")
    if isinstance(action, AnswerGrand):
        return say("Call Grand Tichu") if action.call else say("Do not call Grand Tichu")
    if isinstance(action, AnswerWithdraw):
        return say("Withdraw your call") if action.withdraw else say("Let your call stand")
    if isinstance(action, PassCards):
        return ", ".join(
            say("{cards} to {name}", cards=to.cards(cards), name=seat_name(state, receiver, to))
            for receiver, cards in action.gifts
        )
    if isinstance(action, GiveTrick):
        return say("The trick to {name}", name=seat_name(state, action.to, to))
    return say("Pass")


def _play(state: Game, seat: int, action: Play | Bomb, to: Speaker) -> str:
    say = to.say
    play = _reading(state, seat, action)
    text = f"{to.laid(play)} {to.combination(play)}"
    if isinstance(action, Play) and action.wish is not None:
        text = say("{play} and wish for {rank}", play=text, rank=to.rank(action.wish))
    if isinstance(action, Play) and action.to is not None:
        text = say("{play} to {name}", play=text, name=seat_name(state, action.to, to))
    return text


def _reading(state: Game, seat: int, action: Play | Bomb) -> Combination:
    """What the cards are played as."""
    ranks = (action.phoenix or ()) if isinstance(action, Play) else ()
    found = readings(action.cards)
    fitting = next((reading for reading in found if reading.phoenix == ranks), found[0])
    return on_top(fitting, state.situation(seat).live.top)
