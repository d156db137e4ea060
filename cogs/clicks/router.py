"""Where every click arrives: it finds who answers its verb, and every click is answered.

What changes a table is in `cogs.clicks.requests`; here is also what needs a step before that, and
what only shows a page of a table.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from bot.client import TichuBot
from bot.errors import Reason, Refused, Stale
from bot.history.shared_work import SharedWork
from bot.runtime.metrics import UNKNOWN
from bot.table.rematch import Seats
from bot.table.state import Game
from bot.text.sentences import sentence
from cogs.clicks.click import Click
from cogs.clicks.click_rate import ClickRate
from cogs.clicks.errors import refuse
from cogs.clicks.hand import HandClicks
from cogs.clicks.history import HistoryClicks
from cogs.clicks.inviting import InviteClicks
from cogs.clicks.leaderboard import LeaderboardClicks
from cogs.clicks.lessons import LessonClicks
from cogs.clicks.lobby import LobbyClicks
from cogs.clicks.opening import open_rematch
from cogs.clicks.page_pictures import PagePictures
from cogs.clicks.profile import ProfileClicks
from cogs.clicks.reactions import ReactionClicks
from cogs.clicks.replay import ReplayClicks
from cogs.clicks.requests import REQUESTS, change
from cogs.clicks.rights import RIGHTS, within_rights
from cogs.clicks.seats import SeatClicks
from cogs.clicks.server_settings import ServerClicks
from cogs.clicks.settings import SettingsClicks
from cogs.clicks.sharing import ShareClicks
from cogs.clicks.stopping import StopClicks
from cogs.clicks.table import TableClicks
from cogs.clicks.table_actions import show_hand
from cogs.clicks.tables import TablesClicks
from cogs.delivery.announcer import Announcer
from cogs.delivery.message_languages import know_reader
from cogs.delivery.replies import Reply, begin, forget_table
from cogs.pages.controls import Page, text
from cogs.pages.hand.choices import Draft
from cogs.pages.verbs import Verb
from engine import IllegalAction

REMATCHES: dict[str, Seats] = {
    Verb.REMATCH: "same",
    Verb.NEW_PARTNERS: "new-partners",
    Verb.NEW_LOBBY: "empty",
}


_NO_HAND = (Reason.TABLE_OVER, Reason.NOT_SEATED)
"""Why somebody has no hand where a private page still offers one."""


class Clicks:
    """Handles every click; a refusal is a sentence, a stale button gets the current hand."""

    def __init__(self, bot: TichuBot, announcer: Announcer) -> None:
        self.bot = bot
        self.announcer = announcer
        self.click_rate = ClickRate(bot.clock.now)
        work = SharedWork()
        self.history = HistoryClicks(bot, announcer, work)
        self.replays = ReplayClicks(bot, announcer, work)
        announcer.forgetful.append(lambda: self.replays.replays.forget())
        self.pictures = PagePictures(bot, announcer.picture_support)
        self.profiles = ProfileClicks(bot, announcer, work, self.pictures)
        sharing = ShareClicks(bot, announcer, self.profiles, self.replays)
        self.stops = StopClicks(bot, announcer)
        self.lobbies = LobbyClicks(announcer)
        self.tables = TablesClicks(bot, announcer)
        self.settings = SettingsClicks(bot, announcer)
        self._verbs: dict[str, Callable[[Click], Awaitable[None]]] = {
            **dict.fromkeys(REQUESTS, self._change),
            **dict.fromkeys(REMATCHES, self._rematch),
            Verb.START: self._start,
            **TableClicks(bot, announcer).verbs,
            **self.stops.verbs,
            **HandClicks(bot, announcer).verbs,
            **self.lobbies.verbs,
            **InviteClicks(bot, announcer).verbs,
            **SeatClicks(bot, announcer).verbs,
            **ReactionClicks(bot, announcer).verbs,
            **LeaderboardClicks(announcer).verbs,
            **self.history.verbs,
            **self.replays.verbs,
            **self.profiles.verbs,
            **sharing.verbs,
            **LessonClicks(bot, announcer, self.pictures).verbs,
            **self.tables.verbs,
            **self.settings.verbs,
            **ServerClicks(bot, announcer).verbs,
        }

    async def handle(self, click: Click) -> None:
        """Answer a click, whatever happens.

        One that comes too late, much too fast, or from where it does not belong, is answered with a
        sentence alone.
        """
        try:
            kind = click.verb if click.verb in RIGHTS else UNKNOWN
            begin(self.bot, click.interaction, kind, click.table_id or None)
            self.click_rate.check_click(click.user_id, click.verb)
            click = within_rights(self.bot, click)
        except Exception as error:  # noqa: BLE001 - every click is answered, see `refuse`
            await self._refuse(click, error)
            return
        self.bot.tables.clicked(click.table_id, click.user_id)
        try:
            await Reply(click.interaction).reading(know_reader(self.bot, click.interaction))
            await self._verbs[click.verb](click)
        except (Refused, IllegalAction) as error:
            await self._show_current_hand(click, error)
        except Exception as error:  # noqa: BLE001 - every click is answered, see `refuse`
            await refuse(self.announcer, click.interaction, error)
        finally:
            forget_table(click.interaction)

    async def _show_current_hand(self, click: Click, error: Refused | IllegalAction) -> None:
        """Answer a refused click on a hand, or with a stale button: the hand now and the reason.

        If there is no such hand any more, the reason stands in its place.
        """
        try:
            game = self._game_of_own_hand(click, stale=isinstance(error, Stale))
            if game is None:
                if error.code in _NO_HAND and Reply(click.interaction).on_private_page:
                    say = self.announcer.private(click.interaction).say
                    await Reply(click.interaction).show(Page(text(sentence(say, error))))
                    return
                raise error
            note = "⚠️ " + sentence(self.announcer.private(click.interaction).say, error)
            draft = Draft(note=note, seat=click.seat)
            await show_hand(self.announcer, click.interaction, game, draft)
        except Exception as failure:  # noqa: BLE001 - every click is answered, see `refuse`
            await self._refuse(click, failure)

    async def _refuse(self, click: Click, error: Exception) -> None:
        """Answer a click that is refused; the message of a lobby that is over shows that, too."""
        try:
            await Reply(click.interaction).reading(know_reader(self.bot, click.interaction))
            if isinstance(error, Refused) and error.code is Reason.TABLE_OVER:
                await self.lobbies.show_end(click)
        except Exception as failure:  # noqa: BLE001 - every click is answered, see `refuse`
            error = failure
        await refuse(self.announcer, click.interaction, error)

    def _game_of_own_hand(self, click: Click, *, stale: bool) -> Game | None:
        """The match in which whoever clicked holds a hand, if they clicked on a private page.

        For a `stale` button any page will do. `None` if they hold no hand at this table.
        """
        table = self.bot.tables.find(click.table_id)
        if not isinstance(table, Game):
            return None
        if not stale and not Reply(click.interaction).on_private_page:
            return None
        return table if table.seat_of(click.user_id) is not None else None

    # --- changes of a table --------------------------------------------------------------------

    async def _change(self, click: Click) -> None:
        await change(self.announcer, click)

    async def _start(self, click: Click) -> None:
        """Start the match, if the bot may write where it is played."""
        table = self.bot.tables.get(click.table_id)
        await self.announcer.check_channel(click.interaction, table.channel_id)
        await change(self.announcer, click)

    async def _rematch(self, click: Click) -> None:
        """A new lobby with the options of a finished match."""
        seats = REMATCHES[click.verb]
        await open_rematch(self.announcer, click.interaction, click.table_id, seats)
