"""An Expert's advice in words, for the player's hand page."""

from __future__ import annotations

from collections.abc import Sequence

from bot.table.state import Game, play_to_beat_id
from bot.text.cards import Speaker
from bot.text.computers import explanation_text
from cogs.pages.hand.exchange_choices import write_gifts
from cogs.pages.hand.play_choices import write_choice
from cogs.pages.names import seat_name
from cogs.pages.verbs import Verb
from engine import (
    MAHJONGS,
    Action,
    AnswerGrand,
    AnswerWithdraw,
    Bomb,
    CallTichu,
    Combination,
    GiveTrick,
    Pass,
    PassCards,
    Play,
    Seat,
    Waive,
    readings,
    with_key_on,
)
from players.levels import Advice

DO_IT_VERBS = frozenset(
    {
        Verb.PASS,
        Verb.PLAY,
        Verb.WISH,
        Verb.DOG,
        Verb.BOMB,
        Verb.TICHU,
        Verb.GRAND_ASK,
        Verb.GRAND,
        Verb.WITHDRAW,
        Verb.GIVE,
        Verb.GIFT,
    }
)
"""Verbs of the buttons that **Do it** can replace."""


def hint_text(state: Game, seat: Seat, advice: Sequence[Advice], words: Speaker) -> str:
    """Return a hint: the Expert's best move and its reason.

    In games with points it contains the second best move, and the difference in points.
    """
    say = words.say
    if not advice:
        return say("💡 No hint for this.")
    best = f"**{action_text(state, seat, advice[0].action, words)}**"
    comparison = ""
    if len(advice) > 1 and state.options.game.scored:
        other = _alternative_text(state, seat, advice[1].action, words)
        difference = round(advice[0].points - advice[1].points)
        comparison = (
            say.many(
                "about {n} point better than {other}",
                "about {n} points better than {other}",
                difference,
                other=other,
            )
            if difference > 0
            else say("about as good as {other}", other=other)
        )
    text = say("💡 Best: {action}", action=best)
    if comparison:
        text += f" ({comparison})"
    explanation = advice[0].explanation
    if explanation is None:
        return text
    # A negative seat means that the explanation is about no player.
    name = seat_name(state, explanation.seat, words) if explanation.seat >= 0 else ""
    return f"{text}\n-# {explanation_text(explanation, name, say)}"


def do_it_args(state: Game, seat: Seat, advice: Sequence[Advice]) -> str:
    """Return the arguments of **Do it**: the verb and arguments of the advised button.

    They are empty if there is no advice, or if it is not to bomb.
    """
    if not advice:
        return ""
    if isinstance(advice[0].action, Waive):
        return ""  # doing nothing waives the bomb
    verb, args = _button_of_action(state, seat, advice[0].action)
    return f"{verb}>{args}"


def _button_of_action(state: Game, seat: Seat, action: Action) -> tuple[Verb, str]:
    """Return the verb and arguments of the hand page's button for this action.

    For a call it is the button that asks for confirmation.
    """
    match action:
        case Play():
            choice = write_choice(action.cards, action.phoenix or ())
            if action.partner is not None:
                return Verb.DOG, str(action.partner)
            if action.cards & MAHJONGS:
                return Verb.WISH, f"{choice}>{action.wish or 'none'}"
            return Verb.PLAY, choice
        case Bomb():
            return Verb.BOMB, f"{play_to_beat_id(state.round)},{action.cards:x}"
        case CallTichu():
            return Verb.TICHU, ""
        case AnswerGrand():
            return (Verb.GRAND_ASK, "") if action.call else (Verb.GRAND, "no")
        case AnswerWithdraw():
            return Verb.WITHDRAW, "yes" if action.withdraw else "no"
        case PassCards():
            gifts_due = state.situation(seat).upcoming.gifts
            return Verb.GIVE, write_gifts(gifts_due, dict(action.gifts))
        case GiveTrick():
            return Verb.GIFT, str(action.receiver)
    return Verb.PASS, ""


def action_text(state: Game, seat: Seat, action: Action, words: Speaker) -> str:
    """Return an action as advice, such as “call Tichu”."""
    say = words.say
    if isinstance(action, Play | Bomb):
        return _play_text(state, seat, action, words)
    if isinstance(action, CallTichu):
        return say("call Tichu")
    if isinstance(action, AnswerGrand):
        return say("call Grand Tichu") if action.call else say("don't call Grand Tichu")
    if isinstance(action, AnswerWithdraw):
        return say("withdraw your call") if action.withdraw else say("let your call stand")
    if isinstance(action, PassCards):
        return say.join(
            say(
                "{cards} to {name}",
                cards=words.cards(cards),
                name=seat_name(state, receiver, words),
            )
            for receiver, cards in action.gifts
        )
    if isinstance(action, GiveTrick):
        # Translators: who gets it: the Dragon’s trick
        return say("give the trick to {name}", name=seat_name(state, action.receiver, words))
    if isinstance(action, Waive):
        return say("don't bomb")
    # Translators: play nothing: what is best
    return say("pass")


def _alternative_text(state: Game, seat: Seat, action: Action, words: Speaker) -> str:
    """Return the second best action in the form that follows “better than”."""
    say = words.say
    # Translators: these follow “about 25 points better than” and “about as good as”. “calling it”:
    # Grand Tichu, of which the sentence speaks already
    match action:
        case AnswerGrand():
            return say("calling it") if action.call else say("not calling it")
        case AnswerWithdraw():
            return say("withdrawing it") if action.withdraw else say("letting it stand")
        case CallTichu():
            return say("calling Tichu")
        case GiveTrick():
            return say("giving it to {name}", name=seat_name(state, action.receiver, words))
        case Waive():
            return say("not bombing")
        case Pass():
            # Translators: playing nothing
            return say("passing")
    return action_text(state, seat, action, words)


def _play_text(state: Game, seat: Seat, action: Play | Bomb, words: Speaker) -> str:
    """Return a play or bomb in pictures and words."""
    say = words.say
    play = combination_played(state, seat, action)
    text = f"{words.combination_cards(play)} {words.combination_within(play)}"
    if isinstance(action, Play) and action.wish is not None:
        text = say("{play} and wish for {rank}", play=text, rank=words.rank(action.wish))
    if isinstance(action, Play) and action.partner is not None:
        # Translators: the Dog, and who gets the lead
        text = say("{play} to {name}", play=text, name=seat_name(state, action.partner, words))
    return text


def combination_played(state: Game, seat: Seat, action: Play | Bomb) -> Combination:
    """Return the combination of a play or bomb on top of the current trick."""
    ranks = (action.phoenix or ()) if isinstance(action, Play) else ()
    combinations = readings(action.cards)
    fitting = next((each for each in combinations if each.phoenix == ranks), combinations[0])
    return with_key_on(fitting, state.situation(seat).upcoming.top)
