"""What the engine raises: cannot be read, is not allowed here, a Phoenix cannot be that.

All three are `ValueError`s of one family, so that a caller may catch `TichuError` alone.
"""

from __future__ import annotations


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

    def __init__(self, code: str, rule: str, **details: object) -> None:
        self.code = code
        self.rule = rule
        self.details = details
        shown = ", ".join(f"{name}={value}" for name, value in details.items())
        super().__init__(f"{code} ({rule})" + (f": {shown}" if shown else ""))


class AmbiguousAction(IllegalAction):
    """A Phoenix that was told to be what it cannot be with these cards (N46)."""


def quoted(text: str, most: int = 60) -> str:
    """A text in quotation marks for a message, cut off when it is long."""
    return repr(text if len(text) <= most else text[: most - 3] + "...")
