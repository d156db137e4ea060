"""The advice of an Expert in words, for the hand page of whoever has asked for a hint."""

from __future__ import annotations

from collections.abc import Sequence

from bot.table.state import Game
from bot.text.cards import Speaker
from cogs.pages.names import seat_name
from engine import (
    Action,
    AnswerGrand,
    AnswerWithdraw,
    Bomb,
    CallTichu,
    Combination,
    GiveTrick,
    PassCards,
    Play,
    Seat,
    on_top,
    readings,
)
from players.levels import Advice

MOST_SHOWN = 3
"""The number of actions that a hint shows."""


def hint(state: Game, seat: Seat, advice: Sequence[Advice], words: Speaker) -> str:
    """What an Expert would do and what is next best.

    In games with points each comes with the points that the team can expect from it.
    """
    say = words.say
    if not advice:
        return say("💡 For this an Expert has no hint.")
    scored = state.options.game.scored
    lines = [say("💡 **What an Expert would do, the best first:**")]
    for number, (action, points) in enumerate(advice[:MOST_SHOWN], 1):
        proposal = _action(state, seat, action, words)
        if scored:
            proposal += f": **{say.signed(round(points))}**"
        lines.append(f"{number}. {proposal}")
    if scored:
        lines.append(say("-# The numbers are the points your team can expect in this round."))
    return "\n".join(lines)


def _action(state: Game, seat: Seat, action: Action, words: Speaker) -> str:
    """An action in words, in the form of an advice."""
    say = words.say
    if isinstance(action, Play | Bomb):
        return _play(state, seat, action, words)
    if isinstance(action, CallTichu):
        return say("Call Tichu")
    if isinstance(action, AnswerGrand):
        return say("Call Grand Tichu") if action.call else say("Do not call Grand Tichu")
    if isinstance(action, AnswerWithdraw):
        return say("Withdraw your call") if action.withdraw else say("Let your call stand")
    if isinstance(action, PassCards):
        return ", ".join(
            say(
                "{cards} to {name}",
                cards=words.cards(cards),
                name=seat_name(state, receiver, words),
            )
            for receiver, cards in action.gifts
        )
    if isinstance(action, GiveTrick):
        return say("The trick to {name}", name=seat_name(state, action.receiver, words))
    return say("Pass")


def _play(state: Game, seat: Seat, action: Play | Bomb, words: Speaker) -> str:
    """A play or bomb in pictures and words."""
    say = words.say
    play = _reading(state, seat, action)
    text = f"{words.laid(play)} {words.combination(play)}"
    if isinstance(action, Play) and action.wish is not None:
        text = say("{play} and wish for {rank}", play=text, rank=words.rank(action.wish))
    if isinstance(action, Play) and action.partner is not None:
        text = say("{play} to {name}", play=text, name=seat_name(state, action.partner, words))
    return text


def _reading(state: Game, seat: Seat, action: Play | Bomb) -> Combination:
    """The combination that a play or bomb is, on what lies on the table now."""
    ranks = (action.phoenix or ()) if isinstance(action, Play) else ()
    combinations = readings(action.cards)
    fitting = next((each for each in combinations if each.phoenix == ranks), combinations[0])
    return on_top(fitting, state.situation(seat).live.top)
