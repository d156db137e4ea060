"""Lines of the private hand page about all players: names, cards and scores."""

from __future__ import annotations

import pytest

from bot.art.emojis import Emojis
from bot.text import speech
from bot.text.cards import Speaker
from cogs.pages.hand.status import status_lines
from engine import (
    Phase,
)
from tests.bot.positions import TRICHU, lords, position
from tests.bot.states import PEOPLE, chairs, state
from tests.engine.positions import after, table

SAY = speech("en")
TO = Speaker(SAY, Emojis.plain())


def test_line_of_twelve_players_is_short_and_distinct() -> None:
    ranks = tuple(range(12))
    match = position(lords(12), "TURN 3", trick="2 S8", ranks=ranks, out=(1, 5))
    names = [f"{name} Bartholomew the {place}th" for place, name in enumerate(PEOPLE)]
    line = status_lines(state(match, chairs=chairs(names)), 0, TO).splitlines()[1]
    players = line.removeprefix("-# ").split(" · ")
    assert len(set(players)) == 12
    assert players[0].startswith("you")
    assert [player for player in players if "➤" in player] == [players[9]]
    assert max(map(len, players)) <= len("**➤ Dan… 14**")


def test_equal_beginnings_of_names_are_distinct() -> None:
    names = ("Ada", "Computer 10", "Computer 11", "Computer 12")
    line = status_lines(state(table("LEAD A"), chairs=chairs(names)), 0, TO)
    assert [name for name in ("…0", "…1", "…2") if name in line] == ["…0", "…1", "…2"]


@pytest.mark.parametrize(
    "names",
    [
        ("Ada", "Christian", "Christin", "Ben", "Sebastian", "Severin"),
        ("Ada", "Max", "Max", "Ben", "Maximilian", "Maximiliane"),
    ],
)
def test_equal_short_names_get_their_seat_number(
    names: tuple[str, ...],
) -> None:
    twelve = (*names, *PEOPLE[6:])
    match = position(lords(12), "TURN 3", trick="2 S8", ranks=tuple(range(12)))
    line = status_lines(state(match, chairs=chairs(twelve)), 0, TO).splitlines()[1]
    shown = [player.strip("*➤\u00a0").split("\u00a0")[0] for player in line[3:].split(" · ")[:12]]
    assert len(set(shown)) == 12, shown
    assert max(map(len, shown)) <= len("Ch\\(12\\)")


def test_finished_round_shows_no_trick() -> None:
    last = table("TURN A", trick="D S8", hands={"A": "S10"}, out="C")
    over = state(after(last, "A play:S10"))
    assert over.views.public.phase is Phase.ROUND_END
    assert over.views.public.trick_points
    assert "trick" not in status_lines(over, 0, TO)


def test_scores_have_their_team_sign_and_one_minus() -> None:
    at = state(table("LEAD A", totals="-120 1045"))
    score = status_lines(at, 0, TO).splitlines()[0]
    assert "**🔵 −120** · 🔶 1,045" in score
    assert "🔵 −120 · **🔶 1,045**" in status_lines(at, 1, TO)


def test_table_of_trichu_has_a_name_that_fits_in_one_line() -> None:
    match = position(TRICHU, "LEAD 0", "totals 5 10 15 20", hands={0: "S2", 3: "JJ J2"})
    at = state(match, chairs=chairs(("Ada", "Ben", "Cleo")))
    first, second = status_lines(at, 0, TO).splitlines()
    assert "Table 20" in first
    assert "Table\u00a02" in second
    assert "The Table" not in first + second
