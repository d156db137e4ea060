"""Texts of nudges and reminders at turn-based pace."""

from __future__ import annotations

from collections.abc import Sequence

from bot.art.emojis import Emojis
from bot.ids import UserId
from bot.table.deadlines import reschedule
from bot.table.state import Game
from bot.table.turn_based import mark_nudged
from bot.text.cards import Speaker
from bot.text.people import mention
from cogs.pages.hand.page import hand_page
from cogs.pages.table.nudge import Nudged, direct_notice, nudge_text
from tests.bot.batches import WINDOW
from tests.bot.states import HOST, NOON, chairs
from tests.bot.table.test_turn_based import DAY, slow, waiting
from tests.cogs.worlds import SAY
from tests.engine.positions import dealt

WORDS = Speaker(SAY, Emojis.plain())
ADA, BEN, CLEO, DAN = map(UserId, range(HOST, HOST + 4))
IN_A_DAY = int((NOON + DAY).timestamp())


def read(at: Game, user_ids: Sequence[UserId]) -> str:
    """Return the text at the table that nudges these people."""
    return nudge_text(at, Nudged(tuple(user_ids)), WORDS)


def written(at: Game, user_id: UserId) -> str:
    """Return the text of the direct message that nudges this person."""
    return direct_notice(at, user_id, WORDS).content


def test_reminder_names_itself_and_the_remaining_time() -> None:
    at, users, _ = mark_nudged(slow(dealt()), {DAN: NOON + DAY * 0.7}, NOON)
    assert users == (ADA, BEN, CLEO)
    assert "still" not in read(at, users) + written(at, ADA)
    late, users, reminded = mark_nudged(at, {}, NOON + DAY * 0.75)
    first, _, second, left = read(late, (*users, *reminded)).splitlines()
    assert "still" not in first
    assert first.endswith(mention(DAN))
    assert "still" in second
    assert second.endswith(f"{mention(ADA)}, {mention(BEN)} and {mention(CLEO)}")
    for line in (left, written(late, ADA)):
        assert (line.count(f"<t:{IN_A_DAY}:R>"), line.count("<t:")) == (1, 1)


def test_paused_table_says_how_to_continue_and_when_it_closes() -> None:
    at = slow(dealt(), notes={"missed": dict.fromkeys(range(4), 2)})
    paused = reschedule(at, at.with_timers(paused=True), NOON)
    paused, users, _ = mark_nudged(paused, {}, NOON)
    closes = f"<t:{int((NOON + 28 * DAY).timestamp())}:R>"
    for words in (read(paused, users), written(paused, ADA)):
        assert all(part in words for part in ("paused", "**My turn**", closes))


def test_hands_name_the_player_before_a_computers_move() -> None:
    at = waiting(WINDOW, chairs=chairs(computers=(1,)))
    own, other = (str(hand_page(at, seat, WORDS).to_components()) for seat in (2, 3))
    assert "Ben plays once you press **No more bombs**." in own
    assert "Waiting for Cleo." in other
