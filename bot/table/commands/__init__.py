"""What people can ask of a table, as values: `Join(name)`, `Act(action)`, `VoteToStop()`.

`bot.live` carries them out under the table's lock: `carry_out` checks who may and what is stale
(`bot.table.permission`), computes the next state, and says how it is stored. A refusal changes
nothing. Where a command or its action names a seat, `OWN` is that of whoever gives it.
"""

from bot.table.commands.base import Command, Context
from bot.table.commands.inviting import CallRole, Invite
from bot.table.commands.lobby import (
    AddComputer,
    ChangeOption,
    Fill,
    Join,
    Leave,
    Remove,
    Start,
    SwapSeats,
)
from bot.table.commands.match import ComeBack, Pause, PlayOn, Ready, Shuffle, VoteToStop
from bot.table.commands.personal import FollowSettings
from bot.table.commands.play import (
    Act,
    GiveCards,
    GoOn,
    HoldWindow,
    LeadDog,
    PassTrick,
    TakeBack,
    ThrowBomb,
)
from bot.table.commands.seats import (
    AcceptSeat,
    DeclineSeat,
    KeepSeat,
    LeaveToComputer,
    OfferSeat,
    StayOut,
    TakeOver,
)

__all__ = [
    "AcceptSeat",
    "Act",
    "AddComputer",
    "CallRole",
    "ChangeOption",
    "ComeBack",
    "Command",
    "Context",
    "DeclineSeat",
    "Fill",
    "FollowSettings",
    "GiveCards",
    "GoOn",
    "HoldWindow",
    "Invite",
    "Join",
    "KeepSeat",
    "LeadDog",
    "Leave",
    "LeaveToComputer",
    "OfferSeat",
    "PassTrick",
    "Pause",
    "PlayOn",
    "Ready",
    "Remove",
    "Shuffle",
    "Start",
    "StayOut",
    "SwapSeats",
    "TakeBack",
    "TakeOver",
    "ThrowBomb",
    "VoteToStop",
]
