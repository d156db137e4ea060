"""Context of a click or command: the bot, the user, their words, and the reply."""

from __future__ import annotations

import asyncio

from bot.client import TichuBot
from bot.errors import Reason, Refused
from bot.history.replay_cache import Replays
from bot.ids import ChannelId, GuildId, UserId
from bot.live.events import PersonForgotten
from bot.table.state import Game, OpenTable
from bot.text.cards import Speaker
from bot.text.people import channel_mention
from cogs.clicks.click import Click
from cogs.clicks.limits import Limits
from cogs.clicks.page_pictures import PagePictures
from cogs.clicks.page_tasks import PageTasks
from cogs.delivery.announcer import Announcer
from cogs.delivery.channel_permissions import missing_permissions
from cogs.delivery.message_languages import card_style, private_words, public_words
from cogs.delivery.places import server_of
from cogs.delivery.replies import Interaction, Reply
from cogs.pages.table.blocked import permission_names


class Services:
    """State shared by all clicks and commands of one bot."""

    def __init__(self, bot: TichuBot, announcer: Announcer) -> None:
        self.bot = bot
        self.announcer = announcer
        self.limits = Limits(bot.clock.now)
        self.pictures = PagePictures(bot, announcer.picture_support)
        self.reviewing = PageTasks("review")
        """Pages of reviews that are being made."""
        self.work = bot.shared_work
        """Long computations shared by several readers."""
        self.personal_lock = asyncio.Lock()
        """Lock for changes of personal settings."""
        self.server_lock = asyncio.Lock()
        """Lock for changes of a server's settings."""
        bot.events.subscribe(PersonForgotten, self._forget)

    @property
    def replays(self) -> Replays:
        """Cache of replays; the store is opened after the cogs."""
        return self.bot.replays

    def _forget(self, event: PersonForgotten) -> None:
        """Drop cached data of an erased person."""
        self.replays.clear()
        self.bot.reviews.forget(event.user_id)


class Context:
    """Click or command that is being answered."""

    def __init__(self, services: Services, interaction: Interaction) -> None:
        self.services = services
        self.bot = services.bot
        self.announcer = services.announcer
        self.interaction = interaction
        self.reply = Reply(interaction)

    @property
    def user_id(self) -> UserId:
        """User who clicked or sent the command."""
        return UserId(self.interaction.user.id)

    @property
    def guild_id(self) -> GuildId:
        """Server with the bot; 0 for an interaction from anywhere else, see `places`."""
        return server_of(self.interaction)

    @property
    def words(self) -> Speaker:
        """Words for the user alone, in their language and with cards as they have chosen."""
        locale = self.interaction.locale.value
        return private_words(self.bot, self.user_id, locale, self.guild_id)

    @property
    def reads_text(self) -> bool:
        """True if the user reads cards as text."""
        return card_style(self.bot, self.user_id, self.guild_id) == "text"

    def public_words(self, guild_id: GuildId | None = None) -> Speaker:
        """Return the words for everybody on a server, by default that of the interaction."""
        return public_words(self.bot, guild_id or self.guild_id)

    def check_channel(self, channel_id: ChannelId, *, thread: bool = False) -> None:
        """Raise `Refused` if the bot lacks permissions for a table in this channel.

        With `thread` the table gets a new thread there.
        """
        missing = missing_permissions(self.bot, self.interaction, channel_id, thread=thread)
        if missing:
            say = self.words.say
            names = say.join(permission_names(say)[name] for name in missing)
            raise Refused(
                Reason.PERMISSIONS, permissions=names, channel=channel_mention(channel_id)
            )


class ClickContext(Context):
    """Click that is being answered."""

    def __init__(self, services: Services, interaction: Interaction, click: Click) -> None:
        super().__init__(services, interaction)
        self.click = click

    @property
    def table(self) -> OpenTable:
        """Current state of the control's table. Raise `Refused` if it is over."""
        return self.bot.tables.get(self.click.table_id)

    def own_game(self) -> Game | None:
        """Return the match of the control, if the user sits there."""
        table = self.bot.tables.find(self.click.table_id)
        if isinstance(table, Game) and table.seat_of(self.user_id) is not None:
            return table
        return None

    def on_public_message(self, table: OpenTable) -> bool:
        """Return whether the control is on a message that everybody at the table sees."""
        here = self.interaction.channel_id == table.channel_id
        return here and not self.reply.on_private_page
