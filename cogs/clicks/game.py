"""What each button and select does: one line from the click to the tables, and the answer.

Every verb of `cogs.pages.controls` is a method here, named after it.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Awaitable, Callable

from bot.client import TichuBot
from bot.errors import Refused, Stale
from bot.table.state import TableState, play_to_beat
from bot.text.sentences import sentence
from cogs.clicks.history import HistoryClicks
from cogs.clicks.leaderboard import LeaderboardClicks
from cogs.clicks.opening import open_rematch
from cogs.clicks.profile import ProfileClicks
from cogs.clicks.replay import ReplayClicks
from cogs.clicks.seats import SeatClicks
from cogs.clicks.settings import SettingsClicks
from cogs.delivery.announcer import Surface
from cogs.delivery.replies import in_time, on_private_page, refuse, replace, show, show_hand
from cogs.pages.controls import Click, Page, number, text
from cogs.pages.hand import Draft, dog_targets, situation
from cogs.pages.hand_choices import read_gifts
from cogs.pages.hints import hint
from cogs.pages.lobby import lobby_page, swap_page
from cogs.pages.log import log_page
from cogs.pages.play_choices import read_choice
from cogs.pages.result import result_page
from cogs.pages.rules import chosen_rules, rules_page
from engine.actions import (
    Action,
    AnswerGrand,
    AnswerWithdraw,
    CallTichu,
    GiveTrick,
    Pass,
    PassCards,
    Play,
)
from engine.cards import DOGS, MAHJONGS, read_cards
from engine.errors import IllegalAction
from engine.match import verify

Make = Callable[[int], Action]


class Clicks:
    """Handles every click; a refusal is a sentence, a stale button gets the current hand."""

    def __init__(self, bot: TichuBot, surface: Surface) -> None:
        self.bot = bot
        self.surface = surface
        self._verbs: dict[str, Callable[[Click], Awaitable[None]]] = {
            "join": self.join,
            "leave": self.leave,
            "swap": self.swap,
            "add-computer": self.add_computer,
            "remove-computer": self.remove_computer,
            "start": self.start,
            "hand": self.hand,
            "refresh": self.hand,
            "log": self.log,
            "rules": self.rules,
            "pause": self.pause,
            "resume": self.pause,
            "rematch": self.rematch,
            "new-partners": self.rematch_with_new_partners,
            "new-lobby": self.new_lobby,
            "grand": self.grand,
            "withdraw": self.withdraw,
            "give": self.give,
            "play": self.play,
            "cards": self.cards,
            "wish": self.wish,
            "pass": self.pass_turn,
            "auto-pass": self.auto_pass,
            "take-back": self.take_back,
            "wait": self.wait,
            "bomb": self.bomb,
            "bombs": self.bombs,
            "gift": self.gift,
            "dog": self.dog,
            "turn-to": self.turn_to,
            "hint": self.hint,
            "tichu": self.tichu,
            "tichu-yes": self.tichu_yes,
        }
        self._verbs |= {f"card-{letter}": self.card_for for letter in "abcdefghijkl"}
        self._verbs |= SeatClicks(bot, surface).verbs
        self._verbs |= LeaderboardClicks(surface).verbs
        self.history = HistoryClicks(bot, surface)
        self.replays = ReplayClicks(bot, surface)
        self._verbs |= self.history.verbs | self.replays.verbs
        self.profiles = ProfileClicks(bot, surface)
        self._verbs |= self.profiles.verbs
        self._verbs |= SettingsClicks(bot, surface).verbs

    async def handle(self, click: Click) -> None:
        """Answer a click, whatever happens."""
        try:
            verb = self._verbs.get(click.verb)
            if verb is None:
                raise Refused("unknown-button")
            await verb(click)
        except (Refused, IllegalAction) as error:
            await self._show_current_hand(click, error)
        except Exception as error:  # noqa: BLE001 - every click is answered, see `refuse`
            await refuse(self.surface, click.interaction, error)

    async def _show_current_hand(self, click: Click, error: Refused | IllegalAction) -> None:
        """A refused click on a hand is answered with the hand as it is now and the reason."""
        try:
            state = self._own_hand(click)
            if state is None:
                raise error
            note = "⚠️ " + sentence(self.surface.private(click.interaction).say, error)
            draft = Draft(note=note, seat=click.seat)
            await show_hand(self.surface, click.interaction, state, draft)
        except Exception as failure:  # noqa: BLE001 - every click is answered, see `refuse`
            await refuse(self.surface, click.interaction, failure)

    # --- lobby ---------------------------------------------------------------------------------

    async def _lobby(self, click: Click, change: Awaitable[TableState]) -> None:
        """A change of a lobby; the click's own answer is the new lobby."""
        state = await in_time(click.interaction, change)
        if state.status == "lobby":
            await replace(click.interaction, lobby_page(state, self.surface.public(state)))
            current = self.bot.tables.find(state.id)
            if current is not None and current is not state and current.status == "lobby":
                self.surface.lobby_changed(current)  # somebody clicked at the same moment
        elif not click.interaction.response.is_done():
            await click.interaction.response.defer()

    async def join(self, click: Click) -> None:
        user = click.interaction.user
        await self._lobby(click, self.bot.tables.join(click.table_id, user.id, user.display_name))

    async def leave(self, click: Click) -> None:
        user_id = click.interaction.user.id
        await self._lobby(click, self.bot.tables.leave(click.table_id, user_id))

    async def add_computer(self, click: Click) -> None:
        state = self.bot.tables.get(click.table_id)
        name = self.surface.public(state).say("Computer")
        user_id = click.interaction.user.id
        await self._lobby(click, self.bot.tables.add_computer(click.table_id, user_id, name))

    async def remove_computer(self, click: Click) -> None:
        user_id = click.interaction.user.id
        await self._lobby(click, self.bot.tables.remove_computer(click.table_id, user_id))

    async def swap(self, click: Click) -> None:
        to = self.surface.private(click.interaction)
        if not click.values:
            state = self.bot.tables.get(click.table_id)
            if state.status != "lobby":
                raise Refused("already-started")
            await show(click.interaction, swap_page(state, to))
            return
        if len(click.values) != 2:
            raise Refused("unknown-button")
        one, other = (number(value) for value in click.values)
        state = await in_time(
            click.interaction,
            self.bot.tables.swap(click.table_id, click.interaction.user.id, one, other),
        )
        await show(click.interaction, Page(text(to.say("Done: the seats are swapped."))))
        self.surface.lobby_changed(state)

    async def start(self, click: Click) -> None:
        state = self.bot.tables.get(click.table_id)
        await self.surface.check_channel(click.interaction, state.channel_id)
        await in_time(
            click.interaction, self.bot.tables.start(click.table_id, click.interaction.user.id)
        )
        if not click.interaction.response.is_done():
            await click.interaction.response.defer()

    # --- table ---------------------------------------------------------------------------------

    async def hand(self, click: Click) -> None:
        await show_hand(self.surface, click.interaction, self.bot.tables.get(click.table_id))

    async def log(self, click: Click) -> None:
        state = self.bot.tables.get(click.table_id)
        if state.match is None or state.round is None:
            raise Refused("not-started")
        await show(click.interaction, log_page(state, self.surface.private(click.interaction)))

    async def rules(self, click: Click) -> None:
        game, topic = chosen_rules(click.values[0] if click.values else click.args)
        to = self.surface.private(click.interaction)
        await show(click.interaction, rules_page(to, topic, game))

    async def pause(self, click: Click) -> None:
        state = await in_time(
            click.interaction,
            self.bot.tables.pause(click.table_id, click.interaction.user.id, click.verb == "pause"),
        )
        await replace(click.interaction, result_page(state, self.surface.public(state)))

    async def rematch(self, click: Click) -> None:
        """A new lobby with everybody on the seats of the finished match."""
        await open_rematch(self.surface, click.interaction, click.table_id, "same")

    async def rematch_with_new_partners(self, click: Click) -> None:
        """The same with teams that are drawn anew."""
        await open_rematch(self.surface, click.interaction, click.table_id, "new-partners")

    async def new_lobby(self, click: Click) -> None:
        """A new lobby with only the clicker in it."""
        await open_rematch(self.surface, click.interaction, click.table_id, "empty")

    # --- hand ----------------------------------------------------------------------------------

    async def _act(self, click: Click, make: Make) -> None:
        """One engine action of a seat the clicker decides for; the answer is his fresh hand."""
        user_id = click.interaction.user.id
        await self._hand_change(
            click,
            self.bot.tables.act(click.table_id, user_id, click.stamp, make, click.seat),
        )

    async def _hand_change(self, click: Click, change: Awaitable[TableState]) -> None:
        state = await in_time(click.interaction, change)
        await show_hand(self.surface, click.interaction, state)

    async def grand(self, click: Click) -> None:
        await self._act(click, lambda seat: AnswerGrand(seat, click.args == "yes"))

    async def withdraw(self, click: Click) -> None:
        await self._act(click, lambda seat: AnswerWithdraw(seat, click.args == "yes"))

    async def card_for(self, click: Click) -> None:
        """One card of the exchange is chosen; the others are remembered in the buttons."""
        state, seat = self._own(click)
        view = situation(state, seat).now
        gifts = read_gifts(view.gifts, click.args)
        place = "abcdefghijkl".index(click.verb[-1])
        if place >= len(view.gifts) or not click.values:
            raise Refused("unknown-button")
        gift = view.gifts[place]
        gifts[gift.to] = gift.forced | read_cards(" ".join(click.values))
        await self._draft(click, state, Draft(gifts=gifts))

    async def give(self, click: Click) -> None:
        state, seat = self._own(click)
        due = situation(state, seat).now.gifts
        gifts = tuple(sorted(read_gifts(due, click.args).items()))
        await self._act(click, lambda at: PassCards(at, gifts))

    async def play(self, click: Click) -> None:
        cards, phoenix = read_choice(click.values[0] if click.values else click.args)
        state, seat = self._own(click)
        if cards & MAHJONGS:
            await self._draft(click, state, Draft(wish_for=(cards, phoenix)))
            return
        targets = dog_targets(situation(state, seat).live) if cards & DOGS else ()
        if len(targets) > 1:
            await self._draft(click, state, Draft(dog=True))
            return
        if targets:
            await self._act(click, lambda at: Play(at, cards, to=targets[0]))
            return
        await self._act(click, lambda seat: Play(seat, cards, phoenix))

    async def dog(self, click: Click) -> None:
        """The partner who gets the lead is chosen."""
        state, seat = self._own(click)
        held = situation(state, seat).now.hand.cards & DOGS
        await self._act(click, lambda at: Play(at, held, to=number(click.args)))

    async def turn_to(self, click: Click) -> None:
        """Whoever decides for two seats turns to the other one."""
        state, seat = self._own(click)
        await self._draft(click, state, Draft(seat=seat))

    async def hint(self, click: Click) -> None:
        """What an Expert would do; cards that were chosen to be given away stay chosen."""
        user_id = click.interaction.user.id
        state, advice = await in_time(
            click.interaction,
            self.bot.tables.advise(click.table_id, user_id, click.stamp, click.seat),
        )
        _, seat = self._own(click)
        to = self.surface.private(click.interaction)
        due = situation(state, seat).live.gifts
        draft = Draft(note=hint(state, seat, advice, to), gifts=read_gifts(due, click.args))
        await self._draft(click, state, draft)

    async def _draft(self, click: Click, state: TableState, draft: Draft) -> None:
        """Show the hand with what has been chosen so far."""
        if click.seat is not None:
            draft = dataclasses.replace(draft, seat=click.seat)
        await show_hand(self.surface, click.interaction, state, draft)

    async def wish(self, click: Click) -> None:
        cards, phoenix = read_choice(click.args)
        chosen = click.values[0] if click.values else "none"
        rank = None if chosen == "none" else number(chosen)
        await self._act(click, lambda seat: Play(seat, cards, phoenix, rank))

    async def cards(self, click: Click) -> None:
        """Cards were chosen one by one; the page names what they are."""
        state, _ = self._own(click)
        chosen = 0
        for value in click.values:
            chosen |= read_cards(value)
        await self._draft(click, state, Draft(chosen=chosen))

    async def pass_turn(self, click: Click) -> None:
        await self._act(click, Pass)

    async def auto_pass(self, click: Click) -> None:
        # The button is for one trick, whatever has been played in it since.
        switch, _, trick = click.args.partition(".")
        user_id = click.interaction.user.id
        change = self.bot.tables.pass_this_trick(
            click.table_id, user_id, trick, switch == "on", click.seat
        )
        await self._hand_change(click, change)

    async def take_back(self, click: Click) -> None:
        user_id = click.interaction.user.id
        await self._hand_change(
            click, self.bot.tables.take_back(click.table_id, user_id, click.stamp, click.seat)
        )

    async def wait(self, click: Click) -> None:
        user_id = click.interaction.user.id
        await self._hand_change(
            click, self.bot.tables.hold_window(click.table_id, user_id, number(click.args))
        )

    async def bomb(self, click: Click) -> None:
        # The button is for one play on the table, whoever has passed since.
        target, _, chosen = click.args.partition(",")
        cards, _ = read_choice(click.values[0] if click.values else chosen)
        user_id = click.interaction.user.id
        await self._hand_change(
            click, self.bot.tables.bomb(click.table_id, user_id, target, cards, click.seat)
        )

    async def bombs(self, click: Click) -> None:
        """Several bombs: which one?"""
        state, seat = self._seat(click)
        at = situation(state, seat)
        if play_to_beat(at.now) != click.args:
            raise Stale
        await self._draft(click, state, Draft(bombs=at.now.bombs))

    async def gift(self, click: Click) -> None:
        await self._act(click, lambda seat: GiveTrick(seat, number(click.args)))

    async def tichu(self, click: Click) -> None:
        """Ask before a call: it cannot be taken back. Any stamp of this table will do, as below."""
        state, seat = self._seat(click)
        assert state.match is not None
        verify(state.match, CallTichu(seat))
        await self._draft(click, state, Draft(confirm_tichu=True))

    async def tichu_yes(self, click: Click) -> None:
        # A call does not depend on what lies on the table: any stamp of this table will do.
        user_id = click.interaction.user.id
        change = self.bot.tables.act(click.table_id, user_id, None, CallTichu, click.seat)
        await self._hand_change(click, change)

    def _own_hand(self, click: Click) -> TableState | None:
        """The table, if the click was on a private page of somebody who holds a hand there."""
        state = self.bot.tables.find(click.table_id)
        if state is None or state.match is None or not on_private_page(click.interaction):
            return None
        return state if state.seat_of(click.interaction.user.id) is not None else None

    def _own(self, click: Click) -> tuple[TableState, int]:
        """The table and the seat the clicker acts for, unless the button is stale."""
        state, seat = self._seat(click)
        if click.stamp != state.stamp:
            raise Stale
        return state, seat

    def _seat(self, click: Click) -> tuple[TableState, int]:
        """The table and the seat the clicker acts for."""
        state = self.bot.tables.get(click.table_id)
        chair = state.seat_of(click.interaction.user.id)
        if chair is None:
            raise Refused("not-seated")
        if state.match is None:
            raise Refused("not-started")
        if click.seat is not None and click.seat not in state.seats_of_chair(chair):
            raise Refused("not-your-hand")
        return state, chair if click.seat is None else click.seat
