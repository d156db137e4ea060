"""Reviews of rounds as JSON text.

Actions are in the notation of the engine. Costs are rounded to 0.1 point, chances to 0.001. The
text names no person.
"""

from __future__ import annotations

import json
from typing import Any

from engine import Action, Seat, read_action, write_action
from players.coach.decisions import Kind
from players.coach.estimates import Chances, Estimate
from players.coach.review import Judged, Review, Turn
from players.reasons import Cause, Explanation

REVIEW_VERSION = 1
"""Version of reviews; those of other versions are made again."""


def write_review(review: Review) -> str:
    """Return a review as JSON text."""
    stored = {
        "judged": [_write_judged(each) for each in review.judged],
        "marks": [_write_judged(each) for each in review.marks],
        "unlucky": review.unlucky,
        "curve": [[at, *(round(chance, 3) for chance in chances)] for at, chances in review.curve],
    }
    return json.dumps(stored, separators=(",", ":"))


def read_review(text: str) -> Review:
    """Return the review of a text by `write_review` of this version."""
    stored = json.loads(text)
    return Review(
        tuple(_read_judged(each) for each in stored["judged"]),
        tuple(_read_judged(each) for each in stored["marks"]),
        tuple(stored["unlucky"]),
        tuple(Turn(at, Chances(*chances)) for at, *chances in stored["curve"]),
    )


def read_costs(text: str) -> list[tuple[Kind, float]]:
    """Return the kind and the cost of each judged decision of a stored review."""
    return [(each["kind"], each["cost"][0]) for each in json.loads(text)["judged"]]


def _write_judged(judged: Judged) -> dict[str, Any]:
    stored: dict[str, Any] = {
        "at": judged.at,
        "kind": judged.kind,
        "cost": [round(points, 1) for points in judged.cost],
        "own": _write_action(judged.own),
        "better": _write_action(judged.better),
    }
    if judged.explanation is not None:
        cause, seat, number = judged.explanation
        stored["why"] = [cause.name, seat, number]
    return stored


def _read_judged(stored: dict[str, Any]) -> Judged:
    explanation = None
    if (why := stored.get("why")) is not None:
        cause, seat, number = why
        explanation = Explanation(Cause[cause], seat, number)
    return Judged(
        stored["at"],
        stored["kind"],
        Estimate(*stored["cost"]),
        _read_action(stored["own"]),
        _read_action(stored["better"]),
        explanation,
    )


def _write_action(action: Action) -> tuple[Seat, str]:
    return action.seat, write_action(action)


def _read_action(stored: tuple[Seat, str]) -> Action:
    seat, text = stored
    return read_action(seat, text)
