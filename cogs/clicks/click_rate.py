"""How fast people may click and ask: what each button and command costs of a person's tokens.

A normal person never meets the limit: they may tap forty times at once, and four times a second
for as long as they like. What makes the bot read much, draw or post for all costs more than a tap.
"""

from __future__ import annotations

from collections.abc import Mapping

from bot.errors import Reason, Refused
from bot.ids import UserId
from bot.runtime.clock import Now
from bot.runtime.cooldowns import Cooldowns, Tokens
from cogs.pages.verbs import Verb

BURST: Tokens = 40
"""The taps that somebody may make at once."""
PER_SECOND: Tokens = 4
"""The taps that somebody may make each second, for as long as they like."""

_TAP, _PAGE, _POST, _FILE = 1, 2, 5, 10

VERBS: Mapping[str, Tokens] = {
    # pages that are read from the database
    **dict.fromkeys((Verb.HISTORY, Verb.MATCH, Verb.LEADERS, Verb.REPLAY_ROUND), _PAGE),
    **dict.fromkeys((Verb.PROFILE, Verb.ACHIEVEMENTS, Verb.PROOF, Verb.HINT), _PAGE),
    **dict.fromkeys((Verb.LEARN, Verb.TABLES), _PAGE),
    # messages for all
    **dict.fromkeys((Verb.REMATCH, Verb.NEW_PARTNERS, Verb.NEW_LOBBY), _POST),
    **dict.fromkeys((Verb.SHARE_LEADERS, Verb.SHARE_PROFILE, Verb.SHARE_REPLAY), _POST),
    **dict.fromkeys((Verb.TO_MEMBER, Verb.STOP_VOTE, Verb.LESSON_TABLE), _POST),
    **dict.fromkeys((Verb.INVITE, Verb.CALL_ROLE), _POST),
    **dict.fromkeys((Verb.SAVE, Verb.FORGET_ME_NOW), _FILE),
}
"""What a press of these buttons costs; of all others one token."""

COMMANDS: Mapping[str, Tokens] = {
    **dict.fromkeys(("new", "table", "shuffle", "stop"), _POST),
}
"""What these commands cost, by name; all others, menus too, as much as a page."""


class ClickRate:
    """What everybody may still ask for; one for all buttons and commands."""

    def __init__(self, now: Now) -> None:
        self.cooldowns = Cooldowns(now, burst=BURST, per_second=PER_SECOND)

    def check_click(self, user_id: UserId, verb: str) -> None:
        """`Refused` if this person clicks faster than anybody would who plays."""
        self._spend(user_id, VERBS.get(verb, _TAP))

    def check_command(self, user_id: UserId, name: str) -> None:
        """`Refused` if this person uses commands faster than anybody would."""
        self._spend(user_id, COMMANDS.get(name, _PAGE))

    def _spend(self, user_id: UserId, cost: Tokens) -> None:
        if not self.cooldowns.spend(user_id, cost):
            raise Refused(Reason.TOO_FAST)
