"""Reads rounds from JSON by replaying them: `python -m bot import-log`.

`json_rounds` writes the document, and docs/replay.md describes it. Hands, turn order and results
follow from the deals and the actions, so a document in which they differ is rejected.
"""

from __future__ import annotations

import json
from typing import Annotated, Any, Literal, TypeVar

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, ValidationError

from bot.formats.game import Game
from bot.formats.json_rounds import round_document
from bot.history.played_round import PlayedRound, Position
from bot.ids import TableId
from bot.records import CLOCK, ActingSeat, ActionRecord, Points, RoundNumber, Seat
from bot.table.action_log import apply_record, read_deal, write_deal
from bot.table.match_length import first_match
from engine import IllegalAction, Match, Options, RoundResult

_MOST_ROUNDS = 10_000
"""Maximum number of a round."""
_T = TypeVar("_T")
_List = Annotated[list[_T], Field(fail_fast=True)]
"""List whose validation ends at the first fault, because a report of all takes gigabytes."""


class InvalidDocument(Exception):
    """Raised when a file is not a document of rounds. The message is in English."""


class InconsistentDocument(Exception):
    """Raised when the rounds of a document contradict each other or the rules."""

    def __init__(self, place: str, reason: ValueError | str) -> None:
        super().__init__(place, reason)
        self.place = place
        """Faulty place, in English: `round 2, action 17 (seat 2: pass)`."""
        self.reason = reason
        """Exception of the engine, or a sentence in English."""


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, strict=True, extra="ignore", hide_input_in_errors=True)


class _Action(_Part):
    seat: ActingSeat
    action: str
    at: Annotated[AwareDatetime, Field(strict=False)]


class _Result(_Part):
    score: _List[Points]
    totals: _List[Points]


class _Round(_Part):
    number: Annotated[RoundNumber, Field(le=_MOST_ROUNDS)]
    seats: _List[str]
    dealer: Seat
    order: _List[Seat]
    deal: str
    actions: Annotated[_List[_Action], Field(min_length=1)]
    result: _Result


class _Document(_Part):
    format: Literal["tichu-rounds"]
    version: Literal[1]
    table: int
    variant: str
    options: dict[str, Any]
    matchRounds: Annotated[int, Field(ge=1)] | None = None  # noqa: N815 - as in the document
    rounds: Annotated[_List[_Round], Field(min_length=1)]


def is_document(content: bytes) -> bool:
    """Return whether a file looks like JSON. A BrettspielWelt log never begins with a brace."""
    return content.removeprefix(b"\xef\xbb\xbf").lstrip()[:1] == b"{"


def read_document(content: bytes) -> Game:
    """Replay the rounds in a document.

    Raise `InvalidDocument`, or `InconsistentDocument` for the first inconsistency.
    """
    try:
        parsed = json.loads(content)
        document = _Document.model_validate(parsed)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False, include_context=False)[0]
        raise InvalidDocument(f"{'.'.join(map(str, first['loc']))}: {first['msg']}") from None
    except (ValueError, RecursionError) as error:
        raise InvalidDocument(str(error)) from None
    try:
        options = Options.from_values(document.variant, document.options)
    except ValueError as error:
        raise InconsistentDocument("options", error) from None
    match: Match | None = None
    rounds: list[PlayedRound] = []
    for part, raw in zip(document.rounds, parsed["rounds"], strict=True):
        if match is not None and part.number != len(match.results) + 1:
            raise InconsistentDocument(
                f"round {part.number}", "It does not follow the round before it."
            )
        before = match or _match_before(options, document.matchRounds, part)
        played = _replay_round(before, part, raw)
        rounds.append(played)
        match = played.positions[-1].match
    names = tuple(tuple(part.seats) for part in document.rounds)
    table = TableId(document.table)
    return Game(table, options, names, tuple(rounds), document.matchRounds)


def _match_before(options: Options, match_rounds: int | None, part: _Round) -> Match:
    """Reconstruct the match before the first round of a document, as far as needed.

    The dealer, the previous points and in Grand Seigneur the ranks are taken from the document.
    Raise `InconsistentDocument` if they are inconsistent.
    """
    try:
        match = first_match(options, part.dealer, match_rounds)
    except IllegalAction as error:
        raise InconsistentDocument(f"round {part.number}, dealer", error) from None
    if part.number == 1:
        return match
    variant, result = match.variant, part.result
    seats = range(variant.seat_count(options))
    if sorted(part.order) != [*seats] or not (
        len(result.score) == len(result.totals) == len(match.totals)
    ):
        raise InconsistentDocument(
            f"round {part.number}", "Its order or its points do not fit the game."
        )
    totals = tuple(total - score for total, score in zip(result.totals, result.score, strict=True))
    out = tuple(reversed(part.order)) if variant.ranked else (part.dealer,)
    # Any previous dealer will do whose successor is the dealer of this round.
    for dealer in range(variant.chair_count(options)):
        last_result = RoundResult(part.number - 1, dealer, out, (), (), (), totals)
        match_before = match._replace(totals=totals, results=(last_result,) * (part.number - 1))
        if variant.next_dealer(match_before) == part.dealer:
            return match_before
    raise InconsistentDocument(
        f"round {part.number}, dealer", "The last seat in the order of ranks deals."
    )


def _replay_round(match_before: Match, part: _Round, raw: dict[str, Any]) -> PlayedRound:
    """Replay a round that follows `match_before`. Raise `InconsistentDocument`.

    `raw` is the unparsed round of the document.
    """
    where = f"round {part.number}"
    try:
        deal = write_deal(read_deal(part.deal))
        match, events = apply_record(match_before, match_before.options, CLOCK, deal)
    except ValueError as error:
        raise InconsistentDocument(f"{where}, deal", error) from None
    actions = [_action_record(part, 1, CLOCK, deal, part.actions[0])]
    positions = [Position(match, tuple(events))]
    for place, action in enumerate(part.actions, start=1):
        description = f"{where}, action {place} (seat {action.seat}: {action.action})"
        if len(match.results) == part.number:
            raise InconsistentDocument(description, "The round is over before it.")
        try:
            match, events = apply_record(match, match.options, action.seat, action.action)
        except ValueError as error:
            raise InconsistentDocument(description, error) from None
        actions.append(_action_record(part, place + 1, action.seat, action.action, action))
        if events:
            positions.append(Position(match, tuple(events), place))
    if len(match.results) < part.number:
        raise InconsistentDocument(
            f"{where}, action {len(part.actions)}", "The round is not over after it."
        )
    played = PlayedRound(part.number, match_before, tuple(actions), tuple(positions))
    _check_derived_data(played, part, raw)
    return played


def _action_record(part: _Round, seq: int, seat: Seat, text: str, action: _Action) -> ActionRecord:
    """Return the record of an action, with the time of `action`."""
    return ActionRecord(seq=seq, round=part.number, seat=seat, text=text, at=action.at)


def _check_derived_data(played: PlayedRound, part: _Round, raw: dict[str, Any]) -> None:
    """Raise `InconsistentDocument` if the document has other results than the replayed round."""
    expected = round_document(played, tuple(part.seats))
    if len(part.seats) != len(expected["hands"]):
        raise InconsistentDocument(
            f"round {part.number}, seats", "There is not one name for each seat."
        )
    # The keys of the result are compared one by one, to name the key that differs.
    parsed = {**raw, **{f"result.{key}": value for key, value in raw["result"].items()}}
    expected |= {f"result.{key}": value for key, value in expected.pop("result").items()}
    for key, value in expected.items():
        if key != "actions" and parsed.get(key) != value:
            raise InconsistentDocument(
                f"round {part.number}, {key}", "It does not follow from the actions."
            )
