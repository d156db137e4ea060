"""Rate limits of users: clicks and commands, invitations, reactions and shared pages."""

from __future__ import annotations

from bot.errors import Reason, Refused
from bot.ids import UserId
from bot.runtime.clock import Now
from bot.runtime.cooldowns import Cooldowns, Tokens

BURST: Tokens = 40
"""Tokens that a user may spend at once; an ordinary click costs one."""
PER_SECOND: Tokens = 4
"""Tokens that come back each second."""

CLICK, PAGE, POST, FILE = 1, 2, 5, 10
"""Costs of an ordinary click, a page from the database, a public message, and a file."""

REACTION_PAUSE_S = 15
"""Seconds between two reactions of one user, at all tables together."""
SHARE_PAUSE_S = 10
"""Seconds between two pages that one user shares."""
ANIMATION_PAUSE_S = 30
"""Seconds between two animations that one user shares."""
_SENT_IN_A_ROW, _SENT_PER_MINUTE = 15, 1
"""Number of people that a user may invite in a row, and then in each minute."""
_RECEIVED_IN_A_ROW, _RECEIVED_PER_HOUR = 3, 3
"""Number of invitations that a user may receive in a row, and then in each hour."""


class Limits:
    """The rate limits of one bot. Ordinary users never reach the limit of clicks."""

    def __init__(self, now: Now) -> None:
        self.clicks = Cooldowns(now, burst=BURST, per_second=PER_SECOND)
        self.invitations_sent = Cooldowns(
            now, burst=_SENT_IN_A_ROW, per_second=_SENT_PER_MINUTE / 60
        )
        self.invitations_received = Cooldowns(
            now, burst=_RECEIVED_IN_A_ROW, per_second=_RECEIVED_PER_HOUR / 3600
        )
        # Each use spends as many tokens as its pause has seconds, so it takes the whole burst.
        self.reactions = Cooldowns(now, burst=REACTION_PAUSE_S, per_second=1)
        self.shares = Cooldowns(now, burst=SHARE_PAUSE_S, per_second=1)
        self.animations = Cooldowns(now, burst=ANIMATION_PAUSE_S, per_second=1)

    def check_click(self, user_id: UserId, cost: Tokens) -> None:
        """Spend tokens on a click or command. Raise `Refused` if there are too few."""
        if not self.clicks.spend(user_id, cost):
            raise Refused(Reason.TOO_FAST)
