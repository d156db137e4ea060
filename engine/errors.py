"""Exceptions of the engine and the reasons for refusals.

All of them are subclasses of `TichuError`, which is a `ValueError`.
"""

from __future__ import annotations

from enum import StrEnum


class Reason(StrEnum):
    """Code of the reason why an action, an option or a deal is refused.

    The texts for players are looked up by these codes. A code is a stable string:
    ``Reason.NOT_HELD`` equals ``"not-held"``.
    """

    # At any time
    WRONG_PHASE = "wrong-phase"
    NO_SUCH_SEAT = "no-such-seat"
    NOT_HELD = "not-held"
    ALREADY_OUT = "already-out"
    NOT_YOUR_TURN = "not-your-turn"
    # Starting and stopping
    OPTION = "option"
    OPTION_OF_OTHER_GAME = "option-of-other-game"
    WRONG_DECK = "wrong-deck"
    NO_STOP_VOTE = "no-stop-vote"
    # Calls
    NO_CALLS = "no-calls"
    GRAND_TOO_LATE = "grand-too-late"
    NO_GRAND_FOR_DEALER = "no-grand-for-dealer"
    ALREADY_ANSWERED = "already-answered"
    ALREADY_CALLED = "already-called"
    CALL_BEFORE_FULL_HAND = "call-before-full-hand"
    CALL_AFTER_COMMITMENT = "call-after-commitment"
    CALL_AFTER_FIRST_CARD = "call-after-first-card"
    NO_PARTNER_CALL = "no-partner-call"
    WITHDRAWAL_FIRST = "withdrawal-first"
    NOT_ASKED_TO_WITHDRAW = "not-asked-to-withdraw"
    # The exchange
    NOTHING_TO_GIVE = "nothing-to-give"
    EXCHANGE_RECEIVERS = "exchange-receivers"
    EXCHANGE_SAME_CARD = "exchange-same-card"
    EXCHANGE_FORCED = "exchange-forced"
    # Leads, plays and passes
    MUST_LEAD = "must-lead"
    NO_COMBINATION = "no-combination"
    DOES_NOT_BEAT = "does-not-beat"
    PHOENIX_ON_DRAGON = "phoenix-on-dragon"
    PHOENIX_RANK = "phoenix-rank"
    DOG_ONLY_LEADS = "dog-only-leads"
    DOG_TARGET = "dog-target"
    WISH_WITHOUT_MAHJONG = "wish-without-mahjong"
    WISH_RANK = "wish-rank"
    WISH_DUTY = "wish-duty"
    WINDOW_OPEN = "window-open"
    # Bombs
    LEAD_NOT_BOMBABLE = "lead-not-bombable"
    BOMB_IN_OWN_TURN = "bomb-in-own-turn"
    NOT_A_BOMB = "not-a-bomb"
    NO_WINDOW = "no-window"
    ALREADY_SUBMITTED = "already-submitted"
    ALREADY_WAIVED = "already-waived"
    # The Dragon's gift
    NO_GIFT_DUE = "no-gift-due"
    GIFT_TO_OPPONENT = "gift-to-opponent"


class TichuError(ValueError):
    """Base class of all refusals by the engine. A refusal never changes a state."""


class NotationError(TichuError):
    """A text that cannot be read as a card, play, action, option or position."""


class IllegalAction(TichuError):
    """An action that the rules forbid in this position.

    `code` is the reason, `rule` the number of the rule that forbids the action (such as ``N28``).
    `details` are values for the message, such as ranks and seats; a hidden card is never among
    them.
    """

    def __init__(self, code: Reason, rule: str, **details: object) -> None:
        self.code = code
        self.rule = rule
        self.details = details
        super().__init__(code, rule)

    def __str__(self) -> str:
        """Return the code, the rule and the details; built on demand because few are ever shown."""
        shown = ", ".join(f"{name}={value}" for name, value in self.details.items())
        return f"{self.code} ({self.rule})" + (f": {shown}" if shown else "")


class AmbiguousAction(IllegalAction):
    """A play whose stated Phoenix ranks do not fit its cards (N46)."""


def quoted(text: str, most: int = 60) -> str:
    """Return the text in quotation marks, cut to `most` characters."""
    return repr(text if len(text) <= most else text[: most - 3] + "...")
