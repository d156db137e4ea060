"""Commands at a table, as values: `Join(name)`, `Act(action)`, `VoteToStop()`.

`bot.live` carries them out under the table's lock. `carry_out` checks permissions and stale buttons
(`bot.table.permission`), and returns the next state with the change that stores it. A refusal
changes nothing. In fields of commands and their actions, the seat `OWN_SEAT` stands for the user's
own seat.
"""

from bot.table.commands.base import Command, Context
from bot.table.commands.lobby import (
    AddComputer,
    Admit,
    ChangeOption,
    ChangeOptions,
    CheckIn,
    CloseLobby,
    Fill,
    Invite,
    InviteRole,
    Join,
    Leave,
    MoveDeadline,
    Remove,
    ReplaceHost,
    Start,
    SwapSeats,
)
from bot.table.commands.match import (
    ComeBack,
    Pause,
    PlayOn,
    Ready,
    SetSpeed,
    Shuffle,
    VoteToStop,
)
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
    FollowSettings,
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
    "Admit",
    "ChangeOption",
    "ChangeOptions",
    "CheckIn",
    "CloseLobby",
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
    "InviteRole",
    "Join",
    "KeepSeat",
    "LeadDog",
    "Leave",
    "MoveDeadline",
    "LeaveToComputer",
    "OfferSeat",
    "PassTrick",
    "Pause",
    "PlayOn",
    "Ready",
    "Remove",
    "ReplaceHost",
    "SetSpeed",
    "Shuffle",
    "Start",
    "StayOut",
    "SwapSeats",
    "TakeBack",
    "TakeOver",
    "ThrowBomb",
    "VoteToStop",
]
