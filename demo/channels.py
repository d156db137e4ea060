"""Channels on the demo's pages: each page shows one, and can switch to any other or to a thread.

A page can also show the direct messages between its viewer and the bot.

SimCord's preview has one channel for all pages. Used by `demo.refreshing`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from simcord import ChannelHandle, Env, SetupError

if TYPE_CHECKING:
    from simcord import Preview


class PageChannels:
    """The channels of a preview's server, direct messages, and what each page shows."""

    def __init__(self, env: Env, preview: Preview) -> None:
        self._env = env
        self._preview = preview
        self._home = preview.channel
        self._page: Any = None
        """The page of the current action."""
        self._find_viewer = preview._viewer
        preview._viewer = self._viewer  # type: ignore[method-assign]

    def listing(self, page: Any) -> dict[str, Any]:
        """Return the channel of a page, and all that it can show, for page.js.

        Archived threads are left out.
        """
        channels = [
            {
                "id": str(number),
                "name": channel._channel.name or "",
                "thread": channel._channel.is_thread,
                "direct": channel.guild is None,
            }
            for number, channel in self._all(page).items()
            if number == page.channel_id or not _is_archived(channel)
        ]
        return {"channel": str(page.channel_id), "channels": channels}

    def leave_deleted(self, page: Any) -> bool:
        """Return a page to the first channel if its own was deleted; return whether it was."""
        if page.channel_id in self._all(page):
            return False
        self._show(page, self._home)
        return True

    def enter(self, page: Any) -> set[int]:
        """Make SimCord act in the channel of this page. Return the ids of the server's channels."""
        self._page = page
        self._preview.channel = self._all(page).get(page.channel_id, self._home)
        return set(self._of_server())

    def leave(self, page: Any, before: set[int]) -> bool:
        """End an action of this page. Return whether it opened a thread, which the page now shows.

        New pages open in the first channel.
        """
        self._page = None
        self._preview.channel = self._home
        channels = self._of_server()
        if not (new := channels.keys() - before):
            return False
        self._show(page, channels[max(new)])
        return True

    def switch(self, page: Any, channel_id: object) -> None:
        """Show another channel or thread on a page. Raise `SetupError` if there is none."""
        channels = self._all(page).items()
        found = [channel for number, channel in channels if str(number) == channel_id]
        if not found:
            raise SetupError("there is no such channel")
        self._show(page, found[0])

    def _show(self, page: Any, channel: ChannelHandle) -> None:
        """Show the newest message of a channel."""
        page.channel_id = channel.id
        page.target_id = self._preview._initial_target(page.viewer, channel.id)
        page.window_end_id = page.target_id

    def _viewer(self, viewer_id: Any) -> Any:
        """Return who looks at the page of the current action: a member, or a user in private.

        In direct messages, another viewer sees their own.
        """
        member, page = self._find_viewer(viewer_id), self._page
        if page is None or page.channel_id in self._of_server():
            return member
        page.channel_id = member.user.dm_channel.id
        return member.user

    def _all(self, page: Any) -> dict[int, ChannelHandle]:
        """Return the channels of the server, then the direct messages of the page's viewer."""
        inbox = self._env.backend.get_dm_channel(page.viewer.id)
        return {**self._of_server(), inbox.id: ChannelHandle(self._env, None, inbox)}

    def _of_server(self) -> dict[int, ChannelHandle]:
        """Return the channels of the server by their ids, each followed by its threads."""
        guild = self._home.guild
        found: dict[int, ChannelHandle] = {}
        for data in list(self._env.backend.channels.values()):
            if guild is not None and data.guild_id == guild.id and not data.is_thread:
                channel = ChannelHandle(self._env, guild, data)
                found |= {place.id: place for place in (channel, *channel.threads)}
        return found


def _is_archived(channel: ChannelHandle) -> bool:
    """Return whether this is an archived thread."""
    metadata = channel._channel.thread_metadata
    return metadata is not None and metadata.archived
