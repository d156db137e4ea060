"""Messages of a table that are still to be posted, and their wording.

Some functions take two states of the table: `then`, when the message was caused, and the `newest`.
"""

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
from bot.table.lobby import absent
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
from cogs.pages.table.lobby import lobby_notice, lobby_page
from cogs.pages.table.nudge import NOBODY_NUDGED, Nudged, nudge_notice, restarted_notice
from cogs.pages.table.page import table_notice, table_page
from cogs.pages.table.reactions import SentReaction
from cogs.pages.table.result import Ratings, result_page, stopped_notice
from cogs.pages.table.seats import offer_notice, take_seat_rows
from cogs.pages.table.stop_vote import is_vote_open, stop_vote_page
from engine import Phase, Seat

NOBODY = discord.AllowedMentions.none()
"""Setting by which a message notifies nobody."""


@dataclass(frozen=True, slots=True)
class PlainPost:
    """A line whose text is final; it is lost if the bot stops before it is posted."""

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
    """The content, independent of any language."""
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
    shown_state: OpenTable | None = None
    """The state of the table that it was posted with; `None` until it is posted."""
    tried: bool = False
    """True if it may have been sent before, even before a restart.

    If only Discord's answer was lost, the first version is the one posted, and it may show an older
    state than `shown_state`.
    """
    renews_table: bool = False
    """True if a nudge is sent as a new table message."""

    @property
    def direct(self) -> dict[UserId, tuple[ChannelId, MessageId]]:
        """Direct messages that were sent for this nudge, by user."""
        return self.post.direct if isinstance(self.post, Nudging) else {}

    @property
    def unreached(self) -> tuple[UserId, ...]:
        """People who wanted a direct message that Discord refused."""
        return self.post.unreached if isinstance(self.post, Nudging) else ()


def stored_message(outgoing: Outgoing, *, tried: bool = False) -> Message:
    """Return a message from the outbox; `tried` if it may have been sent before."""
    entry = outgoing.entry
    return Message(
        read_post(entry),
        outgoing.state,
        entry.number,
        entry.created_at,
        entry.nonce,
        tried=tried,
    )


def forget_in_message(message: Message, event: PersonForgotten) -> None:
    """Remove an erased person from a message that is still to be posted."""
    message.then = erase_person(message.then, event.user_id, event.pseudonym)
    if isinstance(message.post, LinesPost | InvitationPost | Nudging):
        data = erase_in_post(message.post.model_dump_json(), event.user_id, event.names)
        kind = type(message.post)
        # Without data the post was for this person alone; an empty invitation is never posted.
        message.post = InvitationPost() if data is None else kind.model_validate_json(data)


@dataclass(frozen=True, slots=True)
class Wording:
    """Content of a message: a page or a notice, and its picture, if any.

    `notified` are the people whom it mentions. It also mentions the role `role_id`, if any.
    """

    content: Page | Notice
    notified: tuple[UserId, ...] = ()
    role_id: RoleId | None = None
    picture: Picture | None = None

    def arguments(self, allowed: Sequence[UserId] = ()) -> dict[str, Any]:
        """Return the arguments for one call of discord.py's `send`.

        Only the people in `allowed` and holders of the role get a notification.
        """
        mentions = mentions_of(*allowed)
        if self.role_id is not None:
            mentions.roles = [discord.Object(self.role_id)]
        files = {} if self.picture is None else {"file": self.picture.file()}
        return {**self.content.message, **files, "allowed_mentions": mentions}


def is_superseded(post: AnyPost, newest: OpenTable) -> bool:
    """Return whether a message is no longer needed in the newest state."""
    if isinstance(post, InvitationPost):
        nobody_invited = post.role_id is None and not still_invited(post, newest)
        return nobody_invited or not has_room(newest)
    if isinstance(post, LobbyPost):
        return newest.status != "lobby" or newest.messages.lobby is not None
    if not isinstance(newest, Game):
        return not isinstance(post, PlainPost | PicturePost)
    match post:
        case TablePost(round=number):
            return not newest.running or newest.round.number != number
        case OfferPost(seat=seat, member_id=member_id):
            return not newest.running or newest.notes.offers.get(seat) != member_id
        case VotePost():
            return not is_vote_open(newest)
        case AwayPost():
            return not unannounced_away_seats(post, newest)
        case RestartPost():
            return not newest.running
        case NudgePost(user_ids=user_ids, turn=turn):
            return turn_id(newest) != turn or not set(user_ids).intersection(nudged_users(newest))
    return False


def has_room(table: OpenTable) -> bool:
    """Return whether the table is an open lobby with a free seat."""
    return isinstance(table, Lobby) and table.open and table.room > 0


def still_invited(post: InvitationPost, table: OpenTable) -> tuple[UserId, ...]:
    """Return the invited members who have not joined."""
    return tuple(member for member in post.members if table.seat_of(member) is None)


def unannounced_away_seats(post: AwayPost, newest: Game) -> tuple[Seat, ...]:
    """Return those seats of a post that are still away and named by no posted message."""
    if not newest.running:
        return ()
    away = newest.notes.away
    return tuple(seat for seat in post.seats if seat in away and seat not in newest.messages.away)


def seats_left_to_computers(lines: Sequence[Line], then: OpenTable) -> tuple[Seat, ...]:
    """Return the seats that became free because a computer replaced a person."""
    seats = (line.seat for line in lines if isinstance(line, NewOwnerLine))
    return tuple(seat for seat in seats if then.chairs[seat].kind == "computer")


def away_lines(game: Game, seats: Sequence[Seat], words: Speaker) -> str:
    """Return the lines which say that the players of these seats are away."""
    return "\n".join(announcements(game, [AwayLine(seat=seat) for seat in seats], words))


def is_current(then: OpenTable, newest: OpenTable) -> bool:
    """Return whether no round has begun or ended since the match was in the state `then`."""
    return (
        isinstance(then, Game)
        and isinstance(newest, Game)
        and then.phase is newest.phase
        and len(then.match.results) == len(newest.match.results)
    )


def page_of_table(
    game: Game,
    words: Speaker,
    picture: SeenPicture | None,
    reactions: Sequence[SentReaction] = (),
    *,
    buttons: bool = True,
    restarted: bool = False,
) -> Page:
    """Return the page of the table with this picture and these reactions."""
    name, alt = (None, None) if picture is None else (picture.name, picture.alt)
    return table_page(game, words, name, alt, buttons=buttons, said=reactions, restarted=restarted)


def page_of_lobby(lobby: Lobby, words: Speaker, picture: Picture | None) -> Page:
    """Return the lobby page with this picture."""
    name, alt = (None, None) if picture is None else (picture.name, picture.alt)
    return lobby_page(lobby, words, name, alt)


def wording_of(
    message: Message,
    newest: OpenTable,
    words: Speaker,
    ratings: Ratings,
    picture: Picture | None = None,
    reactions: Sequence[SentReaction] = (),
    nudged: Nudged = NOBODY_NUDGED,
) -> Wording:
    """Return the content of a message in the language of these words.

    The lobby of an event mentions its people, who have signed up for it.
    `ratings` are the players' ratings after the match. `picture` shows the lobby, the table or the
    match that the message is about. A table message shows `reactions`. A nudge mentions `nudged`.
    """
    match message.post:
        case PlainPost(content=content):
            return Wording(Notice(content))
        case PicturePost(picture=separate):
            return Wording(Page(gallery(separate.name, separate.alt)), picture=separate)
    if isinstance(newest, Lobby):
        if isinstance(message.post, InvitationPost):
            return _invitation(message.post, newest, words)
        if newest.options.event is not None and (expected := absent(newest)):
            return Wording(lobby_notice(newest, words), notified=tuple(expected))
        return Wording(page_of_lobby(newest, words, picture), picture=picture)
    post = message.post
    if isinstance(post, NudgePost):
        mentioned = tuple(user for user in nudged.mentioned if user in post.user_ids)
        if not message.renews_table:
            return Wording(nudge_notice(newest, nudged, words), notified=mentioned)
        table = table_notice(newest, words, nudged, reactions, has_picture=picture is not None)
        return Wording(table, notified=mentioned, picture=picture)
    if isinstance(post, TablePost):
        return Wording(page_of_table(newest, words, picture, reactions), picture=picture)
    then = message.then if isinstance(message.then, Game) else newest
    return _wording_in_game(post, then, newest, words, ratings, picture)


def _invitation(post: InvitationPost, lobby: Lobby, words: Speaker) -> Wording:
    """Return an invitation of a role, or of the invited members who have not joined yet."""
    if post.role_id is not None:
        notice = invitation_notice(lobby, (), post.role_id, post.by, words)
        return Wording(notice, role_id=post.role_id)
    members = still_invited(post, lobby)
    notice = invitation_notice(lobby, members, None, post.by, words)
    return Wording(notice, notified=members)


def _wording_in_game(
    post: AnyPost,
    then: Game,
    newest: Game,
    words: Speaker,
    ratings: Ratings,
    picture: Picture | None,
) -> Wording:
    """Return the content of a message about a match in the language of these words."""
    say = words.say
    match post:
        case LinesPost(lines=lines):
            newcomers = (line.waited for line in lines if isinstance(line, NewOwnerLine))
            rows = take_seat_rows(newest, seats_left_to_computers(lines, then), words)
            return Wording(
                Notice("\n".join(announcements(then, lines, words)), *rows),
                notified=tuple(user_id for user_id in newcomers if user_id is not None),
            )
        case ResultPost():
            return Wording(_result(then, newest, words, ratings, picture), picture=picture)
        case StoppedPost(forgotten=forgotten):
            reason = say("The match was stopped.")
            if forgotten:
                reason = (
                    say("Match stopped – nobody continued for four weeks.")
                    if then.options.turn_based
                    else say("Match stopped – nobody continued for a week.")
                )
            return Wording(stopped_notice(then, reason, words))
        case OfferPost(seat=seat, member_id=member_id, quiet=quiet):
            offer = offer_notice(newest, seat, member_id, words)
            return Wording(offer, notified=() if quiet else (member_id,))
        case AwayPost():
            return Wording(Notice(away_lines(newest, unannounced_away_seats(post, newest), words)))
        case RestartPost():
            return Wording(restarted_notice(newest, words))
        case VotePost():
            return Wording(stop_vote_page(newest, words))
    return Wording(page_of_table(newest, words, picture), picture=picture)


def _result(
    then: Game, newest: Game, words: Speaker, ratings: Ratings, picture: Picture | None
) -> Page:
    """Return the result of a round with its countdown, or of a match with the ratings."""
    if then.phase is Phase.MATCH_END:
        drawn = None if picture is None else picture.alt
        return result_page(then, words, ratings=ratings, alt=drawn)
    if is_current(then, newest):
        return result_page(newest, words)
    return result_page(then, words, countdown=False)


def mentions_of(*user_ids: UserId) -> discord.AllowedMentions:
    """Return a setting by which a message notifies only these people."""
    return discord.AllowedMentions(users=[discord.Object(user_id) for user_id in user_ids])
