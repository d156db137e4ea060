"""Shows in the channels what happens at the tables; it never changes a game.

Each table has a `TableChannel`. The handlers here decide which of its messages an event changes,
and which private hands must be refreshed.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Iterator, Sequence

from bot.client import TichuBot
from bot.history.matches import load_facts
from bot.ids import GuildId, MessageId, TableId, UserId
from bot.live.events import (
    ChallengeChanged,
    Committed,
    ComputersChanged,
    EventDispatcher,
    MonthlyRankingDue,
    Opened,
    Outgoing,
    PersonForgotten,
    Released,
    ReminderDue,
    Restored,
    Waiting,
)
from bot.runtime.background import in_background
from bot.runtime.inflight import wait_for_all
from bot.storage import StorageError
from bot.table.posts import NudgePost, ResultPost
from bot.table.private_game import GameForOne, PrivateGame
from bot.table.state import Game, Lobby, OpenTable
from bot.table.turn_based import turn_id
from bot.text.cards import Speaker
from cogs.delivery.challenges import ChallengePosts
from cogs.delivery.channel_context import shows_round
from cogs.delivery.club_events import ClubEventPosts
from cogs.delivery.hand_pictures import HandPictures
from cogs.delivery.lobby_messages import Replace
from cogs.delivery.message_languages import private_words
from cogs.delivery.message_queue import AnswerToAll
from cogs.delivery.messages import (
    Message,
    PlainPost,
    RestartPost,
    has_room,
    is_current,
    stored_message,
)
from cogs.delivery.monthly_rankings import MonthlyRankingPosts
from cogs.delivery.open_hands import OpenHands
from cogs.delivery.private_messages import PrivateMessage
from cogs.delivery.reminders import ReminderMessages
from cogs.delivery.result_pictures import ResultPictures
from cogs.delivery.table_channel import TableChannel
from cogs.delivery.uploads import Picture, PictureSupport
from cogs.pages.controls import Page
from cogs.pages.table.reactions import SentReaction
from cogs.pages.table.result import Ratings, countdown_fingerprint
from cogs.pages.table.stop_vote import vote_fingerprint
from engine import Event, MatchEnded, Phase, RoundDealt

DRAIN_SECONDS = 1.0
"""Timeout of messages in flight at shutdown, in seconds."""


class Announcer:
    """Public messages of all tables, and open private hands."""

    def __init__(self, bot: TichuBot) -> None:
        self.bot = bot
        self.picture_support = PictureSupport(bot.discord_behaviour)
        pictures = HandPictures(bot, self.picture_support)
        self.hands = OpenHands(bot.clock, self._words_for, pictures)
        self._results = ResultPictures(
            bot.painter, bot.clock, self._add_picture, lambda match: load_facts(bot.store, match)
        )
        self._monthly_rankings = MonthlyRankingPosts(bot)
        self._reminders = ReminderMessages(bot)
        self._challenges = ChallengePosts(bot)
        self._club_events = ClubEventPosts(bot, self.picture_support)
        self._channels: dict[TableId, TableChannel] = {}
        self._releases = set[asyncio.Task[None]]()
        """Tasks that end the work at tables which another process serves now."""

    # --- events of the tables ------------------------------------------------------------------

    def subscribe(self, events: EventDispatcher) -> None:
        """Subscribe to the events of the tables."""
        events.subscribe(Committed, self._on_committed)
        events.subscribe(Opened, self._on_opened)
        events.subscribe(Waiting, self._on_waiting)
        events.subscribe(Restored, self._on_restored)
        events.subscribe(Released, self._on_released)
        events.subscribe(ComputersChanged, self._on_computers_changed)
        events.subscribe(MonthlyRankingDue, self._monthly_rankings.post)
        events.subscribe(ReminderDue, self._reminders.send)
        events.subscribe(ChallengeChanged, self._challenges.on_change)
        self._club_events.subscribe(events)
        events.subscribe(PersonForgotten, self._on_person_forgotten)

    def _on_opened(self, event: Opened) -> None:
        messages = [stored_message(Outgoing(entry, event.state)) for entry in event.outbox]
        self._channel(event.state).enqueue(messages)
        if event.state.options.event is not None:  # no click is answered with it
            self.show_opened(event.state)

    def _on_waiting(self, event: Waiting) -> None:
        state = event.state
        nudge = NudgePost(user_ids=event.user_ids, turn=turn_id(state))
        self._channel(state).post([Message(nudge, state)])

    def _on_computers_changed(self, _: ComputersChanged) -> None:
        for table in self._channels.values():
            table.computers_changed()

    def _on_released(self, event: Released) -> None:
        """Stop writing at a table that another process serves; close the hand of a private game."""
        state, table_id = event.state, event.state.id
        if isinstance(state, PrivateGame):
            self.hands.show_over(table_id, state.host_id)
        self.hands.release(table_id)
        channel = self._channels.pop(table_id, None)
        if channel is not None:
            in_background(channel.release(), f"release table {table_id}", self._releases)

    def _on_person_forgotten(self, event: PersonForgotten) -> None:
        """Remove an erased person from pending messages and open hands."""
        for channel in self._channels.values():
            channel.forget(event)
        self.hands.forget_person(event.user_id)

    def _on_committed(self, change: Committed) -> None:
        """Post and rewrite the messages that a stored change requires; refresh the hands."""
        before, after = change.before, change.after
        if isinstance(after, GameForOne):
            self._refresh_hands(before, after, change.actor_id)
            return
        channel = self._channel(after)
        channel.set_state(after)
        channel.try_early()

        if change.outbox:
            channel.post([stored_message(Outgoing(entry, after)) for entry in change.outbox])
        if after.messages.invitations and not has_room(after):
            channel.live_messages.remove_invitations()
        if isinstance(after, Lobby):
            click_shows_lobby = change.actor_id is not None and after.status == "lobby"
            has_moved = before.options.event != after.options.event  # by the event, not by a click
            if has_moved or not click_shows_lobby:
                channel.live_messages.rewrite_lobby()
            return
        self._rewrite_messages(channel, before, after, change.events)
        self._refresh_hands(before, after, change.actor_id)
        channel.live_messages.people.update(before, after)

    def _rewrite_messages(
        self, channel: TableChannel, before: OpenTable, after: Game, events: Sequence[Event]
    ) -> None:
        """Rewrite those messages of the table that a change makes outdated."""
        if isinstance(before, Lobby):
            channel.live_messages.rewrite_lobby()
            channel.live_messages.rewrite_table()
            return
        if _table_message_changes(before, after) or _nudge_was_postponed(before, after):
            channel.live_messages.rewrite_table()
        if _result_message_changes(before, after):
            channel.live_messages.rewrite_result()
        if before.messages.vote and vote_fingerprint(before) != vote_fingerprint(after):
            channel.live_messages.rewrite_vote(before.messages.vote)
        dealt_or_ended = any(isinstance(event, RoundDealt | MatchEnded) for event in events)
        has_gone_on = dealt_or_ended or after.status == "stopped"
        if has_gone_on and before.messages.result and before.phase is Phase.ROUND_END:
            channel.live_messages.end_countdown(before, before.messages.result)
        if before.round.number != after.round.number and before.messages.table:
            channel.live_messages.end_table(before, before.messages.table)

    def _refresh_hands(self, before: OpenTable, after: Game, actor_id: UserId | None) -> None:
        """Refresh the open hands, and replace those of people who have left."""
        if before.running:
            for old, chair in zip(before.chairs, after.chairs, strict=True):
                if old.user_id is not None and old.user_id != chair.user_id:
                    self.hands.show_left(after.id, old.user_id)
        # The answer to a click shows the user's hand already, unless it was a vote to stop.
        except_user = None if _ended_by_vote(before, after) else actor_id
        self.hands.refresh(after, except_user=except_user)
        if not after.open:
            self.hands.forget(after.id)

    def _on_restored(self, restored: Restored) -> None:
        """Post undelivered messages after a restart, and rewrite existing ones.

        The message of a live table says that the bot is back, or a new post does if people have
        waited there.
        """
        state, channel = restored.state, self._channel(restored.state)
        if state.messages.invitations and not has_room(state):
            channel.live_messages.remove_invitations()
        channel.check_thread()
        messages = [stored_message(outgoing, tried=True) for outgoing in restored.outbox]
        if isinstance(state, Game) and state.running:
            if restored.late:
                messages.append(Message(RestartPost(), state))
            if restored.late or state.options.turn_based:
                channel.live_messages.rewrite_table()
            else:
                channel.live_messages.show_restart(state)
            _rewrite_result(channel, restored, state, messages)
            channel.live_messages.people.update(state, state)
            if state.messages.vote:
                channel.live_messages.rewrite_vote(state.messages.vote)
            round_before, table_message = restored.round_before, state.messages.table
            if round_before is not None and table_message is not None and not shows_round(state):
                channel.live_messages.end_table(round_before, table_message)
        channel.post(messages)

    # --- requests of other modules ---------------------------------------------------------------

    def refresh_hand(self, state: OpenTable, user_id: UserId) -> None:
        """Refresh a person's open hand, if it is outdated.

        It is outdated if the table changed while the hand was being sent, or if the answer to the
        person's click was not their hand.
        """
        if (channel := self._channels.get(state.id)) is not None:
            channel.try_early()
        current = self.bot.tables.find(state.id)
        if isinstance(current, Game):
            self.hands.refresh_one(current, user_id)
        elif current is None:  # it ended while the hand was shown
            self.hands.show_over(state.id, user_id)

    def _words_for(self, message: PrivateMessage) -> Speaker:
        """Return the words for the reader of a private message."""
        return private_words(self.bot, message.user_id, message.locale, message.guild_id)

    async def answer_with_new_lobby(self, state: OpenTable, answer: AnswerToAll) -> bool:
        """Send a new lobby message as the answer to a command; return whether it was sent."""
        return await self._channel(state).answer_with_queued_lobby(answer)

    async def replace_clicked_lobby(
        self, state: OpenTable, replace: Replace, message_id: MessageId
    ) -> OpenTable:
        """Replace the clicked lobby message; return the state of the table that it shows."""
        return await self._channel(state).live_messages.lobbies.replace_clicked(replace, message_id)

    def show_opened(self, state: OpenTable) -> None:
        """Post a new lobby in its channel, unless it is shown already."""
        self._channel(state).wake()

    def rewrite_lobby(self, state: OpenTable) -> None:
        """Rewrite the lobby message after a change that the answer to a click does not show."""
        self._channel(state).live_messages.rewrite_lobby()

    async def update_after_lobby_click(self, shown: OpenTable, message_id: MessageId) -> None:
        """Update the other lobby messages after a click on one of them.

        The clicked message shows the table in the state `shown`. Its id is stored if no lobby
        message is known.
        """
        tables = self.bot.tables
        current = tables.find(shown.id)
        if current is None and shown.open:
            return  # the table was closed meanwhile, which rewrites its message
        self._channel(shown).live_messages.lobbies.record_shown(message_id, shown)
        if isinstance(current, Lobby) and current.messages.lobby is None:
            with contextlib.suppress(StorageError):  # the next click on it tries again
                await tables.messages.store_ids(current.id, lobby=message_id)

    async def post_lobby_again(self, lobby: Lobby, answer: AnswerToAll) -> None:
        """Send the lobby again as the answer to a command, and remove the older message."""
        shown, message_id = await self._channel(lobby).answer_with_lobby(answer)
        if message_id is None:
            return
        tables, live_messages = self.bot.tables, self._channel(shown).live_messages
        older_id = (tables.find(shown.id) or shown).messages.lobby
        await tables.messages.store_ids(shown.id, lobby=message_id)
        if older_id is not None:
            live_messages.remove_old_lobby(older_id)
        live_messages.lobbies.record_shown(message_id, shown)

    def rewrite_server(self, guild_id: GuildId) -> None:
        """Rewrite the main message of each open table of a server, in its new language."""
        for table in list(self.bot.tables.all()):
            if table.guild_id == guild_id:
                self._channel(table).live_messages.rewrite_newest()

    def announce(self, state: OpenTable, content: str) -> None:
        """Post a line in the table's channel, after all queued messages."""
        self._channel(state).post([Message(PlainPost(content), state)])

    def react(self, state: OpenTable, reaction: SentReaction) -> bool:
        """Show a reaction on the table message for a while.

        Return whether an edit is scheduled for it; otherwise the next change shows it.
        """
        live_messages = self._channel(state).live_messages
        live_messages.reactions.add(reaction)
        return live_messages.edits_for_reactions

    def rewrite(self, state: OpenTable, message_id: MessageId, page: Page) -> None:
        """Replace the page of a public message of the table."""
        self._channel(state).live_messages.rewrite(message_id, page)

    def post_table_again(self, state: OpenTable) -> None:
        """Post a new table message at the bottom of the channel, in place of the old one."""
        self._channel(state).post_table_again()

    def retry_refused(self, guild_id: GuildId) -> None:
        """Retry refused messages in this server, because permissions have changed."""
        for channel in self._channels.values():
            if channel.guild_id == guild_id:
                channel.try_early()

    def check_thread(self, state: OpenTable) -> None:
        """Unarchive the thread of a table, if necessary, before the next request there."""
        self._channel(state).check_thread()

    async def drain(self) -> None:
        """Wait for the messages in flight at shutdown, but not longer than `DRAIN_SECONDS`."""
        await self._results.close()
        channels = [channel.drain() for channel in self._channels.values()]
        await wait_for_all(
            [self.hands.drain(), *channels], self.bot.inflight.remaining(DRAIN_SECONDS)
        )

    def pending_counts(self, *, stored_only: bool = False) -> Iterator[int]:
        """Yield the number of pending messages of each table, or of those in the outbox."""
        return (
            channel.pending_count(stored_only=stored_only) for channel in self._channels.values()
        )

    # --- the channels --------------------------------------------------------------------------

    def _channel(self, state: OpenTable) -> TableChannel:
        """Return the channel object of a table; create it at the first use."""
        channel = self._channels.get(state.id)
        if channel is None:
            channel = TableChannel(
                self.bot, state, self._results, self.picture_support, self._drop_if_over, self.hands
            )
            self._channels[state.id] = channel
        return channel

    def _drop_if_over(self, state: OpenTable) -> None:
        """Drop the channel object of a table without pending work, if the table is over."""
        if not state.open:
            self._channels.pop(state.id, None)

    def _add_picture(
        self, match: Game, message_id: MessageId, ratings: Ratings, picture: Picture
    ) -> None:
        """Add the late picture of a finished match to its result."""
        self._channel(match).live_messages.add_picture(match, message_id, ratings, picture)


def _rewrite_result(
    channel: TableChannel, restored: Restored, state: Game, messages: Sequence[Message]
) -> None:
    """Correct the countdown of a posted result, or remove it if the next round has begun.

    If the newest result is among the `messages` to be posted, the posted one belongs to an earlier
    round.
    """
    newest_is_unposted = any(
        isinstance(message.post, ResultPost) and is_current(message.then, state)
        for message in messages
    )
    if state.between_rounds and not newest_is_unposted:
        channel.live_messages.rewrite_result()
    elif restored.round_before is not None and state.messages.result:
        channel.live_messages.end_countdown(restored.round_before, state.messages.result)


def _ended_by_vote(before: OpenTable, after: Game) -> bool:
    """Return whether a vote (or a moderator) has ended the match, also between two rounds."""
    if after.status == "stopped":
        return True
    return isinstance(before, Game) and before.between_rounds and after.status == "finished"


def _result_message_changes(before: Game, after: Game) -> bool:
    """Return whether the result of the round needs another countdown or button."""
    between_rounds = before.phase is after.phase is Phase.ROUND_END and after.running
    return between_rounds and countdown_fingerprint(before) != countdown_fingerprint(after)


def _nudge_was_postponed(before: Game, after: Game) -> bool:
    """Return whether only the time of the next nudge has changed.

    An outdated table message that is too old to be edited waits for the nudge, which is sent as the
    new table message. If the nudge is postponed, the table must be posted again now.
    """
    nudge_before, nudge_after = (game.timers.deadlines.get("nudge") for game in (before, after))
    nothing_happened = (
        before.revision == after.revision and before.timers.nudged == after.timers.nudged
    )
    return nothing_happened and nudge_before is not None and nudge_before != nudge_after


def _table_message_changes(before: Game, after: Game) -> bool:
    """Return whether a change is visible in the public table message.

    Sealed bombs, waives and pre-moves are secret, so they do not change it. Neither does the end of
    a trick, because the message named the winner when the last player passed.
    """
    if before.revision != after.revision or before.status != after.status:
        return True
    if before.notes.away != after.notes.away or before.notes.coming != after.notes.coming:
        return True
    if before.timers.paused != after.timers.paused or before.holder != after.holder:
        return True
    if before.speed != after.speed:
        return True
    if before.chairs != after.chairs or before.options != after.options:
        return True
    old, new = before.round, after.round
    return (
        old.calls != new.calls
        or old.asked != new.asked
        or (new.phase is Phase.GRAND and old.opening.answers != new.opening.answers)
        or (new.phase is Phase.EXCHANGE and old.opening.given != new.opening.given)
    )
