"""What each button and select does: a command to the tables or a page, and the answer."""

from __future__ import annotations

import dataclasses
from collections.abc import Awaitable, Callable

from bot.client import TichuBot
from bot.errors import Reason, Refused, Stale
from bot.table.commands import Act, Command, Pause, Start, SwapSeats, require_lobby
from bot.table.state import Game, play_to_beat
from bot.text.sentences import sentence
from cogs.clicks.commands import AT_ANY_REVISION, HAND, LOBBY, HandClick
from cogs.clicks.history import HistoryClicks
from cogs.clicks.leaderboard import LeaderboardClicks
from cogs.clicks.opening import open_rematch
from cogs.clicks.profile import ProfileClicks
from cogs.clicks.replay import ReplayClicks
from cogs.clicks.seats import SeatClicks
from cogs.clicks.settings import SettingsClicks
from cogs.delivery.announcer import Announcer
from cogs.delivery.replies import Reply, refuse, show_hand
from cogs.pages.controls import Click, Page, number, text
from cogs.pages.hand_choices import Draft, read_gifts
from cogs.pages.hand_controls import dog_targets
from cogs.pages.hints import hint
from cogs.pages.lobby import lobby_page, swap_page
from cogs.pages.log import log_page
from cogs.pages.play_choices import read_choice
from cogs.pages.result import result_page
from cogs.pages.rules import chosen_rules, rules_page
from cogs.pages.verbs import CARD_VERBS, Verb
from engine import DOGS, MAHJONGS, CallTichu, IllegalAction, Play, read_cards, verify


class Clicks:
    """Handles every click; a refusal is a sentence, a stale button gets the current hand."""

    def __init__(self, bot: TichuBot, announcer: Announcer) -> None:
        self.bot = bot
        self.announcer = announcer
        self.history = HistoryClicks(bot, announcer)
        self.replays = ReplayClicks(bot, announcer)
        self.profiles = ProfileClicks(bot, announcer)
        self._verbs: dict[str, Callable[[Click], Awaitable[None]]] = {
            **dict.fromkeys(LOBBY, self._change_lobby),
            **dict.fromkeys(HAND, self._change_hand),
            **dict.fromkeys(CARD_VERBS, self._choose_gift),
            Verb.SWAP: self._swap,
            Verb.START: self._start,
            Verb.HAND: self._hand,
            Verb.REFRESH: self._hand,
            Verb.LOG: self._log,
            Verb.RULES: self._rules,
            Verb.PAUSE: self._pause,
            Verb.RESUME: self._pause,
            Verb.REMATCH: self._rematch,
            Verb.NEW_PARTNERS: self._rematch_with_new_partners,
            Verb.NEW_LOBBY: self._new_lobby,
            Verb.PLAY: self._play,
            Verb.CARDS: self._choose_cards,
            Verb.BOMBS: self._choose_bomb,
            Verb.TURN_TO: self._turn_to,
            Verb.HINT: self._hint,
            Verb.TICHU: self._confirm_tichu,
            **SeatClicks(bot, announcer).verbs,
            **LeaderboardClicks(announcer).verbs,
            **self.history.verbs,
            **self.replays.verbs,
            **self.profiles.verbs,
            **SettingsClicks(bot, announcer).verbs,
        }

    async def handle(self, click: Click) -> None:
        """Answer a click, whatever happens."""
        try:
            answer = self._verbs.get(click.verb)
            if answer is None:
                raise Refused(Reason.UNKNOWN_BUTTON)
            await answer(click)
        except (Refused, IllegalAction) as error:
            await self._show_current_hand(click, error)
        except Exception as error:  # noqa: BLE001 - every click is answered, see `refuse`
            await refuse(self.announcer, click.interaction, error)

    async def _show_current_hand(self, click: Click, error: Refused | IllegalAction) -> None:
        """A refused click on a hand is answered with the hand as it is now and the reason."""
        try:
            game = self._own_hand(click)
            if game is None:
                raise error
            note = "⚠️ " + sentence(self.announcer.private(click.interaction).say, error)
            draft = Draft(note=note, seat=click.seat)
            await show_hand(self.announcer, click.interaction, game, draft)
        except Exception as failure:  # noqa: BLE001 - every click is answered, see `refuse`
            await refuse(self.announcer, click.interaction, failure)

    def _own_hand(self, click: Click) -> Game | None:
        """The table, if the click was on a private page of somebody who holds a hand there."""
        table = self.bot.tables.find(click.table_id)
        if not isinstance(table, Game) or not Reply(click.interaction).on_private_page:
            return None
        return table if table.seat_of(click.user_id) is not None else None

    # --- lobby ---------------------------------------------------------------------------------

    async def _change_lobby(self, click: Click) -> None:
        """A change of a lobby; the click's own answer is the new lobby."""
        computer = self.announcer.public(self.bot.tables.get(click.table_id)).say("Computer")
        command = LOBBY[click.verb](click, computer)
        changing = self.bot.tables.execute(click.table_id, click.user_id, command)
        table = await Reply(click.interaction).changing(changing)
        if table.status == "lobby":
            lobby = require_lobby(table)
            await Reply(click.interaction).replace(lobby_page(lobby, self.announcer.public(lobby)))
            current = self.bot.tables.find(lobby.id)
            if current is not None and current is not lobby and current.status == "lobby":
                self.announcer.lobby_changed(current)  # somebody clicked at the same moment
        else:
            await Reply(click.interaction).acknowledge()

    async def _swap(self, click: Click) -> None:
        words = self.announcer.private(click.interaction)
        if not click.values:
            lobby = require_lobby(self.bot.tables.get(click.table_id))
            await Reply(click.interaction).show(swap_page(lobby, words))
            return
        if len(click.values) != 2:
            raise Refused(Reason.UNKNOWN_BUTTON)
        first, second = (number(value) for value in click.values)
        swapping = self.bot.tables.execute(click.table_id, click.user_id, SwapSeats(first, second))
        table = await Reply(click.interaction).changing(swapping)
        await Reply(click.interaction).show(Page(text(words.say("Done: the seats are swapped."))))
        self.announcer.lobby_changed(table)

    async def _start(self, click: Click) -> None:
        table = self.bot.tables.get(click.table_id)
        await self.announcer.check_channel(click.interaction, table.channel_id)
        starting = self.bot.tables.execute(click.table_id, click.user_id, Start())
        await Reply(click.interaction).changing(starting)
        await Reply(click.interaction).acknowledge()

    # --- table ---------------------------------------------------------------------------------

    async def _hand(self, click: Click) -> None:
        await show_hand(self.announcer, click.interaction, self.bot.tables.get(click.table_id))

    async def _log(self, click: Click) -> None:
        table = self.bot.tables.get(click.table_id)
        if not isinstance(table, Game):
            raise Refused(Reason.NOT_STARTED)
        await Reply(click.interaction).show(
            log_page(table, self.announcer.private(click.interaction))
        )

    async def _rules(self, click: Click) -> None:
        game, topic = chosen_rules(click.chosen)
        words = self.announcer.private(click.interaction)
        await Reply(click.interaction).show(rules_page(words, topic, game))

    async def _pause(self, click: Click) -> None:
        command = Pause(click.verb == Verb.PAUSE)
        pausing = self.bot.tables.execute(click.table_id, click.user_id, command)
        table = await Reply(click.interaction).changing(pausing)
        assert isinstance(table, Game)
        self.announcer.catch_up(table, click.user_id)
        await Reply(click.interaction).replace(result_page(table, self.announcer.public(table)))

    async def _rematch(self, click: Click) -> None:
        """A new lobby with everybody on the seats of the finished match."""
        await open_rematch(self.announcer, click.interaction, click.table_id, "same")

    async def _rematch_with_new_partners(self, click: Click) -> None:
        """The same with teams that are drawn anew."""
        await open_rematch(self.announcer, click.interaction, click.table_id, "new-partners")

    async def _new_lobby(self, click: Click) -> None:
        """A new lobby with only the clicker in it."""
        await open_rematch(self.announcer, click.interaction, click.table_id, "empty")

    # --- hand ----------------------------------------------------------------------------------

    async def _change_hand(self, click: Click) -> None:
        """A change at the table; the answer is the clicker's fresh hand."""
        game, seat = self._seated(click, any_revision=click.verb in AT_ANY_REVISION)
        await self._execute(click, HAND[click.verb](HandClick(click, game, seat)))

    async def _execute(self, click: Click, command: Command) -> None:
        """Carry out a command; the answer is the clicker's fresh hand."""
        changing = self.bot.tables.execute(click.table_id, click.user_id, command)
        await show_hand(
            self.announcer, click.interaction, await Reply(click.interaction).changing(changing)
        )

    async def _play(self, click: Click) -> None:
        """A play is chosen; with the Mah Jong or a Dog something else has to be chosen, too."""
        cards, phoenix = read_choice(click.chosen)
        game, seat = self._seated(click)
        if cards & MAHJONGS:
            await self._draft(click, game, Draft(wish_for=(cards, phoenix)))
            return
        targets = dog_targets(game.situation(seat).live) if cards & DOGS else ()
        if len(targets) > 1:
            await self._draft(click, game, Draft(dog=True))
            return
        play = (
            Play(seat, cards, partner=targets[0]) if targets else Play(seat, cards, phoenix or None)
        )
        await self._execute(click, Act(play, click.revision))

    async def _choose_gift(self, click: Click) -> None:
        """One card of the exchange is chosen; the others are remembered in the buttons."""
        game, seat = self._seated(click)
        due = game.situation(seat).now.gifts
        gifts = read_gifts(due, click.args)
        place = CARD_VERBS.index(Verb(click.verb))
        if place >= len(due) or not click.values:
            raise Refused(Reason.UNKNOWN_BUTTON)
        gift = due[place]
        gifts[gift.receiver] = gift.forced | read_cards(" ".join(click.values))
        await self._draft(click, game, Draft(gifts=gifts))

    async def _choose_cards(self, click: Click) -> None:
        """Cards were chosen one by one; the page names what they are."""
        game, _ = self._seated(click)
        await self._draft(click, game, Draft(chosen=read_cards(" ".join(click.values))))

    async def _choose_bomb(self, click: Click) -> None:
        """Several bombs: which one?"""
        game, seat = self._seated(click, any_revision=True)
        view = game.situation(seat).now
        if play_to_beat(view) != click.args:
            raise Stale
        await self._draft(click, game, Draft(bombs=view.bombs))

    async def _turn_to(self, click: Click) -> None:
        """Whoever decides for two seats turns to the other one."""
        game, seat = self._seated(click)
        await self._draft(click, game, Draft(seat=seat))

    async def _hint(self, click: Click) -> None:
        """What an Expert would do; cards that were chosen to be given away stay chosen."""
        advising = self.bot.tables.advise(click.table_id, click.user_id, click.revision, click.seat)
        game, advice = await Reply(click.interaction).reading(advising)
        _, seat = self._seated(click)
        words = self.announcer.private(click.interaction)
        gifts = read_gifts(game.situation(seat).live.gifts, click.args)
        note = hint(game, seat, advice, words)
        await self._draft(click, game, Draft(note=note, gifts=gifts))

    async def _confirm_tichu(self, click: Click) -> None:
        """Ask before a call: it cannot be taken back. Any revision of this table will do."""
        game, seat = self._seated(click, any_revision=True)
        verify(game.match, CallTichu(seat))
        await self._draft(click, game, Draft(confirm_tichu=True))

    async def _draft(self, click: Click, game: Game, draft: Draft) -> None:
        """Show the hand with what has been chosen so far."""
        if click.seat is not None:
            draft = dataclasses.replace(draft, seat=click.seat)
        await show_hand(self.announcer, click.interaction, game, draft)

    def _seated(self, click: Click, *, any_revision: bool = False) -> tuple[Game, int]:
        """The game and the seat the clicker acts for, unless the button is stale."""
        revision = None if any_revision else click.revision
        return self.bot.tables.seated(click.table_id, click.user_id, click.seat, revision)
