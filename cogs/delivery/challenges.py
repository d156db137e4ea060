"""Public messages of challenges: posted once with one mention, and edited without any."""

from __future__ import annotations

import asyncio
import logging

from bot.challenge_records import Challenge
from bot.client import TichuBot
from bot.ids import ChallengeId, MessageId
from bot.live.events import ChallengeChanged
from bot.runtime.background import in_background
from cogs.delivery.failed_requests import REQUEST_FAILURES, is_temporary, log_text
from cogs.delivery.message_languages import public_words
from cogs.delivery.messages import NOBODY, mentions_of
from cogs.delivery.nonces import create_once
from cogs.pages.challenges.notice import challenge_notice
from cogs.pages.controls import Notice

log = logging.getLogger(__name__)


class ChallengePosts:
    """Posts and edits the public messages of challenges in the background."""

    def __init__(self, bot: TichuBot) -> None:
        self._bot = bot
        self._in_flight = set[asyncio.Task[None]]()
        self._one_at_a_time = asyncio.Lock()

    def on_change(self, event: ChallengeChanged) -> None:
        """Bring the message of a challenge up to date in the background."""
        work = self._publish(event.challenge_id)
        in_background(work, f"challenge-{event.challenge_id}", self._in_flight)

    async def _publish(self, challenge_id: ChallengeId) -> None:
        """Post or edit the message, unless it shows the stored status already.

        After a temporary failure, `Challenges.run` causes the next attempt.
        """
        async with self._one_at_a_time:
            challenges = self._bot.store.challenges
            try:
                challenge = await challenges.get(challenge_id)
                if challenge is None or challenge.shown == challenge.status:
                    return
                if not self._bot.leases.serves(challenge.guild_id):
                    return  # the process that serves it finds it in `Challenges.run`
                try:
                    message_id = await self._write(challenge)
                except REQUEST_FAILURES as error:
                    if is_temporary(error):
                        raise
                    log.info("challenge %s: not shown: %s", challenge_id, log_text(error))
                    message_id = challenge.message_id
                await challenges.note_shown(challenge, message_id)
            except REQUEST_FAILURES as error:
                log.warning("challenge %s: not shown yet: %s", challenge_id, log_text(error))

    async def _write(self, challenge: Challenge) -> MessageId | None:
        """Post the offer, or edit its message; return the id of the message, if there is one."""
        channel = self._bot.get_partial_messageable(
            challenge.channel_id, guild_id=challenge.guild_id
        )
        notice = await self._notice(challenge)
        if challenge.message_id is not None:
            message = channel.get_partial_message(challenge.message_id)
            await message.edit(**notice.message, allowed_mentions=NOBODY)
            return challenge.message_id
        if challenge.status != "offered":
            return None
        mentions = mentions_of(challenge.challenged)
        sent = await create_once(
            lambda nonce: channel.send(**notice.message, allowed_mentions=mentions, nonce=nonce),
            f"challenge-{challenge.id}",
            challenge.channel_id,
        )
        return MessageId(sent.id)

    async def _notice(self, challenge: Challenge) -> Notice:
        boards = await self._bot.boards.of_challenge(challenge.id)
        commitments = [board.commitment for board in boards]
        seen = await self._bot.tables.challenges.see(challenge, challenge.challenger)
        return challenge_notice(seen, commitments, public_words(self._bot, challenge.guild_id))
