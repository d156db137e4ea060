"""The messages of a table that are still to be posted, and how each is put into words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import discord

from bot.ids import ChannelId, MessageId, RoleId, UserId
from bot.live.events import Outgoing, PersonForgotten
from bot.records import Ordinal
from bot.table.forgetting import forget_in_post, forgetting
from bot.table.interruptions import nudged_users
from bot.table.posts import (
    AwayLine,
    AwayPost,
    InvitationPost,
    Line,
    LinesPost,
    LobbyPost,
    NewOwnerLine,
    NudgePost,
    Nudging,
    OfferPost,
    Post,
    ResultPost,
    StoppedPost,
    TablePost,
    VotePost,
    new_nonce,
    read_post,
)
from bot.table.state import Game, Lobby, OpenTable
from bot.table.turn_based import turn_on_table
from bot.text.cards import Speaker
from cogs.delivery.uploads import Picture, SeenPicture
from cogs.pages.controls import Notice, Page, gallery
from cogs.pages.table.announcements import announcements
from cogs.pages.table.deal_lines import stopped_deal_line
from cogs.pages.table.inviting import invitation_notice
from cogs.pages.table.lobby import lobby_page
from cogs.pages.table.nudge import NOBODY_NUDGED, Nudged, nudge_notice, restarted_notice
from cogs.pages.table.page import table_notice, table_page
from cogs.pages.table.reactions import Said
from cogs.pages.table.result import Ratings, result_page
from cogs.pages.table.seats import free_seat_rows, offer_notice
from cogs.pages.table.stop_vote import is_open, stop_vote_page
from engine import Phase, Seat

NOBODY = discord.AllowedMentions.none()


@dataclass(frozen=True, slots=True)
class PlainPost:
    """A line that is in words already; it is lost if the bot stops before it is posted."""

    content: str


@dataclass(frozen=True, slots=True)
class RestartPost:
    """People have waited for the bot, and it is back."""


@dataclass(frozen=True, slots=True)
class PicturePost:
    """A picture that comes after what it belongs to; it is lost if the bot stops before."""

    picture: Picture


AnyPost = Post | PlainPost | RestartPost | PicturePost


@dataclass(slots=True)
class Message:
    """A message on its way to the channel."""

    post: AnyPost
    """What it is about, not yet in words."""
    then: OpenTable
    """The table as it was when the message was caused."""
    number: Ordinal | None = None
    """The number of the message in the outbox; `None` if it is only kept in memory."""
    created_at: datetime | None = None
    """When it was put into the outbox; `None` if it is only kept in memory."""
    nonce: str = field(default_factory=new_nonce)
    """Goes with each try, so that Discord posts the message only once."""
    message_id: MessageId | None = None
    """Its id on Discord; `None` until it is posted."""
    written: OpenTable | None = None
    """The table as the message shows it; `None` until it is posted."""
    tried: bool = False
    """Whether it was perhaps sent before, in this run of the bot or an earlier one.

    Then it may show an older table than `written`: if only the answer was lost, Discord keeps what
    was sent first.
    """
    renews: bool = False
    """Of a nudge: whether it comes as a new table message."""

    @property
    def direct(self) -> dict[UserId, tuple[ChannelId, MessageId]]:
        """The direct messages that were sent with it, by user."""
        return self.post.direct if isinstance(self.post, Nudging) else {}

    @property
    def unreached(self) -> tuple[UserId, ...]:
        """Those who wanted one, and whom Discord does not let us write to."""
        return self.post.unreached if isinstance(self.post, Nudging) else ()


def stored_message(outgoing: Outgoing, *, tried: bool = False) -> Message:
    """A message from the outbox; whether it was perhaps `tried` before."""
    entry, post = outgoing.entry, read_post(outgoing.entry)
    at, nonce = entry.created_at, entry.nonce
    return Message(post, outgoing.state, entry.number, at, nonce, tried=tried)


def forget_in_message(message: Message, gone: PersonForgotten) -> None:
    """Take somebody who was forgotten out of a message that is still to be posted."""
    message.then = forgetting(message.then, gone.user_id, gone.pseudonym)
    if isinstance(message.post, LinesPost | InvitationPost | Nudging):
        data = forget_in_post(message.post.model_dump_json(), gone.user_id, gone.names)
        kind = type(message.post)
        message.post = InvitationPost() if data is None else kind.model_validate_json(data)


@dataclass(frozen=True, slots=True)
class Wording:
    """What is sent: a page, or what notifies somebody, with its picture, if any.

    `notified` are those whom it would notify, beside those who hold the role `role_id`.
    """

    shown: Page | Notice
    notified: tuple[UserId, ...] = ()
    role_id: RoleId | None = None
    picture: Picture | None = None

    def arguments(self, willing: Sequence[UserId] = ()) -> dict[str, Any]:
        """The arguments of discord.py's `send`, which may be used once.

        Nobody is notified but those who are `willing`, and a role.
        """
        mentions = mentions_of(*willing)
        if self.role_id is not None:
            mentions.roles = [discord.Object(self.role_id)]
        files = {} if self.picture is None else {"file": self.picture.file()}
        return {**self.shown.message, **files, "allowed_mentions": mentions}


def superseded(post: AnyPost, now: OpenTable) -> bool:
    """Whether nobody needs this message any more at the table as it is now."""
    if isinstance(post, InvitationPost):
        return not has_room(now) or (post.role_id is None and not still_invited(post, now))
    if isinstance(post, LobbyPost):
        return now.status != "lobby" or now.messages.lobby is not None
    if not isinstance(now, Game):
        return not isinstance(post, PlainPost | PicturePost)
    match post:
        case TablePost(round=number):
            return not now.running or now.round.number != number
        case OfferPost(seat=seat, member_id=member_id):
            return not now.running or now.notes.offers.get(seat) != member_id
        case VotePost():
            return not is_open(now)
        case AwayPost():
            return not newly_away(post, now)
        case RestartPost():
            return not now.running
        case NudgePost(user_ids=user_ids, turn=turn):
            return turn_on_table(now) != turn or not set(user_ids).intersection(nudged_users(now))
    return False


def has_room(now: OpenTable) -> bool:
    """Whether this is a lobby in which somebody could still sit down."""
    return isinstance(now, Lobby) and now.open and now.room > 0


def still_invited(post: InvitationPost, now: OpenTable) -> tuple[UserId, ...]:
    """Return the invited members who are not at the table yet."""
    return tuple(member for member in post.members if now.seat_of(member) is None)


def newly_away(post: AwayPost, now: Game) -> tuple[Seat, ...]:
    """Those who are still away, and of whom no other message says so."""
    if not now.running:
        return ()
    away = now.notes.away
    return tuple(seat for seat in post.seats if seat in away and seat not in now.messages.away)


def left_to_computers(lines: Sequence[Line], then: OpenTable) -> tuple[Seat, ...]:
    """The seats that are free from now on: a person has left them, and a computer plays there."""
    owners = (line.seat for line in lines if isinstance(line, NewOwnerLine))
    return tuple(seat for seat in owners if then.chairs[seat].kind == "computer")


def away_lines(game: Game, seats: Sequence[Seat], words: Speaker) -> str:
    """What the message says about these people, who are away."""
    return "\n".join(announcements(game, [AwayLine(seat=seat) for seat in seats], words))


def is_current(then: OpenTable, now: OpenTable) -> bool:
    """Whether the round that was over then is still the last thing that happened."""
    return (
        isinstance(then, Game)
        and isinstance(now, Game)
        and then.phase is now.phase
        and len(then.match.results) == len(now.match.results)
    )


def page_of_table(
    game: Game,
    words: Speaker,
    picture: SeenPicture | None,
    said: Sequence[Said] = (),
    *,
    buttons: bool = True,
) -> Page:
    """The table message, with this picture of the table and these reactions of people."""
    name, alt = (None, None) if picture is None else (picture.name, picture.alt)
    return table_page(game, words, name, alt, buttons=buttons, said=said)


def page_of_lobby(lobby: Lobby, words: Speaker, picture: Picture | None) -> Page:
    """The lobby, with this picture of it."""
    name, alt = (None, None) if picture is None else (picture.name, picture.alt)
    return lobby_page(lobby, words, name, alt)


def wording_of(
    message: Message,
    now: OpenTable,
    words: Speaker,
    ratings: Ratings,
    picture: Picture | None = None,
    said: Sequence[Said] = (),
    nudged: Nudged = NOBODY_NUDGED,
) -> Wording:
    """A message in words; `ratings` are those of people after the match.

    `picture` shows the lobby, the table or the match that the message is about; `said` are the
    reactions that stand on a table. `nudged` are those whom a nudge mentions.
    """
    match message.post:
        case PlainPost(content=content):
            return Wording(Notice(content))
        case PicturePost(picture=alone):
            return Wording(Page(gallery(alone.name, alone.alt)), picture=alone)
    if isinstance(now, Lobby):
        if isinstance(message.post, InvitationPost):
            return _invitation(message.post, now, words)
        return Wording(page_of_lobby(now, words, picture), picture=picture)
    post = message.post
    if isinstance(post, NudgePost):
        named = tuple(user for user in nudged.named if user in post.user_ids)
        if not message.renews:
            return Wording(nudge_notice(now, nudged, words), notified=named)
        table = table_notice(now, words, nudged, said, drawn=picture is not None)
        return Wording(table, notified=named, picture=picture)
    if isinstance(post, TablePost):
        return Wording(page_of_table(now, words, picture, said), picture=picture)
    then = message.then if isinstance(message.then, Game) else now
    return _wording_in_game(post, then, now, words, ratings, picture)


def _invitation(post: InvitationPost, lobby: Lobby, words: Speaker) -> Wording:
    """An invitation, which notifies those who are not there yet."""
    if post.role_id is not None:
        notice = invitation_notice(lobby, (), post.role_id, post.by, words)
        return Wording(notice, role_id=post.role_id)
    members = still_invited(post, lobby)
    notice = invitation_notice(lobby, members, None, post.by, words)
    return Wording(notice, notified=members)


def _wording_in_game(
    post: AnyPost, then: Game, now: Game, words: Speaker, ratings: Ratings, picture: Picture | None
) -> Wording:
    """A message about a match: `then` is the game as it was when the message was caused."""
    say = words.say
    match post:
        case LinesPost(lines=lines):
            waited = (line.waited for line in lines if isinstance(line, NewOwnerLine))
            rows = free_seat_rows(now, left_to_computers(lines, then), words)
            return Wording(
                Notice("\n".join(announcements(then, lines, words)), *rows),
                notified=tuple(user_id for user_id in waited if user_id is not None),
            )
        case ResultPost():
            return Wording(_result(then, now, words, ratings, picture), picture=picture)
        case StoppedPost(forgotten=forgotten):
            news = say("The match was stopped.")
            if forgotten:
                news = (
                    say("Match stopped – nobody continued for four weeks.")
                    if then.options.turn_based
                    else say("Match stopped – nobody continued for a week.")
                )
            told = "\n".join(filter(None, (news, stopped_deal_line(then, words))))
            return Wording(Notice(told))
        case OfferPost(seat=seat, member_id=member_id, quiet=quiet):
            offer = offer_notice(now, seat, member_id, words)
            return Wording(offer, notified=() if quiet else (member_id,))
        case AwayPost():
            return Wording(Notice(away_lines(now, newly_away(post, now), words)))
        case RestartPost():
            return Wording(restarted_notice(now, words))
        case VotePost():
            return Wording(stop_vote_page(now, words))
    return Wording(page_of_table(now, words, picture), picture=picture)


def _result(
    then: Game, now: Game, words: Speaker, ratings: Ratings, picture: Picture | None
) -> Page:
    """The result of a round: with its countdown while that runs, of a match with the ratings."""
    if then.phase is Phase.MATCH_END:
        drawn = None if picture is None else picture.alt
        return result_page(then, words, ratings=ratings, drawn=drawn)
    if is_current(then, now):
        return result_page(now, words)
    return result_page(then, words, countdown=False)


def mentions_of(*user_ids: UserId) -> discord.AllowedMentions:
    """Allows a message to notify these people, and nobody else."""
    return discord.AllowedMentions(users=[discord.Object(user_id) for user_id in user_ids])
