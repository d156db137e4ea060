"""What the engine raises: cannot be read, is not allowed here, a Phoenix cannot be that.

All three are `ValueError`s of one family, so that a caller may catch `TichuError` alone.
"""

from __future__ import annotations

from enum import StrEnum


class Reason(StrEnum):
    """Why an action, an option or a deal is refused.

    Whoever raises `IllegalAction` and whoever puts the refusal into words share these codes. A
    reason is equal to its text (``Reason.NOT_HELD == "not-held"``), and that text is stable.
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
    """Anything the engine refuses. A refusal never changes a state."""


class NotationError(TichuError):
    """A text that is not a card, a play, an action, an option or a position."""


class IllegalAction(TichuError):
    """An action that the rules forbid in this position.

    `code` names the reason (the text layer has one sentence for each), `rule` the rule of the
    rule book (such as ``N28``), `details` what the sentence needs: ranks, seats, never a card
    that only somebody else may see.
    """

    def __init__(self, code: Reason, rule: str, **details: object) -> None:
        self.code = code
        self.rule = rule
        self.details = details
        super().__init__(code, rule)

    def __str__(self) -> str:
        """The reason, its rule and the details; put together here, for most are never read."""
        shown = ", ".join(f"{name}={value}" for name, value in self.details.items())
        return f"{self.code} ({self.rule})" + (f": {shown}" if shown else "")


class AmbiguousAction(IllegalAction):
    """A Phoenix that was told to be what it cannot be with these cards (N46)."""


def quoted(text: str, most: int = 60) -> str:
    """A text in quotation marks for a message, cut off when it is long."""
    return repr(text if len(text) <= most else text[: most - 3] + "...")
