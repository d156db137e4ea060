"""Messages of a table that are still to be posted, and their wording."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import discord

from bot.ids import ChannelId, MessageId, RoleId, UserId
from bot.live.events import Outgoing, PersonForgotten
from bot.records import Ordinal
from bot.table.forgetting import erase_in_post, erase_person
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
from bot.table.turn_based import turn_id
from bot.text.cards import Speaker
from cogs.delivery.uploads import Picture, SeenPicture
from cogs.pages.controls import Notice, Page, gallery
from cogs.pages.table.announcements import announcements
from cogs.pages.table.inviting import invitation_notice
from cogs.pages.table.lobby import lobby_page
from cogs.pages.table.nudge import NOBODY_NUDGED, Nudged, nudge_notice, restarted_notice
from cogs.pages.table.page import table_notice, table_page
from cogs.pages.table.reactions import SentReaction
from cogs.pages.table.result import Ratings, result_page, stopped_notice
from cogs.pages.table.seats import offer_notice, take_seat_rows
from cogs.pages.table.stop_vote import is_vote_open, stop_vote_page
from engine import Phase, Seat

NOBODY = discord.AllowedMentions.none()


@dataclass(frozen=True, slots=True)
class PlainPost:
    """A finished line; it is lost if the bot stops before it is posted."""

    content: str


@dataclass(frozen=True, slots=True)
class RestartPost:
    """The notice that the bot is back, for people who waited for it."""


@dataclass(frozen=True, slots=True)
class PicturePost:
    """A picture posted after its message; it is lost if the bot stops before."""

    picture: Picture


AnyPost = Post | PlainPost | RestartPost | PicturePost


@dataclass(slots=True)
class Message:
    """A message on its way to the channel."""

    post: AnyPost
    """The content, not yet in words."""
    then: OpenTable
    """The table at the time of the change that caused the message."""
    number: Ordinal | None = None
    """The number of the message in the outbox, `None` outside of it."""
    created_at: datetime | None = None
    """The time it was put into the outbox, `None` outside of it."""
    nonce: str = field(default_factory=new_nonce)
    """Sent with each try, so that Discord posts the message only once."""
    message_id: MessageId | None = None
    """Its id on Discord; `None` until it is posted."""
    written: OpenTable | None = None
    """The state that the message shows; `None` until it is posted."""
    tried: bool = False
    """True if it may have been sent before, even before a restart.

    It may then show an older state than `written`, because Discord keeps the first version if only
    the answer was lost.
    """
    renews: bool = False
    """True if a nudge is sent as a new table message."""

    @property
    def direct(self) -> dict[UserId, tuple[ChannelId, MessageId]]:
        """Direct messages that were sent with it, by user."""
        return self.post.direct if isinstance(self.post, Nudging) else {}

    @property
    def unreached(self) -> tuple[UserId, ...]:
        """People who wanted a direct message that Discord refused."""
        return self.post.unreached if isinstance(self.post, Nudging) else ()


def stored_message(outgoing: Outgoing, *, tried: bool = False) -> Message:
    """Return a message from the outbox; `tried` if it may have been sent before."""
    entry, post = outgoing.entry, read_post(outgoing.entry)
    at, nonce = entry.created_at, entry.nonce
    return Message(post, outgoing.state, entry.number, at, nonce, tried=tried)


def forget_in_message(message: Message, gone: PersonForgotten) -> None:
    """Remove a forgotten person from a message that is still to be posted."""
    message.then = erase_person(message.then, gone.user_id, gone.pseudonym)
    if isinstance(message.post, LinesPost | InvitationPost | Nudging):
        data = erase_in_post(message.post.model_dump_json(), gone.user_id, gone.names)
        kind = type(message.post)
        message.post = InvitationPost() if data is None else kind.model_validate_json(data)


@dataclass(frozen=True, slots=True)
class Wording:
    """Content of a message: a page or a notice, and its picture, if any.

    `notified` are the people that it would notify, beside the holders of the role `role_id`.
    """

    shown: Page | Notice
    notified: tuple[UserId, ...] = ()
    role_id: RoleId | None = None
    picture: Picture | None = None

    def arguments(self, willing: Sequence[UserId] = ()) -> dict[str, Any]:
        """Return the arguments for discord.py's `send`; they can be used once.

        Only people in `willing` and the role are notified.
        """
        mentions = mentions_of(*willing)
        if self.role_id is not None:
            mentions.roles = [discord.Object(self.role_id)]
        files = {} if self.picture is None else {"file": self.picture.file()}
        return {**self.shown.message, **files, "allowed_mentions": mentions}


def superseded(post: AnyPost, now: OpenTable) -> bool:
    """Return whether a message is no longer needed in the newest state."""
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
            return not is_vote_open(now)
        case AwayPost():
            return not newly_away(post, now)
        case RestartPost():
            return not now.running
        case NudgePost(user_ids=user_ids, turn=turn):
            return turn_id(now) != turn or not set(user_ids).intersection(nudged_users(now))
    return False


def has_room(now: OpenTable) -> bool:
    """Return whether this is a lobby with a free seat."""
    return isinstance(now, Lobby) and now.open and now.room > 0


def still_invited(post: InvitationPost, now: OpenTable) -> tuple[UserId, ...]:
    """Return the invited members who have not joined."""
    return tuple(member for member in post.members if now.seat_of(member) is None)


def newly_away(post: AwayPost, now: Game) -> tuple[Seat, ...]:
    """Return the seats that are still away and that no other message names."""
    if not now.running:
        return ()
    away = now.notes.away
    return tuple(seat for seat in post.seats if seat in away and seat not in now.messages.away)


def left_to_computers(lines: Sequence[Line], then: OpenTable) -> tuple[Seat, ...]:
    """Return the seats that became free because a computer replaced a person."""
    owners = (line.seat for line in lines if isinstance(line, NewOwnerLine))
    return tuple(seat for seat in owners if then.chairs[seat].kind == "computer")


def away_lines(game: Game, seats: Sequence[Seat], words: Speaker) -> str:
    """Return the lines about these people, who are away."""
    return "\n".join(announcements(game, [AwayLine(seat=seat) for seat in seats], words))


def is_current(then: OpenTable, now: OpenTable) -> bool:
    """Return whether the ended round of `then` is still the last event."""
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
    said: Sequence[SentReaction] = (),
    *,
    buttons: bool = True,
) -> Page:
    """Return the table message with this picture and these reactions."""
    name, alt = (None, None) if picture is None else (picture.name, picture.alt)
    return table_page(game, words, name, alt, buttons=buttons, said=said)


def page_of_lobby(lobby: Lobby, words: Speaker, picture: Picture | None) -> Page:
    """Return the lobby page with this picture."""
    name, alt = (None, None) if picture is None else (picture.name, picture.alt)
    return lobby_page(lobby, words, name, alt)


def wording_of(
    message: Message,
    now: OpenTable,
    words: Speaker,
    ratings: Ratings,
    picture: Picture | None = None,
    said: Sequence[SentReaction] = (),
    nudged: Nudged = NOBODY_NUDGED,
) -> Wording:
    """Put a message into words; `ratings` are those of people after the match.

    `picture` shows the lobby, the table or the match that the message is about. `said` are the
    reactions on a table message. `nudged` are the people whom a nudge mentions.
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
        named = tuple(user for user in nudged.mentioned if user in post.user_ids)
        if not message.renews:
            return Wording(nudge_notice(now, nudged, words), notified=named)
        table = table_notice(now, words, nudged, said, has_picture=picture is not None)
        return Wording(table, notified=named, picture=picture)
    if isinstance(post, TablePost):
        return Wording(page_of_table(now, words, picture, said), picture=picture)
    then = message.then if isinstance(message.then, Game) else now
    return _wording_in_game(post, then, now, words, ratings, picture)


def _invitation(post: InvitationPost, lobby: Lobby, words: Speaker) -> Wording:
    """Return an invitation, which notifies those who have not joined."""
    if post.role_id is not None:
        notice = invitation_notice(lobby, (), post.role_id, post.by, words)
        return Wording(notice, role_id=post.role_id)
    members = still_invited(post, lobby)
    notice = invitation_notice(lobby, members, None, post.by, words)
    return Wording(notice, notified=members)


def _wording_in_game(
    post: AnyPost, then: Game, now: Game, words: Speaker, ratings: Ratings, picture: Picture | None
) -> Wording:
    """Put a message about a match into words; `then` caused it."""
    say = words.say
    match post:
        case LinesPost(lines=lines):
            waited = (line.waited for line in lines if isinstance(line, NewOwnerLine))
            rows = take_seat_rows(now, left_to_computers(lines, then), words)
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
            return Wording(stopped_notice(then, news, words))
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
    """Return the result page, with its countdown or final ratings."""
    if then.phase is Phase.MATCH_END:
        drawn = None if picture is None else picture.alt
        return result_page(then, words, ratings=ratings, alt=drawn)
    if is_current(then, now):
        return result_page(now, words)
    return result_page(then, words, countdown=False)


def mentions_of(*user_ids: UserId) -> discord.AllowedMentions:
    """Return a setting by which a message notifies only these people."""
    return discord.AllowedMentions(users=[discord.Object(user_id) for user_id in user_ids])
