"""Pages of the deal of the day in their worst cases."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date, timedelta
from itertools import product

from bot.board_records import Comparison, MemberResult, SoloResult, SoloRound, Streak
from bot.boards.board import Board
from bot.boards.days import ends_at
from bot.ids import BoardId, GuildId, UserId
from bot.table.solo_game import SoloGame, played, solo_game
from bot.text.cards import Speaker
from cogs.pages.controls import Notice, Page, text
from cogs.pages.daily.fair_deal import daily_fair_deal_page
from cogs.pages.daily.result import DailyResult, members_page, result_page
from cogs.pages.daily.share import result_line
from cogs.pages.daily.start import Daily, OwnBoard, start_page
from cogs.pages.hand.page import hand_page, match_over_page
from cogs.pages.table.log import log_page
from engine import Phase
from players.boards import PERSON, VERSION
from tests.bot.solo_rounds import played_by_novices
from tests.bot.states import NOON
from tests.campaign import sample

DAY = date(2031, 5, 4)
BOARD = Board(BoardId(1), DAY, None, 9999, "ab" * 32, VERSION)
CHALLENGE = Board(BoardId(2), None, 10**9, 4, "ab" * 32, VERSION)
COMPARISONS = (
    Comparison(0, 0, 0),
    Comparison(2, 1, 1),
    Comparison(0, 2, 0),
    Comparison(9000, 900, 99),
)
STREAKS = (Streak(0, 0), Streak(1, 1), Streak(9999, 9999))
DIFFERENT = SoloResult(-1400, "grand", False, None)


def daily_pages(names: Sequence[str], to: Speaker) -> Iterator[tuple[str, Page | Notice]]:
    """Yield all pages of the deal of the day, and hands of solo games."""
    for number, (board, practice) in enumerate(((BOARD, False), (BOARD, True), (CHALLENGE, False))):
        games = list(solo_games(board, names, practice=practice, seed=number))
        yield "log of a solo game", log_page(games[-1], to)
        for game in (*sample(games[:-1], 12), *filter(_in_window, games), games[-1]):
            yield "hand of a solo game", hand_page(game, PERSON, to)
        yield "hand of a solo game that is over", match_over_page(games[-1], to)
        if board.kind == "daily":
            yield from _results(games[-1], to, practice=practice)
    yield from _starts(to)
    tomorrow = Board(BoardId(3), DAY + timedelta(days=1), None, 10**4, "cd" * 32)
    for yesterday in (None, BOARD):
        yield "fair deal of the day", daily_fair_deal_page(yesterday, BOARD, tomorrow, to)
    for count in (0, 3, 12):
        results = [
            MemberResult(UserId(user), names[user % 4], 400 - user, "grand", user % 2 == 0)
            for user in range(count)
        ]
        yield "members", members_page(BOARD, results, UserId(11), to)


def _in_window(game: SoloGame) -> bool:
    return game.window_open


def solo_games(
    board: Board, names: Sequence[str], *, practice: bool, seed: int
) -> Iterator[SoloGame]:
    """Yield the states of a solo round, the last one at its end."""
    game = solo_game(_round(practice=practice, over=False), board)
    chairs = zip(game.chairs, names, strict=False)
    game = replace(
        game, chairs=tuple(chair.model_copy(update={"name": name}) for chair, name in chairs)
    )
    actions, _ = played_by_novices(board.dealt(), seed)
    for action in actions:
        if game.phase is not Phase.GRAND:
            yield game
        game = played(game, [action]).game
    yield game


def _round(*, practice: bool = False, over: bool = True) -> SoloRound:
    running = SoloRound(
        id=1,
        board_id=BOARD.id,
        user_id=UserId(10**18),
        name="9",
        guild_id=GuildId(10**18),
        practice=practice,
        version=VERSION,
        begun_at=NOON,
    )
    return running._replace(ended_at=NOON, **DIFFERENT._asdict()) if over else running


def finished_round() -> SoloRound:
    """Return a finished round that counts."""
    return _round()


def _results(game: SoloGame, to: Speaker, *, practice: bool) -> Iterator[tuple[str, Page | Notice]]:
    """Yield results beside all kinds of others, and the lines that are shared."""
    end, result = ends_at(DAY), game.match.results[-1]
    own = _round(practice=practice)
    for late, compared, expert in product((False, True), COMPARISONS, (None, DIFFERENT)):
        server = COMPARISONS[1] if expert else None
        begun = own._replace(begun_at=end if late else NOON)
        shown = DailyResult(BOARD, begun, compared, server, expert, STREAKS[2], end, late)
        yield "result of a daily deal", result_page(shown, game, to)
        line = result_line(9999, result, compared, expert and expert.points, to)
        yield "shared line", Page(text(line))


def _starts(to: Speaker) -> Iterator[tuple[str, Page | Notice]]:
    """Yield the start page: before, during and after the round, with and without yesterday."""
    end = ends_at(DAY)
    running, over = _round(over=False), _round()
    todays = [OwnBoard(BOARD), OwnBoard(BOARD, running)]
    todays += [OwnBoard(BOARD, over, None, each) for each in COMPARISONS]
    before = Board(BoardId(4), DAY - timedelta(days=1), None, 9998, "ab" * 32, VERSION)
    yesterdays = (None, OwnBoard(before), OwnBoard(before, over, over, COMPARISONS[1]))
    for number, (today, yesterday) in enumerate(product(todays, yesterdays)):
        for playable in (True, False):
            daily = Daily(today, yesterday, STREAKS[number % 3], end, playable)
            yield "start of the day", start_page(daily, to, "⚠️ 9" if number % 2 else "")
