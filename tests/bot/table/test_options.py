"""What is chosen with `/tichu new` beside the rules."""

from __future__ import annotations

from bot.table.options import nudge_after


def test_a_nudge_comes_after_half_the_time_to_move() -> None:
    """But neither at once nor late: between 10 and 30 seconds."""
    assert [nudge_after(limit) for limit in (20, 45, 60, 90, 900)] == [10, 22, 30, 30, 30]
    assert nudge_after(15) == 10
