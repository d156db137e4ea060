"""Replays of random matches, and reviews of their rounds made by hand."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from bot.history.replay import Replay, replays_of
from bot.records import RoundNumber
from bot.table.action_log import apply_record
from bot.table.options import TableOptions
from engine import (
    Action,
    AnswerGrand,
    Bomb,
    CallTichu,
    PassCards,
    Phase,
    Seat,
    Waive,
    read_action,
    write_action,
)
from players.coach.decisions import Decision, decisions
from players.coach.estimates import Chances, Estimate
from players.coach.review import Judged, Review, Turn
from players.reasons import Cause, Explanation
from tests.bot.games import NANJING, batches
from tests.bot.states import chairs


def random_replay(
    seed: int = 3, options: TableOptions = NANJING, names: Sequence[str] = (), number: int = 1
) -> Replay:
    """Return the replay of a round of a random match of people with these names."""
    played = batches(seed, options)
    last = played[-1][1]
    if names:
        last = replace(last, chairs=chairs(names[: len(last.chairs)]))
    actions = [action for *_, change in played for action in change.actions]
    return replays_of(last, actions, (), [RoundNumber(number)])[RoundNumber(number)]


def made_review(replay: Replay, seat: Seat, wanted: Callable[[Decision], bool]) -> Review:
    """Return a review that marks the first three wanted decisions; the rest was right."""
    played = replay.played_round
    match, actions = played.dealt, list[Action]()
    curve: list[Turn] = []
    for record in played.actions[1:]:
        actions.append(read_action(record.seat, record.text))
        before = match
        match, _ = apply_record(match, match.options, record.seat, record.text)
        if match.phase is Phase.LEAD and before.phase is not Phase.LEAD:
            curve.append(Turn(len(actions), Chances(0.3 + 0.5 * (len(curve) % 2), 0.5)))
    curve.append(Turn(len(actions), Chances(1.0, 0.6)))
    judged, marks = list[Judged](), list[Judged]()
    for decision in decisions(played.dealt, actions, seat):
        cost = Estimate(35.4, 25.2, 45.3)
        each = Judged(
            decision.at,
            decision.kind,
            cost,
            decision.action,
            other_choice(decision),
            Explanation(Cause.ONE_CARD, seat=(seat + 1) % len(replay.table.chairs)),
        )
        judged.append(each)
        if wanted(decision) and len(marks) < 3:
            marks.append(each)
    right = [each.at for each in judged if each not in marks][-1:]
    return Review(tuple(judged), tuple(marks), tuple(right), tuple(curve))


def other_choice(decision: Decision) -> Action:
    """Return another legal choice."""
    action, seen = decision.action, decision.view
    assert seen.seat is not None
    if isinstance(action, AnswerGrand):
        return AnswerGrand(action.seat, not action.call)
    if isinstance(action, PassCards):
        gifts = dict(action.gifts)
        (first, one), (second, other) = list(gifts.items())[:2]
        return PassCards(action.seat, tuple((gifts | {first: other, second: one}).items()))
    if decision.kind == "call":
        without = [*_without_calls(decision), Waive(seen.seat)]  # the latter in another's turn
        return without[0] if isinstance(action, CallTichu) else CallTichu(seen.seat)
    if decision.kind == "bomb":
        return (
            Waive(seen.seat) if isinstance(action, Bomb) else Bomb(seen.seat, seen.bombs[0].cards)
        )
    others = [each for each in _without_calls(decision) if each != action]
    return max(others, key=lambda each: len(write_action(each)))


def _without_calls(decision: Decision) -> list[Action]:
    return [each for each in decision.view.actions if not isinstance(each, CallTichu)]
