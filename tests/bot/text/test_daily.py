"""Pages of the deal of the day: differences of a round, and other results."""

from __future__ import annotations

from bot.art.emojis import Emojis
from bot.board_records import Comparison, SoloRound
from bot.boards.days import ends_at
from bot.table.solo_game import SoloGame
from bot.text import speech
from bot.text.cards import Speaker
from cogs.pages.daily.result import DailyResult, result_page
from cogs.pages.daily.share import result_line
from cogs.pages.daily.start import Daily, OwnBoard, start_page
from cogs.pages.table.score_lines import scores_table
from tests.bot.text.daily import BOARD, DAY, STREAKS, finished_round, solo_games
from tests.bot.text.pages import parts
from tests.simcord_clicks import numbers, rows

TO = Speaker(speech("en"), Emojis.plain())
ALONE = Comparison(0, 0, 0)


def test_the_last_row_of_a_solo_round_is_the_difference_that_counts() -> None:
    *_, over = solo_games(BOARD, ("Ada", "Ben", "Cleo", "Dan"), practice=False, seed=1)
    result = over.match.results[-1]
    own, others = result.score
    assert own != others
    last = rows(scores_table(over, result, TO))[-1]
    assert numbers(" ".join(last)) == [own - others, others - own]


def test_results_of_the_server_are_told_only_beside_other_ones() -> None:
    *_, over = solo_games(BOARD, ("Ada", "Ben", "Cleo", "Dan"), practice=False, seed=1)
    everyone = Comparison(2, 1, 1)

    def told(server: Comparison) -> bool:
        return "🏠 " in _text(_result(finished_round(), everyone, server), over)

    assert told(Comparison(1, 1, 1))
    assert not told(everyone)
    assert not told(ALONE)


def test_no_expert_is_awaited_on_boards_of_older_computers() -> None:
    *_, over = solo_games(BOARD, ("Ada", "Ben", "Cleo", "Dan"), practice=False, seed=1)
    own = finished_round()
    assert "🤖 " in _text(_result(own, ALONE, None), over)
    older = own._replace(version=own.version - 1)
    assert "🤖 " not in _text(_result(older, ALONE, None), over)


def _result(own: SoloRound, everyone: Comparison, server: Comparison | None) -> DailyResult:
    """Return a result before the Expert has finished."""
    end = ends_at(DAY)
    return DailyResult(BOARD, own, everyone, server, None, STREAKS[1], end, over=False)


def _text(shown: DailyResult, over: SoloGame) -> str:
    return "\n".join(str(part.get("content", "")) for part in parts(result_page(shown, over, TO)))


def test_a_comparison_on_its_own_line_begins_with_a_capital() -> None:
    own = OwnBoard(BOARD, finished_round(), None, ALONE)
    page = start_page(Daily(own, None, STREAKS[0], ends_at(DAY), playable=True), TO)
    lines = "\n".join(str(part.get("content", "")) for part in parts(page)).splitlines()
    assert "You're the first to finish" in lines


def test_nobody_is_called_the_first_to_finish_when_the_day_is_over() -> None:
    own = OwnBoard(BOARD, finished_round(), None, ALONE)
    page = start_page(Daily(OwnBoard(BOARD), own, STREAKS[0], ends_at(DAY), playable=True), TO)
    shown = "\n".join(str(part.get("content", "")) for part in parts(page))
    assert "nobody else played this deal" in shown
    assert "first to finish" not in shown


def test_a_shared_line_names_a_tie_where_nobody_did_worse() -> None:
    *_, over = solo_games(BOARD, ("Ada", "Ben", "Cleo", "Dan"), practice=False, seed=1)
    result = over.match.results[-1]

    def ending(comparison: Comparison) -> str:
        return result_line(9, result, comparison, None, TO).rpartition(" · ")[2]

    assert ending(Comparison(0, 1, 0)) == "tied with 1 of 1"
    assert ending(Comparison(0, 1, 2)) == "tied with 1 of 3"
    assert ending(Comparison(1, 1, 0)) == "beat 1 of 2"
    assert ending(Comparison(0, 0, 1)) == "beat 0 of 1"
