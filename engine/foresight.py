"""The position after an open bomb window that closes without a bomb.

The application uses it to offer the next player their choices while the window is still open. It
stores the choice and carries it out when the window closes.
"""

from __future__ import annotations

from engine.actions import CloseWindow
from engine.match import apply
from engine.round import WINDOW_PHASES
from engine.state import Match


def after_quiet_window(match: Match) -> Match:
    """Return the position after the open window if nobody bombs, or `match` if none is open.

    Sealed bombs are ignored, so the result reveals nothing about them.
    """
    round_ = match.round
    if round_ is None or round_.phase not in WINDOW_PHASES:
        return match
    quiet = match._replace(round=round_._replace(submitted=(), asked=0))
    return apply(quiet, CloseWindow())[0]
