"""Who may press what, and from where: `RIGHTS`, one line for each verb.

Discord sends a click only for a control that really stood on a message, and the id of a control
names its table. Nobody relies on that here. A click is looked at once, by `within_rights`, before
anything is read from it or computed. A table that somebody neither sees nor sits at is to them as
if it did not exist, so no refusal tells of it.

Seats, hosts, offers and stale buttons are checked by the table itself (`bot.table.permission`), and
who may read a match that is over by `may_look`, as that needs what is stored. `RIGHTS` names them
all the same: tests hold every verb to what it says.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from enum import Enum
from typing import NamedTuple

from bot.client import TichuBot
from bot.errors import Reason, Refused
from bot.history.listing import Venue
from bot.ids import TableId, UserId
from bot.table.permission import own_seat
from bot.table.state import OpenTable
from cogs.clicks.click import Click
from cogs.delivery.channel_permissions import check_may_write, may_look
from cogs.delivery.replies import Interaction
from cogs.pages.verbs import Verb


class Who(Enum):
    """Which of the people who can reach a control may press it."""

    ANYBODY = "anybody"
    SEATED = "whoever sits at the table; checked by the table"
    HOST = "the host of the lobby; checked by the table"
    OFFERED = "the member whom the seat was offered to; checked by the table"
    PLAYED = "whoever sat at the match when it ended; checked by the rematch"
    READER = "whoever may see the channel of the match; checked by `may_look`"
    SEATED_OR_MODERATOR = "whoever sits at the table, or may manage messages in its channel"
    MODERATOR = "whoever may manage messages in the channel of the table"
    MANAGER = "whoever may manage the server"
    WRITER = "whoever may write in the channel in which they press it"
    NOBODY = "nobody: it is never enabled"


class Where(Enum):
    """From where something may be pressed."""

    ANYWHERE = "from anywhere, direct messages included"
    SERVER = "on any server: it tells of the one on which it is pressed"
    TABLE_SERVER = "on the server of the table, by those who may view its channel"
    TABLE_CHANNEL = "in the channel of the table, by those who may view it"


class Right(NamedTuple):
    """What a verb asks for."""

    who: Who
    where: Where


TABLE: tuple[tuple[Who, Where, tuple[Verb, ...]], ...] = (
    # in a lobby
    (Who.ANYBODY, Where.TABLE_SERVER, (Verb.JOIN, Verb.COME)),
    (Who.ANYBODY, Where.TABLE_CHANNEL, (Verb.OPTIONS,)),
    (Who.SEATED, Where.TABLE_CHANNEL, (Verb.LEAVE, Verb.INVITE, Verb.CALL_ROLE)),
    (
        Who.HOST,
        Where.TABLE_CHANNEL,
        (Verb.SWAP, Verb.ADD_COMPUTER, Verb.REMOVE, Verb.FILL, Verb.OPTION, Verb.START),
    ),
    # on the public messages of a match, and on the private pages behind them
    (
        Who.ANYBODY,
        Where.TABLE_CHANNEL,
        (Verb.MORE, Verb.LOG, Verb.LAST_TRICK, Verb.FAIR_DEAL),
    ),
    (
        Who.SEATED,
        Where.TABLE_CHANNEL,
        (
            *(Verb.READY, Verb.PAUSE, Verb.RESUME, Verb.STOP_VOTE, Verb.AGREE, Verb.PLAY_ON),
            *(Verb.LEAVE_MATCH, Verb.TO_COMPUTER, Verb.TO_MEMBER, Verb.STAY),
        ),
    ),
    (Who.SEATED_OR_MODERATOR, Where.TABLE_CHANNEL, (Verb.STOP,)),
    (Who.MODERATOR, Where.TABLE_CHANNEL, (Verb.STOP_NOW,)),
    (Who.PLAYED, Where.TABLE_CHANNEL, (Verb.REMATCH, Verb.NEW_PARTNERS, Verb.NEW_LOBBY)),
    # sitting down in a match
    (Who.ANYBODY, Where.TABLE_SERVER, (Verb.SIT, Verb.STAY_OUT)),
    (Who.OFFERED, Where.TABLE_SERVER, (Verb.TAKE_SEAT,)),
    (Who.OFFERED, Where.TABLE_CHANNEL, (Verb.NO_SEAT,)),
    # one's own hand; whoever only watches reads which seats they can have
    (Who.ANYBODY, Where.ANYWHERE, (Verb.HAND, Verb.REFRESH)),
    (
        Who.SEATED,
        Where.ANYWHERE,
        (
            *(Verb.GRAND, Verb.GRAND_ASK, Verb.WITHDRAW, Verb.TICHU, Verb.TICHU_YES),
            *(Verb.PICK, Verb.GIVE, Verb.PLAY, Verb.CARDS, Verb.WISH, Verb.DOG, Verb.GIFT),
            *(Verb.PASS, Verb.AUTO_PASS, Verb.TAKE_BACK, Verb.WAIT, Verb.BOMB, Verb.BOMBS),
            *(Verb.GO_ON, Verb.TURN_TO, Verb.HINT, Verb.DO, Verb.BACK, Verb.SAY, Verb.REACT),
            Verb.CONTINUE,
        ),
    ),
    # the rules, and what a person has chosen for themselves
    (
        Who.ANYBODY,
        Where.ANYWHERE,
        (
            *(Verb.RULES, Verb.EXPLAIN, Verb.CARDS_AS_TEXT, Verb.SORTING, Verb.ALWAYS_PASS),
            *(Verb.LANGUAGE, Verb.MORE_TIME, Verb.LISTED, Verb.WORLDWIDE),
            *(Verb.SETTINGS, Verb.FORGET_ME, Verb.FORGET_ME_NOW),
            *(Verb.NUDGES, Verb.NUDGE_WAY, Verb.INVITATIONS, Verb.QUIET),
        ),
    ),
    # lessons; and a table with computers after them, which `open_lobby` checks
    (Who.ANYBODY, Where.ANYWHERE, (Verb.LEARN, Verb.LESSON, Verb.LESSON_CARDS, Verb.LESSON_PLAY)),
    (Who.ANYBODY, Where.SERVER, (Verb.LESSON_TABLE,)),
    # what is over, and who plays how: of the server on which it is asked
    (
        Who.READER,
        Where.SERVER,
        (
            *(Verb.HISTORY, Verb.MATCH, Verb.REPLAY, Verb.REPLAY_ROUND),
            *(Verb.PROOF, Verb.SAVE),
        ),
    ),
    (Who.ANYBODY, Where.SERVER, (Verb.LEADERS, Verb.PROFILE, Verb.ACHIEVEMENTS, Verb.TABLES)),
    (Who.WRITER, Where.SERVER, (Verb.SHARE_LEADERS, Verb.SHARE_PROFILE, Verb.SHARE_REPLAY)),
    (
        Who.MANAGER,
        Where.SERVER,
        (
            *(Verb.HONOURS, Verb.NO_HONOURS, Verb.SERVER, Verb.SERVER_SET, Verb.SERVER_CHANNELS),
            *(Verb.SERVER_ROLE, Verb.SERVER_DEFAULT),
        ),
    ),
    (Who.NOBODY, Where.SERVER, (Verb.LEADERS_PAGE,)),
)
"""The verbs with the same right together; each of them once."""

RIGHTS: Mapping[str, Right] = {
    verb: Right(who, where) for who, where, verbs in TABLE for verb in verbs
}
"""The right of each verb."""


def within_rights(bot: TichuBot, click: Click) -> Click:
    """The click, if this person may press this from where they are. Raises `Refused`.

    A table out of their reach is taken out of it (0): all goes on as for one that never was.
    """
    right, interaction = RIGHTS.get(click.verb), click.interaction
    if right is None or right.who is Who.NOBODY:
        raise Refused(Reason.UNKNOWN_BUTTON)
    if right.where is Where.SERVER:
        if interaction.guild_id is None:
            raise Refused(Reason.SERVERS_ONLY)
    else:
        click = _within_reach(bot.tables.find(click.table_id), click, right.where)
    _check_permission(right.who, bot, click)
    return click


def _within_reach(table: OpenTable | None, click: Click, where: Where) -> Click:
    """The click, without its table if that is out of reach. `Refused` if pressed elsewhere."""
    interaction = click.interaction
    if table is None:  # a rematch finds one that is over: only for those who see the channel
        hidden = where is Where.TABLE_CHANNEL and not interaction.permissions.view_channel
        return dataclasses.replace(click, table_id=TableId(0)) if hidden else click
    if not reaches(interaction, table):
        return dataclasses.replace(click, table_id=TableId(0))
    there = where is not Where.TABLE_CHANNEL or interaction.channel_id == table.channel_id
    if where is not Where.ANYWHERE and not (there and sees(interaction, table)):
        raise Refused(Reason.ANOTHER_CHANNEL, channel=f"<#{table.channel_id}>")
    return click


def reaches(interaction: Interaction, table: OpenTable) -> bool:
    """Whether there is such a table for this person: they sit at it, or see its channel."""
    return table.seat_of(UserId(interaction.user.id)) is not None or sees(interaction, table)


def sees(interaction: Interaction, table: OpenTable) -> bool:
    """Whether somebody is on the server of a table and may view its channel."""
    return interaction.guild_id == table.guild_id and may_look(
        interaction, Venue(table.channel_id, table.parent_channel_id, sat=False)
    )


def _check_permission(needed: Who, bot: TichuBot, click: Click) -> None:
    """`Refused` unless Discord's permissions are enough, where it depends on them."""
    interaction = click.interaction
    if needed is Who.MODERATOR and not is_moderator(interaction):
        raise Refused(Reason.MODERATORS_ONLY)
    if needed is Who.SEATED_OR_MODERATOR and not is_moderator(interaction):
        own_seat(bot.tables.get(click.table_id), click.user_id)
    if needed is Who.MANAGER and not manages_server(interaction):
        raise Refused(Reason.MANAGERS_ONLY)
    if needed is Who.WRITER:
        check_may_write(interaction)


def is_moderator(interaction: Interaction) -> bool:
    """Whether somebody may manage messages in the channel of the interaction."""
    return interaction.permissions.manage_messages


def manages_server(interaction: Interaction) -> bool:
    """Whether somebody may manage the server, as Discord itself says with each request."""
    return interaction.guild_id is not None and interaction.permissions.manage_guild
