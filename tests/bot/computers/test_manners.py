"""Manners of computer players: chosen by name and passed on to the deciding player."""

from __future__ import annotations

import random
from dataclasses import replace

from bot.computers.decision_scheduler import DecisionScheduler
from bot.table.computer_names import NAMES, manner_at, manner_of
from bot.table.options import TableOptions
from tests.bot.computers.pools import SlowPool
from tests.bot.computers.test_decision_scheduler import playing
from tests.bot.games import any_manner, plain_brain
from tests.bot.states import NOON
from tests.engine.positions import table


async def test_a_computer_player_keeps_its_manner_and_a_stand_in_has_none() -> None:
    pool = SlowPool()
    scheduler = DecisionScheduler(lambda: NOON, any_manner(plain_brain(1)), pool, random.Random(1))
    chosen = TableOptions(computers="regular")
    at = playing(table("LEAD B", hands={"B": "+14"}), 1, options=chosen)
    name = NAMES["bold"][0]
    bold = [each.model_copy(update={"name": name}) if each.seat else each for each in at.chairs]
    at = replace(at, chairs=tuple(bold))
    scheduler.update(at)
    assert [(work.arguments["level"], work.arguments["manner"]) for work in pool.asked] == [
        ("regular", "bold")
    ]
    assert 0 < pool.asked[0].seconds < 0.1, "a Regular is quick"
    told: list[str] = []
    DecisionScheduler(lambda: NOON, lambda _, manner: told.append(manner)).decisions(at, ("move",))
    assert told == ["bold"], "without workers, too"
    person = [each.model_copy(update={"kind": "person"}) for each in bold]
    assert manner_at(replace(at, chairs=tuple(person)), 1) == "steady"
    assert manner_of("Ada") == "steady"
