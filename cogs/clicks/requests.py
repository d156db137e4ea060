"""What each button and select asks of its table, and how it is answered: `REQUESTS`.

A request reads a click into a command of `bot.table.commands`. From where it is pressed is known by
then (`cogs.clicks.rights`); who sits there, and what is stale, is decided by the command.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from bot.errors import Reason, Refused
from bot.table.commands import (
    AcceptSeat,
    Act,
    AddComputer,
    ChangeOption,
    ComeBack,
    Command,
    DeclineSeat,
    Fill,
    GiveCards,
    GoOn,
    HoldWindow,
    Join,
    KeepSeat,
    LeadDog,
    Leave,
    LeaveToComputer,
    OfferSeat,
    PassTrick,
    Pause,
    Ready,
    Remove,
    Start,
    StayOut,
    SwapSeats,
    TakeBack,
    TakeOver,
    ThrowBomb,
)
from cogs.clicks import answers
from cogs.clicks.answers import Answer
from cogs.clicks.click import Click
from cogs.clicks.table_actions import reopen
from cogs.delivery.announcer import Announcer
from cogs.delivery.replies import Reply
from cogs.pages.controls import number
from cogs.pages.hand.exchange_choices import read_gift_cards
from cogs.pages.hand.play_choices import read_choice
from cogs.pages.names import safe
from cogs.pages.verbs import Verb
from engine import DOGS, Action, AnswerGrand, AnswerWithdraw, CallTichu, GiveTrick, Pass, Play


class Request(NamedTuple):
    """What a control does to its table."""

    command: Callable[[Click], Command]
    """Reads a click."""
    answer: Answer
    """Shows the clicker what came of it."""


async def change(announcer: Announcer, click: Click) -> None:
    """Carry out what a click asks of its table, and answer it."""
    request, tables = REQUESTS[Verb(click.verb)], announcer.bot.tables
    await reopen(announcer, click.interaction, click.table_id)
    changing = tables.execute(click.table_id, click.user_id, request.command(click))
    table = await Reply(click.interaction).changing(changing)
    await request.answer(announcer, click, table)


# --- how a click is read -------------------------------------------------------------------------


def _act(read: Callable[[Click], Action]) -> Request:
    """An action that depends on what lies on the table; the answer is the hand after it."""
    return Request(lambda click: Act(read(click), click.revision), answers.hand)


def _name(click: Click) -> str:
    return click.interaction.user.display_name


def _swap(click: Click) -> Command:
    if len(click.values) != 2:
        raise Refused(Reason.UNKNOWN_BUTTON)
    first, second = click.values
    return SwapSeats(number(first), number(second), click.revision)


def _add_computer(click: Click) -> Command:
    return AddComputer(number(click.chosen), click.revision)


def _remove(click: Click) -> Command:
    return Remove(number(click.chosen), click.revision)


def _join(click: Click) -> Command:
    return Join(_name(click), number(click.args) if click.args else None)


def _come(click: Click) -> Command:
    return Join(_name(click))


def _option(click: Click) -> Command:
    name, _, value = click.chosen.partition(".")
    return ChangeOption(name, value)


def _give(click: Click) -> Command:
    return GiveCards(click.seat, read_gift_cards(click.args), click.revision)


def _play(click: Click) -> Command:
    cards, phoenix = read_choice(click.chosen)
    if not cards & ~DOGS:
        return LeadDog(click.seat, click.revision)
    return Act(Play(click.seat, cards, phoenix or None), click.revision)


def _wish(click: Click) -> Action:
    """A play with the Mah Jong, and the rank that is wished for.

    Older pages let people choose the wish in a select; that form is still read.
    """
    choice, _, wish = click.args.partition(">")
    cards, phoenix = read_choice(choice)
    rank = click.values[0] if click.values else wish or "none"
    return Play(click.seat, cards, phoenix or None, None if rank == "none" else number(rank))


def _dog(click: Click) -> Command:
    return LeadDog(click.seat, click.revision, number(click.args))


def _bomb(click: Click) -> Command:
    """A bomb on one play, whoever has passed since."""
    target, _, only = click.args.partition(",")
    cards, _ = read_choice(click.values[0] if click.values else only)
    return ThrowBomb(click.seat, cards, target)


def _pass_trick(click: Click) -> Command:
    """Passing in one trick, whatever has been played in it since."""
    switch, _, trick = click.args.partition(".")
    return PassTrick(click.seat, switch == "on", trick)


def _to_member(click: Click) -> Command:
    if len(click.users) != 1:
        raise Refused(Reason.UNKNOWN_BUTTON)
    (member,) = click.users
    return OfferSeat(member.id, safe(member.display_name), member.bot)


def _take_seat(click: Click) -> Command:
    return AcceptSeat(_name(click), number(click.args))


def _sit(click: Click) -> Command:
    return TakeOver(_name(click), number(click.chosen) if click.chosen else None)


# --- what it asks, and the answer ----------------------------------------------------------------

REQUESTS: Mapping[Verb, Request] = {
    # in a lobby
    Verb.JOIN: Request(_join, answers.joined),
    Verb.COME: Request(_come, answers.came),
    Verb.LEAVE: Request(lambda click: Leave(), answers.lobby),
    Verb.FILL: Request(lambda click: Fill(), answers.lobby),
    Verb.SWAP: Request(_swap, answers.seats),
    Verb.ADD_COMPUTER: Request(_add_computer, answers.seats),
    Verb.REMOVE: Request(_remove, answers.seats),
    Verb.OPTION: Request(_option, answers.options),
    Verb.START: Request(lambda click: Start(), answers.lobby),
    # on a hand
    Verb.GRAND: _act(lambda click: AnswerGrand(click.seat, click.args == "yes")),
    Verb.WITHDRAW: _act(lambda click: AnswerWithdraw(click.seat, click.args == "yes")),
    Verb.GIVE: Request(_give, answers.hand),
    Verb.PLAY: Request(_play, answers.hand),
    Verb.WISH: _act(_wish),
    Verb.DOG: Request(_dog, answers.hand),
    Verb.PASS: _act(lambda click: Pass(click.seat)),
    Verb.GIFT: _act(lambda click: GiveTrick(click.seat, number(click.args))),
    Verb.GO_ON: Request(lambda click: GoOn(click.revision), answers.hand),
    Verb.TAKE_BACK: Request(lambda click: TakeBack(click.seat, click.revision), answers.hand),
    # on a hand, whatever has been played since the button was made
    Verb.TICHU_YES: Request(lambda click: Act(CallTichu(click.seat)), answers.hand),
    Verb.AUTO_PASS: Request(_pass_trick, answers.hand),
    Verb.WAIT: Request(lambda click: HoldWindow(number(click.args)), answers.hand),
    Verb.BOMB: Request(_bomb, answers.hand),
    Verb.BACK: Request(lambda click: ComeBack(said=True), answers.hand),
    Verb.CONTINUE: Request(lambda click: Pause(False), answers.hand),
    # between two rounds
    Verb.READY: Request(lambda click: Ready(click.revision), answers.result),
    Verb.PAUSE: Request(lambda click: Pause(True, click.revision), answers.result),
    Verb.RESUME: Request(lambda click: Pause(False, click.revision), answers.result),
    Verb.SIT: Request(_sit, answers.hand),
    Verb.STAY_OUT: Request(lambda click: StayOut(), answers.hand),
    # whoever wants to leave, and whom they ask
    Verb.TO_COMPUTER: Request(lambda click: LeaveToComputer(), answers.left),
    Verb.TO_MEMBER: Request(_to_member, answers.asked),
    Verb.STAY: Request(lambda click: KeepSeat(), answers.stays),
    Verb.TAKE_SEAT: Request(_take_seat, answers.taken),
    Verb.NO_SEAT: Request(lambda click: DeclineSeat(number(click.args)), answers.declined),
}
