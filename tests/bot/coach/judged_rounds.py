"""Reviewed rounds with given costs."""

from __future__ import annotations

import json
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from typing import TypeAlias

from bot.ids import UserId
from bot.records import JudgedRound
from players.coach.decisions import Kind

ADA = UserId(1)
NOON = datetime(2031, 11, 12, 12, tzinfo=UTC)
Costs: TypeAlias = list[tuple[Kind, float]]


def body(costs: Costs) -> str:
    """Return the stored text of a review with these decisions."""
    return json.dumps({"judged": [{"kind": kind, "cost": [cost] * 3} for kind, cost in costs]})


def judged_rounds(rounds: Iterable[Costs], user_id: UserId = ADA) -> list[JudgedRound]:
    """Return the rounds of a person, the newest first, one a day."""
    return [
        JudgedRound(user_id=user_id, ended_at=NOON - timedelta(days=age), body=body(costs))
        for age, costs in enumerate(rounds)
    ]
