"""Pages of puzzles: questions and answers, with pictures and in words."""

from __future__ import annotations

from collections.abc import Iterator

from bot.ids import GuildId, UserId
from bot.pictures.hand.hand_text import hand_text
from bot.puzzles.puzzle import Puzzle, load_puzzles
from bot.score_records import PuzzleAnswer, PuzzlePlayer, Rating
from bot.table.computer_names import COMPUTER_NAMES
from bot.text.cards import Speaker
from cogs.pages.controls import Page
from cogs.pages.puzzles.page import answer_page, puzzle_game, puzzle_scene, question_page
from engine import Bomb, Waive, read_cards, write_action, write_position
from players.levels import Advice
from tests.campaign import sample
from tests.engine.positions import table

OPPONENTS = set(COMPUTER_NAMES[:6])
"""Names on these pages that are the same in every language."""
NEWCOMER = PuzzlePlayer(Rating(1500.0, 350.0))
MASTER = PuzzlePlayer(Rating(2345.6, 80.0), 10**6, 10**6, 10**6, 10**6)


_WINDOW = table("WINDOW B", trick="A S8,P8", hands={"B": "S9 P9 S4 P4 J4 T4 +3"})
BOMB = Puzzle(
    name="bomb",
    position=write_position(_WINDOW),
    seat=1,
    advice=(Advice(Bomb(1, read_cards("S4 P4 J4 T4")), 0.0), Advice(Waive(1), -20.0)),
    difficulty=1500.0,
    novice=Waive(1),
    proof=(),
)
"""Puzzle in a bomb window, before the turn of its reader."""


def puzzle_pages(to: Speaker, name: str, most: int = 30) -> Iterator[tuple[str, Page]]:
    """Yield the pages of a sample of puzzles for a reader of this name."""
    for puzzle in (BOMB, *sample(list(load_puzzles().values()), most)):
        for title, page in pages_of(puzzle, to, name):
            yield f"puzzle {puzzle.name}: {title}", page


def pages_of(puzzle: Puzzle, to: Speaker, name: str) -> Iterator[tuple[str, Page]]:
    """Yield all pages of a puzzle."""
    game = puzzle_game(puzzle, UserId(5), name, GuildId(0))
    for alt in (None, hand_text(puzzle_scene(puzzle, game, to), to)):
        yield "question", question_page(puzzle, game, NEWCOMER, to, alt=alt)
        yield "question again", question_page(puzzle, game, MASTER, to, repeats=True, alt=alt)
        ranked = sorted(puzzle.advice, key=lambda advice: -advice.points)
        for advice in ranked:
            answer = PuzzleAnswer(write_action(advice.action), advice is ranked[0], 1)
            page = answer_page(puzzle, game, answer, MASTER, to, before=Rating(1.0, 1.0), alt=alt)
            yield f"answer {answer.choice}", page
    unknown = PuzzleAnswer("unknown", False, 1)
    yield "unknown answer", answer_page(puzzle, game, unknown, MASTER, to)
