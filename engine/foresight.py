"""The position after an open bomb window that closes without a bomb.

The application uses it to offer the next player their choices while the window is still open. It
keeps what they choose and carries it out when the window closes.
"""

from __future__ import annotations

from engine.actions import CloseWindow
from engine.match import apply
from engine.round import WINDOWS
from engine.state import Match


def after_quiet_window(match: Match) -> Match:
    """The position after the open window if nobody bombs; `match` itself if none is open.

    Sealed bombs are not looked at, so nothing about them can be told from the result.
    """
    round_ = match.round
    if round_ is None or round_.phase not in WINDOWS:
        return match
    quiet = match._replace(round=round_._replace(submitted=(), asked=0))
    return apply(quiet, CloseWindow())[0]
