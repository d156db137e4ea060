"""Clicks that ask something of a table, as a table from verb to command.

Each entry reads a click into a command of `bot.table.commands`; nothing is checked or changed here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from bot.table.commands import (
    Act,
    AddComputer,
    Command,
    HoldWindow,
    Join,
    Leave,
    PassTrick,
    RemoveComputer,
    TakeBack,
    ThrowBomb,
)
from bot.table.state import Game
from cogs.pages.controls import Click, number
from cogs.pages.hand_choices import read_gifts
from cogs.pages.play_choices import read_choice
from cogs.pages.verbs import Verb
from engine import (
    DOGS,
    Action,
    AnswerGrand,
    AnswerWithdraw,
    CallTichu,
    GiveTrick,
    Pass,
    PassCards,
    Play,
)


class HandClick(NamedTuple):
    """A click on somebody's hand."""

    click: Click
    game: Game
    """The game as it is now."""
    seat: int
    """The seat that the click is for."""


# --- a lobby: click and the name for a computer player -> command ------------------------------

LOBBY: Mapping[str, Callable[[Click, str], Command]] = {
    Verb.JOIN: lambda click, computer: Join(click.interaction.user.display_name),
    Verb.LEAVE: lambda click, computer: Leave(),
    Verb.ADD_COMPUTER: lambda click, computer: AddComputer(computer),
    Verb.REMOVE_COMPUTER: lambda click, computer: RemoveComputer(),
}


# --- a hand: click -> command -------------------------------------------------------------------


def _act(read: Callable[[HandClick], Action]) -> Callable[[HandClick], Command]:
    """An action that depends on what lies on the table when the button was made."""
    return lambda hand: Act(read(hand), hand.click.revision)


def _give(hand: HandClick) -> Action:
    due = hand.game.situation(hand.seat).now.gifts
    return PassCards(hand.seat, tuple(sorted(read_gifts(due, hand.click.args).items())))


def _wish(hand: HandClick) -> Action:
    """A play with the Mah Jong, and the rank that is wished for."""
    cards, phoenix = read_choice(hand.click.args)
    rank = hand.click.values[0] if hand.click.values else "none"
    return Play(hand.seat, cards, phoenix or None, None if rank == "none" else number(rank))


def _dog(hand: HandClick) -> Action:
    """The Dog, and the partner who gets the lead."""
    held = hand.game.situation(hand.seat).now.hand.cards & DOGS
    return Play(hand.seat, held, partner=number(hand.click.args))


def _bomb(hand: HandClick) -> Command:
    """A bomb on one play, whoever has passed since."""
    target, _, only = hand.click.args.partition(",")
    cards, _ = read_choice(hand.click.values[0] if hand.click.values else only)
    return ThrowBomb(hand.seat, cards, target)


def _pass_trick(hand: HandClick) -> Command:
    """Passing in one trick, whatever has been played in it since."""
    switch, _, trick = hand.click.args.partition(".")
    return PassTrick(hand.seat, switch == "on", trick)


HAND: Mapping[str, Callable[[HandClick], Command]] = {
    Verb.GRAND: _act(lambda hand: AnswerGrand(hand.seat, hand.click.args == "yes")),
    Verb.WITHDRAW: _act(lambda hand: AnswerWithdraw(hand.seat, hand.click.args == "yes")),
    Verb.GIVE: _act(_give),
    Verb.WISH: _act(_wish),
    Verb.DOG: _act(_dog),
    Verb.PASS: _act(lambda hand: Pass(hand.seat)),
    Verb.GIFT: _act(lambda hand: GiveTrick(hand.seat, number(hand.click.args))),
    # A call does not depend on what lies on the table: any revision will do.
    Verb.TICHU_YES: lambda hand: Act(CallTichu(hand.seat)),
    Verb.AUTO_PASS: _pass_trick,
    Verb.TAKE_BACK: lambda hand: TakeBack(hand.seat, hand.click.revision),
    Verb.WAIT: lambda hand: HoldWindow(number(hand.click.args)),
    Verb.BOMB: _bomb,
}


AT_ANY_REVISION = frozenset({Verb.TICHU_YES, Verb.AUTO_PASS, Verb.WAIT, Verb.BOMB})
"""The verbs of a hand that do not depend on the revision their button was made for."""
