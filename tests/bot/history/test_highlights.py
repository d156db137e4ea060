"""Highlights of whole matches: the best play and the longest straight."""

from __future__ import annotations

import pytest

from bot.history.highlights import SHORTEST, match_facts
from bot.ids import UserId
from bot.records import ActionRecord, SeatChangeRecord
from bot.table.options import TableOptions
from bot.table.state import Game
from engine import Combination, Kind
from tests.bot.games import MATCHES, NANJING, batches
from tests.bot.states import PEOPLE
from tests.engine.positions import round_of


def finished(
    seed: int, options: TableOptions = NANJING
) -> tuple[Game, list[ActionRecord], list[tuple[int, Combination]]]:
    """Return a match at its end, its actions, and its plays with the last action of their round."""
    actions: list[ActionRecord] = []
    plays: list[tuple[int, Combination]] = []
    for _, game, change in batches(seed, options):
        actions += change.actions
        if change.round is not None:
            past = round_of(game.match)
            plays += [
                (game.seq, step.combination)
                for steps in (*(trick.steps for trick in past.past), past.trick)
                for step in steps
                if step.combination is not None
            ]
    return game, actions, plays


@pytest.mark.parametrize("seed, options", MATCHES[:3])
def test_finds_the_best_plays_of_all_rounds(seed: int, options: TableOptions) -> None:
    game, actions, plays = finished(seed, options)
    facts = match_facts(game, (), actions, ())
    bombs = [play for _, play in plays if play.is_bomb]
    longest = [play for _, play in plays if play.size >= SHORTEST]
    best = max(bombs or longest, key=lambda play: (play.size, play.key))
    assert facts.play is not None
    assert facts.play.combination == best
    kinds = (Kind.STRAIGHT, Kind.STRAIGHT_BOMB)
    straights = [(play.size, play.key) for _, play in plays if play.kind in kinds]
    assert facts.straight is not None
    found = facts.straight.combination
    assert (found.size, found.key) == max(straights)


def test_names_who_played_in_that_round() -> None:
    game, actions, plays = finished(3)
    facts = match_facts(game, (), actions, ())
    assert facts.play is not None
    end = next(seq for seq, play in plays if play == facts.play.combination)
    seat = facts.play.seat
    came = [
        SeatChangeRecord(seq=seq, seat=seat, user_id=UserId(900 + seq), name=name, kind="person")
        for seq, name in ((1, "Gina"), (end + 1, "Hugo"))
    ]
    again = match_facts(game, (), actions, came)
    assert again.play is not None
    assert again.play.table.chairs[seat].name == "Gina"
    assert game.chairs[seat].name == PEOPLE[seat]
