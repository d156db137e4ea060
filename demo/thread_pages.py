"""Thread navigation: the demo's pages follow a table into its thread, and back.

On Discord people open a thread with a tap. A page of SimCord cannot, so all pages switch to a new
thread automatically, and between it and the channel on a typed word.
"""

from __future__ import annotations

from simcord import ChannelHandle, Env
from simcord.backend.models import Message

from demo.refreshing import PreviewUpdater

TO_CHANNEL, TO_THREAD = "back", "thread"
"""Words that people write to switch to the channel or the thread."""
_HINT = (
    f"This page has followed the table into its thread. Write **{TO_CHANNEL}** to see the channel, "
    f"and **{TO_THREAD}** there to return."
)


def follow_threads(env: Env, channel: ChannelHandle, live: PreviewUpdater) -> None:
    """Make the pages follow new threads and the typed words."""
    announce = env.backend.announce_message_create
    known: set[int] = set()

    def newest() -> ChannelHandle | None:
        threads = sorted(channel.threads, key=lambda thread: thread.id)
        return threads[-1] if threads else None

    def announced(message: Message) -> None:
        announce(message)
        thread, said = newest(), (message.content or "").strip().lower()
        if thread is not None and message.channel_id == thread.id not in known:
            known.add(thread.id)
            live.go_to(thread)
            env.bot.dispatch("followed_thread", thread.id)
        elif message.author_id != env.backend.bot_user.id:
            if message.channel_id != channel.id and said == TO_CHANNEL:
                live.go_to(channel)
            elif message.channel_id == channel.id and said == TO_THREAD and thread is not None:
                live.go_to(thread)

    @env.bot.event
    async def on_followed_thread(thread_id: int) -> None:
        await env.bot.get_partial_messageable(thread_id).send(_HINT)

    env.backend.announce_message_create = announced  # type: ignore[method-assign]
