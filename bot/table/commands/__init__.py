"""What people can ask of a table, as values: `Join(name)`, `Act(action)`, `VoteToStop()`.

`bot.live` carries them out under the table's lock: `carry_out` checks who may and what is stale
(`bot.table.permission`), computes the next state, and says how it is stored. A refusal changes
nothing. Where a command or its action names a seat, `OWN` is that of whoever gives it.
"""

from bot.table.commands.play import (
    AcceptSeat,
    Act,
    AddComputer,
    ComeBack,
    Command,
    Context,
    DeclineSeat,
    GiveCards,
    HoldWindow,
    Join,
    KeepSeat,
    LeadDog,
    Leave,
    LeaveToComputer,
    OfferSeat,
    PassTrick,
    Pause,
    RemoveComputer,
    Shuffle,
    Start,
    SwapSeats,
    TakeBack,
    TakeOver,
    ThrowBomb,
    VoteToStop,
)

__all__ = [
    "AcceptSeat",
    "Act",
    "AddComputer",
    "ComeBack",
    "Command",
    "Context",
    "DeclineSeat",
    "GiveCards",
    "HoldWindow",
    "Join",
    "KeepSeat",
    "LeadDog",
    "Leave",
    "LeaveToComputer",
    "OfferSeat",
    "PassTrick",
    "Pause",
    "RemoveComputer",
    "Shuffle",
    "Start",
    "SwapSeats",
    "TakeBack",
    "TakeOver",
    "ThrowBomb",
    "VoteToStop",
]
