"""Refusals of the application: what a person asked for cannot be done, said as a reason code.

The text layer has one sentence for each code (`bot.text.sentences`), as for the engine's.
"""

from __future__ import annotations


class Refused(Exception):
    """What was asked for is not possible; nothing has changed.

    `code` names the reason, `details` what its sentence needs (never a hidden card).
    """

    def __init__(self, code: str, **details: object) -> None:
        super().__init__(code)
        self.code = code
        self.details = details


class Stale(Refused):
    """The button belongs to an earlier position: the answer is the current one, not an error."""

    def __init__(self) -> None:
        super().__init__("stale")
