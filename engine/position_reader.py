"""Parser of positions. Other modules import `read_position` from `position`.

The engine can continue from each position that is read: all seats exist, each card is in one place,
a seat without cards is out, and there is a play to beat if the phase needs one.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from .cards import (
    CARDS_OF_RANK,
    MAHJONGS,
    card_set,
    cards_text,
    indices,
    read_cards,
    read_rank,
)
from .combinations import Combination, readings, with_key_on
from .errors import NotationError, quoted
from .hand import Hand
from .match import new_match
from .notation import read_play
from .options import Options
from .round import (
    PLAY_PHASES,
    WINDOW_PHASES,
    Call,
    Opening,
    Phase,
    Round,
    RoundResult,
    Seating,
    Trick,
    TrickStep,
)
from .state import Match
from .types import CardSet, Gifts, Rank, Seat, SeatSet

HEADER = "tichu position 1"
ANSWERS = {True: "yes", False: "no", None: "-"}
"""The answers to the Grand Tichu question as text."""

_READ_ANSWERS = {text: answer for answer, text in ANSWERS.items()}
_NAMES = frozenset(
    (
        *("variant", "first-dealer", "totals", "winners", "result", "round", "order", "teams"),
        *("phase", "hand", "stock", "answers", "given", "received", "calls", "asked", "started"),
        *("past", "trick", "submitted", "waived", "wish", "out", "pile", "discards"),
        *("left-over", "fresh"),
    )
)


def read_position(text: str) -> Match:
    """Return the position in a text.

    Raises `NotationError` if a line cannot be read or the facts contradict each other.
    """
    facts: dict[str, list[str]] = {}
    for line in map(str.strip, text.splitlines()):
        name, _, value = line.partition(" ")
        if name and not name.startswith("#") and line != HEADER:
            if name not in _NAMES:
                raise NotationError(f"{quoted(line)} is no line of a position")
            facts.setdefault(name, []).append(value.strip())
    try:
        return _Reader(facts).match()
    except NotationError:
        raise
    except (ValueError, LookupError, TypeError) as error:
        raise NotationError(f"not a position: {quoted(str(error))}") from error


class _Reader:
    """Parser of the facts of one position; its methods raise `NotationError`."""

    def __init__(self, facts: dict[str, list[str]]) -> None:
        self.facts = facts
        variant, _, changed = self.value("variant", "nanjing {}").partition(" ")
        options = Options.from_values(variant, _json(changed or "{}"))
        self.start = new_match(options, int(self.value("first-dealer", "0")))
        self.seats = self.start.variant.seat_count(self.start.options)

    def value(self, name: str, default: str = "-") -> str:
        """Return the value of the last line with this name."""
        return self.facts.get(name, [default])[-1] or default

    def seat(self, text: str) -> Seat:
        """Return a seat of this game."""
        seat = int(text)
        _require(0 <= seat < self.seats, f"there is no seat {quoted(text)}")
        return seat

    def some_seats(self, text: str) -> tuple[Seat, ...]:
        """Return the seats in a text, in its order and without repetition; ``-`` is none."""
        found = tuple(map(self.seat, () if text == "-" else text.split()))
        _require(len(set(found)) == len(found), f"a seat stands twice in {quoted(text)}")
        return found

    def each_seat(self, name: str, default: str) -> list[str]:
        """Return the words in the line of this name, one for each seat."""
        words = self.value(name, " ".join([default] * self.seats)).split()
        _require(len(words) == self.seats, f"{name}: one word for each of {self.seats} seats")
        return words

    def match(self) -> Match:
        """Return the whole position after all checks."""
        match = self.start._replace(
            totals=_read_numbers(self.value("totals")) or self.start.totals,
            winners=_read_numbers(self.value("winners")),
            results=tuple(map(_read_result, self.facts.get("result", ()))),
        )
        has_all_columns = len(match.totals) == len(self.start.totals)
        _require(has_all_columns, "totals: one for each score column")
        columns = range(match.variant.column_count(match.options))
        _require(all(column in columns for column in match.winners), "winners: score columns")
        if "phase" not in self.facts:
            return match
        round_ = self.round(match)
        _check(match, round_)
        return match._replace(round=round_)

    def round(self, match: Match) -> Round:
        """Return the current round, or the last one between two rounds."""
        number = len(match.results) + 1
        number_text, _, dealer = self.value(
            "round", f"{number} dealer {match.first_dealer}"
        ).split()
        phase, turn = self.value("phase").split()
        trick = tuple(self.steps(self.value("trick")))
        past = tuple(map(self.trick, self.facts.get("past", ())))
        top, top_seat, passes = _top_of(trick)
        laid = [step for steps in (*(other.steps for other in past), trick) for step in steps]
        return Round(
            number=int(number_text),
            dealer=self.seat(dealer),
            seating=self.seating(match, self.seat(dealer)),
            phase=Phase(phase),
            turn=self.seat(turn),
            hands=tuple(map(Hand, self.cards_by_seat("hand"))),
            opening=Opening(
                stock=self.cards_by_seat("stock"),
                answers=tuple(_READ_ANSWERS[word] for word in self.each_seat("answers", "no")),
                given=self.gifts_by_seat("given"),
                received=tuple(gifts or () for gifts in self.gifts_by_seat("received")),
                left_over=self.cards("left-over"),
            ),
            calls=tuple(
                None if word == "-" else Call[word.upper()] for word in self.each_seat("calls", "-")
            ),
            asked=card_set(self.some_seats(self.value("asked"))),
            last_callers=card_set(self.some_seats(self.value("fresh"))),
            started=self.started(laid),
            trick=trick,
            trick_cards=_laid_cards(trick),
            top=top,
            top_seat=top_seat,
            passes=passes,
            submitted=tuple(map(self.submitted, self.facts.get("submitted", ()))),
            waived=card_set(self.some_seats(self.value("waived"))),
            wish=self.wish(laid),
            out=self.some_seats(self.value("out")),
            piles=self.cards_by_seat("pile"),
            discards=self.cards("discards"),
            past=past,
        )

    def seating(self, match: Match, dealer: Seat) -> Seating:
        """Return the order and teams in the text, or those of the variant."""
        if "order" not in self.facts:
            return match.variant.seating(match, dealer)
        seating = Seating(self.some_seats(self.value("order")), _read_numbers(self.value("teams")))
        teams = match.variant.seating(self.start, dealer).teams
        _require(len(seating.order) == self.seats, "order: one for each seat")
        _require(seating.order[0] == dealer, "order: begins with the dealer")
        _require(seating.teams == teams, f"teams: not {quoted(self.value('teams'))} in this game")
        return seating

    def started(self, laid: list[TrickStep]) -> SeatSet:
        """Return the seats that have laid a card; they must include those in the tricks."""
        known = card_set({step.seat for step in laid if step.combination})
        if "started" not in self.facts:
            return known
        started = card_set(self.some_seats(self.value("started")))
        _require(not known & ~started, "started: a seat that has laid cards is missing")
        return started

    def wish(self, laid: list[TrickStep]) -> Rank | None:
        """Return the open wish. The tricks decide it if one of them contains the Mah Jong."""
        wish_of_tricks, mahjong_is_laid = None, False
        for step in laid:
            cards = step.combination.cards if step.combination else 0
            if cards & MAHJONGS:
                wish_of_tricks, mahjong_is_laid = step.wish, True
            elif wish_of_tricks is not None and cards & CARDS_OF_RANK[wish_of_tricks]:
                wish_of_tricks = None
            _require(step.wish is None or bool(cards & MAHJONGS), "a wish without the Mah Jong")
        if "wish" not in self.facts:
            return wish_of_tricks
        wish = None if self.value("wish") == "-" else read_rank(self.value("wish"))
        fits_tricks = not mahjong_is_laid or wish == wish_of_tricks
        _require(fits_tricks, "wish: another one than follows from the tricks")
        return wish

    def cards(self, name: str) -> CardSet:
        """Return the cards in the line of this name."""
        text = self.value(name)
        return 0 if text == "-" else read_cards(text)

    def cards_by_seat(self, name: str) -> tuple[CardSet, ...]:
        """Return the cards in the lines of this name, by seat; none for a seat without a line."""
        sets = [0] * self.seats
        for line in self.facts.get(name, ()):
            seat, _, cards = line.partition(" ")
            _require(not sets[self.seat(seat)], f"{name} {seat} stands twice")
            sets[self.seat(seat)] = read_cards(cards)
        return tuple(sets)

    def gifts_by_seat(self, name: str) -> tuple[Gifts | None, ...]:
        """Return the gifts in the lines of this name, by seat; `None` for a seat without a line."""
        found: list[Gifts | None] = [None] * self.seats
        for line in self.facts.get(name, ()):
            seat, *gifts = line.split()
            pairs = [gift.split(":") for gift in gifts]
            found[self.seat(seat)] = tuple(
                (self.seat(other), read_cards(cards)) for other, cards in pairs
            )
        return tuple(found)

    def steps(self, text: str) -> Iterator[TrickStep]:
        """Yield the steps of a trick: ``0 S8 | 1 pass``."""
        top: Combination | None = None
        for step in text.split("|") if text != "-" else ():
            seat, cards, *words = step.split()
            if cards == "pass" and not words:
                yield TrickStep(self.seat(seat), None)
                continue
            top = with_key_on(_read_combination(cards), top)
            wish = None
            if words:
                name, _, rank = " ".join(words).partition("=")
                _require(name == "wish", f"{quoted(step)} is no step of a trick")
                wish = read_rank(rank)
            yield TrickStep(self.seat(seat), top, wish)

    def trick(self, line: str) -> Trick:
        """Return a finished trick: its steps, ``=>``, its winner, perhaps ``>`` and a receiver."""
        steps, _, owner = line.partition("=>")
        winner, arrow, given_to = owner.partition(">")
        return Trick(
            tuple(self.steps(steps.strip())),
            -1 if winner.strip() == "-1" else self.seat(winner),
            self.seat(given_to) if arrow else None,
        )

    def submitted(self, line: str) -> tuple[Seat, Combination]:
        """Return a sealed bomb and its seat."""
        seat, cards = line.split()
        bomb = _read_combination(cards)
        _require(bomb.is_bomb, f"{quoted(cards)} is no bomb")
        return self.seat(seat), bomb


def _check(match: Match, round_: Round) -> None:
    """Raise `NotationError` unless the facts of a round are consistent."""
    phase = round_.phase
    taken = _all_cards(match, round_)
    _require(phase is not Phase.MATCH_END, "a match that is over has winners, not this phase")
    _require(not round_.waived or phase in WINDOW_PHASES, "waived: only in a window")
    all_asked_called = all(round_.calls[seat] for seat in indices(round_.asked))
    _require(all_asked_called, "asked: only who has called")
    last_calls = [round_.calls[seat] for seat in indices(round_.last_callers)]
    _require(
        all(call is Call.TICHU for call in last_calls), "fresh: only who has called a small Tichu"
    )
    if phase in PLAY_PHASES:
        _check_in_play(match, round_)
    elif phase is not Phase.ROUND_END:
        _check_before_play(match, round_, taken)
    for seat, bomb in round_.submitted:
        held = not bomb.cards & ~round_.hands[seat].cards
        _require(held and phase in WINDOW_PHASES, f"submitted {seat}: a bomb in hand, in a window")


def _check_before_play(match: Match, round_: Round, taken: CardSet) -> None:
    """Raise `NotationError` unless cards and answers fit a phase before the first lead."""
    phase, opening = round_.phase, round_.opening
    _require(not round_.trick and not round_.out, "nothing is laid before the first lead")
    _require(taken == card_set(match.variant.deck(match.options)), "a card is nowhere")
    waiting = opening.answers if phase is Phase.GRAND else opening.given
    _require(None in waiting or bool(round_.asked), f"phase {phase.value}: for whom?")
    if phase is Phase.EXCHANGE:
        for seat, gifts in enumerate(opening.given):
            if gifts:
                match.variant.check_gifts(round_, seat, gifts)


def _check_in_play(match: Match, round_: Round) -> None:
    """Raise `NotationError` unless trick, turn and order of going out fit a phase of play."""
    phase, trick = round_.phase, round_.trick
    empty = {seat for seat, hand in enumerate(round_.hands) if not hand.size}
    _require(set(round_.out) == empty, "out: exactly the seats without cards")
    _require((phase is Phase.LEAD) == (not trick), f"phase {phase.value} and this trick")
    begins_with_play = not trick or trick[0].combination is not None
    is_dog = round_.top is not None and round_.top.key == 0
    _require(begins_with_play and not is_dog, "a trick begins with a play")
    over = match.variant.sweep(round_) is not None or len(round_.out) >= len(round_.hands) - 1
    _require(not over or phase is Phase.GIFT, "out: so many that the round is over")
    _require(round_.has_cards(round_.turn) or phase is Phase.GIFT, "on turn: somebody with cards")


def _all_cards(match: Match, round_: Round) -> CardSet:
    """Return the cards of all places.

    Raises `NotationError` unless each is in one place and in this game's deck.
    """
    taken = 0
    places = [hand.cards for hand in round_.hands]
    places += [*round_.opening.stock, *round_.piles, round_.trick_cards, round_.discards]
    places.append(round_.opening.left_over)
    _check_past(round_)
    for cards in places:
        _require(not cards & taken, f"twice in this position: {cards_text(cards & taken)}")
        taken |= cards
    extra = taken & ~card_set(match.variant.deck(match.options))
    _require(not extra, f"not in this deck: {cards_text(extra)}")
    return taken


def _check_past(round_: Round) -> None:
    """Raise `NotationError` if a card of a finished trick is still in play."""
    gone = 0
    for trick in round_.past:
        gone |= _laid_cards(trick.steps)
    held = round_.trick_cards | round_.opening.left_over
    for hand in round_.hands:
        held |= hand.cards
    _require(not gone & held, f"laid in an earlier trick: {cards_text(gone & held)}")


def _require(fits: bool, message: str) -> None:
    """Raise `NotationError` with this message if `fits` is false."""
    if not fits:
        raise NotationError(message)


def _read_numbers(text: str) -> tuple[int, ...]:
    return () if text == "-" else tuple(map(int, text.split()))


def _read_combination(text: str) -> Combination:
    """Return the stated reading of the cards, or their highest."""
    cards, phoenix = read_play(text)
    for reading in readings(cards):
        if phoenix is None or reading.phoenix == phoenix:
            return reading
    raise NotationError(f"{quoted(text)} is no combination")


def _laid_cards(steps: Iterable[TrickStep]) -> CardSet:
    """Return the cards laid in these steps; raise `NotationError` if one is laid twice."""
    cards = 0
    for step in steps:
        if step.combination is not None:
            _require(not cards & step.combination.cards, "a card is laid twice")
            cards |= step.combination.cards
    return cards


def _top_of(trick: tuple[TrickStep, ...]) -> tuple[Combination | None, Seat, int]:
    """Return the play to beat in an open trick, its seat, and the number of passes since."""
    for passes, step in enumerate(reversed(trick)):
        if step.combination is not None:
            return step.combination, step.seat, passes
    return None, -1, 0


def _json(text: str) -> dict[str, Any]:
    """Return the JSON object in a text."""
    try:
        found = json.loads(text)
    except RecursionError as error:
        raise NotationError(f"{quoted(text)} is nested too deeply") from error
    _require(isinstance(found, dict), f"{quoted(text)} is no JSON object")
    return dict(found)


def _read_result(text: str) -> RoundResult:
    """Return the result of a round from its JSON object."""
    facts = _json(text)
    _require(set(facts) == set(RoundResult._fields), f"{quoted(text)} is no result")
    penalty = facts["penalty"]
    numbers = {
        name: tuple(map(_require_int, facts[name])) for name in ("out", "cards", "score", "totals")
    }
    return RoundResult(
        number=_require_int(facts["number"]),
        dealer=_require_int(facts["dealer"]),
        calls=tuple(
            (_require_int(seat), Call[str(call).upper()], made is True)
            for seat, call, made in facts["calls"]
        ),
        sweep=facts["sweep"] is True,
        penalty=None if penalty is None else _require_int(penalty),
        **numbers,
    )


def _require_int(value: object) -> int:
    """Return the value; raise `NotationError` unless it is an `int`."""
    if type(value) is not int:
        raise NotationError(f"{quoted(str(value))} is no whole number")
    return value
