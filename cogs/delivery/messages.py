"""The messages of a table that are still to be posted, and how each is put into words."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import discord

from bot.live.events import Outgoing
from bot.table.posts import (
    LinesPost,
    LobbyPost,
    OfferPost,
    Post,
    ResultPost,
    StoppedPost,
    TablePost,
    new_nonce,
    read_post,
)
from bot.table.state import TableState
from bot.text.cards import Speaker
from cogs.pages.announcements import announcements
from cogs.pages.controls import Page
from cogs.pages.deal_lines import stopped_deal_line
from cogs.pages.lobby import lobby_page
from cogs.pages.names import jump
from cogs.pages.result import Ratings, result_page
from cogs.pages.seats import offer_page
from cogs.pages.table import table_page
from engine.state import Phase

NOBODY = discord.AllowedMentions.none()


@dataclass(frozen=True, slots=True)
class PlainPost:
    """A line that is in words already; it is lost if the bot stops before it is posted."""

    content: str


@dataclass(frozen=True, slots=True)
class NudgePost:
    """These people are waited for since action `stamp`."""

    user_ids: tuple[int, ...]
    stamp: int


AnyPost = Post | PlainPost | NudgePost


@dataclass(slots=True)
class Message:
    """A message on its way to the channel.

    `then` is the table as it was when the message was caused. `number` is that of the stored
    message, `None` for one that is only kept here. `message_id` is known when it was posted.
    """

    post: AnyPost
    then: TableState
    number: int | None = None
    nonce: str = field(default_factory=new_nonce)
    message_id: int | None = None


def stored_message(outgoing: Outgoing) -> Message:
    """A message from the outbox."""
    entry = outgoing.entry
    return Message(read_post(entry), outgoing.state, entry.number, entry.nonce)


@dataclass(frozen=True, slots=True)
class Wording:
    """What is sent: a page or a line, and whom it pings."""

    page: Page | None = None
    content: str | None = None
    mentions: discord.AllowedMentions = NOBODY

    def arguments(self) -> dict[str, Any]:
        """The arguments of discord.py's `send`."""
        shown: dict[str, Any] = {"content": self.content}
        if self.page is not None:
            shown = {"view": self.page}
        return {**shown, "allowed_mentions": self.mentions}


def superseded(post: AnyPost, now: TableState) -> bool:
    """Whether nobody needs this message any more at the table as it is now."""
    match post:
        case LobbyPost():
            return now.status != "lobby" or now.lobby_message_id is not None
        case TablePost(round=number):
            return not now.running or now.round is None or now.round.number != number
        case OfferPost(seat=seat, member_id=member_id):
            return not now.running or now.desk.offers.get(seat) != member_id
        case NudgePost(stamp=stamp):
            return not now.running or now.stamp != stamp
    return False


def is_current(then: TableState, now: TableState) -> bool:
    """Whether the round whose result this is is still the last thing that happened."""
    assert then.match is not None
    return (
        now.match is not None
        and then.phase is now.phase
        and len(then.match.results) == len(now.match.results)
    )


def worded(message: Message, now: TableState, to: Speaker, ratings: Ratings) -> Wording:
    """A message in words; `ratings` are those of people after the match."""
    say, post = to.say, message.post
    match post:
        case LobbyPost():
            return Wording(lobby_page(now, to))
        case TablePost():
            return Wording(table_page(now, to))
        case LinesPost(lines=lines):
            return Wording(content="\n".join(announcements(message.then, lines, to)))
        case ResultPost():
            return Wording(result_wording(message.then, now, to, ratings))
        case StoppedPost(forgotten=forgotten):
            words = (
                say("The match was stopped: for a week nobody has gone on with it.")
                if forgotten
                else say("The match was stopped.")
            )
            lines_ = filter(None, (words, stopped_deal_line(message.then, to)))
            return Wording(content="\n".join(lines_))
        case OfferPost(seat=seat, member_id=member_id):
            return Wording(offer_page(now, seat, member_id, to), mentions=_pinged(member_id))
        case NudgePost(user_ids=user_ids):
            people = " ".join(f"<@{user_id}>" for user_id in user_ids)
            line = say("{people} – the table waits for you: {link}", people=people, link=jump(now))
            return Wording(content=line, mentions=_pinged(*user_ids))
    return Wording(content=post.content)


def result_wording(then: TableState, now: TableState, to: Speaker, ratings: Ratings) -> Page:
    """The result of a round: with its countdown while that runs, of a match with the ratings."""
    if then.phase is Phase.MATCH_END:
        return result_page(then, to, ratings=ratings)
    if is_current(then, now):
        return result_page(now, to)
    return result_page(then, to, countdown=False)


def _pinged(*user_ids: int) -> discord.AllowedMentions:
    return discord.AllowedMentions(users=[discord.Object(user_id) for user_id in user_ids])
