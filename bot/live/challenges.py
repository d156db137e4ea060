"""Challenges: offers, answers and ends; what each of the two may see."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta

from bot.boards.board import Board
from bot.boards.challenge import (
    ChallengeComparison,
    FairDeals,
    Seen,
    accept,
    check_offer,
    check_room,
    decline,
    leave,
    see,
    settle,
)
from bot.challenge_records import DEAL_NUMBERS, Challenge
from bot.errors import Reason, Refused
from bot.ids import ChallengeId, ChannelId, GuildId, UserId
from bot.live.boards import Boards
from bot.live.events import ChallengeChanged, Committed, EventDispatcher, PersonForgotten
from bot.live.forgetting import Forgetting
from bot.live.leases import Leases
from bot.runtime.background import in_background
from bot.runtime.clock import Clock
from bot.storage import StorageError, Store
from bot.table.dealing import DrawSecret
from bot.table.solo_game import SoloGame
from players.boards import VERSION

log = logging.getLogger(__name__)

LOOK_EVERY = timedelta(minutes=15)
"""Interval at which ends that nobody has caused are found."""


class Challenges:
    """Challenges of all people."""

    def __init__(
        self,
        store: Store,
        clock: Clock,
        boards: Boards,
        forgetting: Forgetting,
        events: EventDispatcher,
        leases: Leases,
        draw_secret: DrawSecret,
    ) -> None:
        self._store = store
        self._clock = clock
        self._boards = boards
        self._forgetting = forgetting
        self._events = events
        self._leases = leases
        self._draw_secret = draw_secret
        self._tasks = set[asyncio.Task[None]]()
        events.subscribe(Committed, self._on_committed)
        events.subscribe(PersonForgotten, self._on_person_forgotten)

    # --- changes -------------------------------------------------------------------------------

    async def check_offer(self, challenger: UserId, challenged: UserId) -> None:
        """Raise `Refused` unless an offer is possible now."""
        challenges = await self._of(challenger, challenged)
        check_offer(challenges, challenger, challenged, self._clock.now())

    async def offer(
        self, challenger: UserId, challenged: UserId, guild_id: GuildId, channel_id: ChannelId
    ) -> Challenge:
        """Store an offer with the secrets of its deals. Raise `Refused` if it is not possible."""
        async with self._forgetting.delay_erasure(challenger):
            self._forgetting.check(challenged)
            await self.check_offer(challenger, challenged)
            now, no_id = self._clock.now(), ChallengeId(0)
            new = Challenge(no_id, challenger, challenged, guild_id, channel_id, "offered", now)
            secrets = [self._draw_secret().hex() for _ in DEAL_NUMBERS]
            challenge = await self._store.challenges.add(new, secrets)
        self._events.dispatch(ChallengeChanged(challenge.id))
        return challenge

    async def accept(self, challenge_id: ChallengeId, user_id: UserId) -> Challenge:
        """Accept an offer. Raise `Refused` if that is not possible."""
        check_room(await self._of(user_id), user_id)
        return await self._change(challenge_id, user_id, accept)

    async def decline(self, challenge_id: ChallengeId, user_id: UserId) -> Challenge:
        """Decline an offer. Raise `Refused` if that is not possible."""
        return await self._change(challenge_id, user_id, decline)

    async def leave(self, challenge_id: ChallengeId, user_id: UserId) -> Challenge:
        """Leave a challenge, or withdraw an offer. Raise `Refused` if that is not possible."""
        return await self._change(challenge_id, user_id, leave)

    async def _change(
        self,
        challenge_id: ChallengeId,
        user_id: UserId,
        change: Callable[[Challenge, UserId, datetime], Challenge],
    ) -> Challenge:
        """Store the change of a challenge; repeat it if another change was faster."""
        while True:
            before = await self.get(challenge_id, user_id)
            after = change(before, user_id, self._clock.now())
            if await self._replace(before, after):
                return after

    async def _replace(self, before: Challenge, after: Challenge) -> bool:
        """Store a new status; return False if another change was faster."""
        is_stored = await self._store.challenges.replace(before, after)
        if is_stored:
            self._events.dispatch(ChallengeChanged(after.id))
        return is_stored

    # --- what people see -----------------------------------------------------------------------

    async def get(self, challenge_id: ChallengeId, user_id: UserId) -> Challenge:
        """Return a challenge of this person as it is now; raise `Refused` for another one."""
        challenge = await self._store.challenges.get(challenge_id)
        if challenge is None or user_id not in challenge.people:
            raise Refused(Reason.NOT_YOUR_CHALLENGE)
        (settled,) = await self._settled([challenge])
        return settled

    async def of(self, user_id: UserId) -> list[Seen]:
        """Return the challenges of a person, newest first, with what they may see of them."""
        challenges = await self._of(user_id)
        rounds = await self._store.challenges.rounds([each.id for each in challenges])
        return [see(each, rounds[each.id], user_id) for each in challenges]

    async def see(self, challenge: Challenge, user_id: UserId) -> Seen:
        """Return what one of the two people may see of a challenge."""
        rounds = await self._store.challenges.rounds([challenge.id])
        return see(challenge, rounds[challenge.id], user_id)

    async def fair_deals(self, challenge_id: ChallengeId) -> FairDeals:
        """Return the commitments, and the secrets once it is over. Raise `Refused` if unknown."""
        challenge = await self._store.challenges.get(challenge_id)
        if challenge is None:
            raise Refused(Reason.NOT_YOUR_CHALLENGE)
        (challenge,) = await self._settled([challenge])
        boards = await self._boards.of_challenge(challenge_id)
        return FairDeals(
            tuple(each.commitment for each in boards), () if challenge.is_open else tuple(boards)
        )

    async def next_board(self, challenge_id: ChallengeId, user_id: UserId) -> Board:
        """Return the board of the person's next deal. Raise `Refused` if there is none."""
        challenge = await self.get(challenge_id, user_id)
        if challenge.status == "offered":
            raise Refused(Reason.CHALLENGE_OFFERED)
        seen = await self.see(challenge, user_id)
        if isinstance(seen, ChallengeComparison):
            raise Refused(Reason.CHALLENGE_OVER)
        if seen.next_number is None:
            raise Refused(Reason.CHALLENGE_PLAYED)
        return (await self._boards.of_challenge(challenge_id))[seen.next_number - 1]

    async def _of(self, *user_ids: UserId) -> list[Challenge]:
        """Return all challenges of these people as they are now, newest first."""
        return await self._settled(await self._store.challenges.of(*user_ids))

    # --- ends that nobody causes ---------------------------------------------------------------

    async def _settled(self, challenges: Sequence[Challenge]) -> list[Challenge]:
        """Return the challenges; store the ends of those that are finished, expired or outdated."""
        open_ids = [each.id for each in challenges if each.is_open]
        rounds = await self._store.challenges.rounds(open_ids) if open_ids else {}
        settled = []
        for each in challenges:
            after = settle(each, rounds.get(each.id, ()), VERSION, self._clock.now())
            if after != each and not await self._replace(each, after):
                after = await self._store.challenges.get(each.id) or after
            settled.append(after)
        return settled

    async def run(self) -> None:
        """Settle open challenges and repeat failed public messages, every `LOOK_EVERY`.

        Each process does this for the servers that it serves.
        """
        while True:
            try:
                pending = await self._store.challenges.pending()
                served = [each for each in pending if self._leases.serves(each.guild_id)]
                for each in await self._settled(served):
                    if each.shown != each.status:
                        self._events.dispatch(ChallengeChanged(each.id))
            except StorageError as error:
                log.log(error.level, "challenges: database unavailable: %s", error)
            await self._clock.sleep(LOOK_EVERY.total_seconds())

    def _on_committed(self, event: Committed) -> None:
        """Settle the challenges of a person whose round is over."""
        game = event.after
        if isinstance(game, SoloGame) and game.kind == "challenge" and not game.running:
            (user_id,) = game.user_ids()
            in_background(self._settle(user_id), "challenge", self._tasks)

    def _on_person_forgotten(self, event: PersonForgotten) -> None:
        """Remove an erased person from the public messages of their challenges."""
        in_background(self._show_again(event.pseudonym), "challenge", self._tasks)

    async def _show_again(self, user_id: UserId) -> None:
        for each in await self._of(user_id):
            self._events.dispatch(ChallengeChanged(each.id))

    async def _settle(self, user_id: UserId) -> None:
        await self._of(user_id)
