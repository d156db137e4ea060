"""Checks a BrettspielWelt log by replaying it: `python -m bot import-log`.

A log does not say which rank a Phoenix has and when a bomb window closes. So all possible readings
are followed in parallel, each as a match of the engine. An illegal reading is dropped. The log
disagrees with the engine when no reading is left.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from bot.formats.bsw_read import CUT_OFF, SEATS, Entry, Kind, Log, LoggedRound, Note, Unreadable
from engine import (
    DECK_SIZE,
    PHOENIXES,
    WINDOW_PHASES,
    Action,
    AnswerGrand,
    AnswerWithdraw,
    Bomb,
    CallTichu,
    Card,
    CardSet,
    CloseWindow,
    GiveTrick,
    IllegalAction,
    Match,
    Options,
    Pass,
    PassCards,
    Phase,
    Play,
    Round,
    apply,
    deal,
    indices,
    new_match,
    readings,
)

_DECK = (1 << DECK_SIZE) - 1


class Disagreement(Exception):
    """Raised when the engine disagrees with a line of a log."""

    def __init__(self, line: int, reason: IllegalAction | str) -> None:
        super().__init__(line, reason)
        self.line = line
        """Line number, from 1."""
        self.reason = reason
        """Refusal of the engine, or a sentence in English."""


@dataclass(frozen=True, slots=True)
class Checked:
    """Result of checking a log, round by round."""

    rounds: int
    """Number of rounds."""
    broken_off: tuple[int, ...]
    """First lines of rounds that have no result but no error either."""
    wrong: tuple[Disagreement | Unreadable, ...]
    """Faulty line of each round that is wrong or unreadable, by line."""
    notes: tuple[Note, ...]
    """Anomalies in the log, by line."""

    @property
    def good(self) -> int:
        """Number of rounds that have a result and agree with the engine."""
        return self.rounds - len(self.broken_off) - len(self.wrong)


def check(log: Log) -> Checked:
    """Replay all rounds of a log, each on its own."""
    broken_off: list[int] = []
    wrong: list[Disagreement | Unreadable] = []
    notes = list(log.notes)
    for round_ in log.rounds:
        cut = False
        try:
            check_round(round_)
        except Disagreement as disagreement:
            cut = disagreement.line == log.open_line
            if cut:
                notes.append(Note(disagreement.line, CUT_OFF))
            else:
                wrong.append(disagreement)
                continue
        if round_.problem is not None:
            wrong.append(round_.problem)
        elif cut or not round_.finished:
            broken_off.append(round_.line)
    return Checked(len(log.rounds), tuple(broken_off), tuple(wrong), tuple(notes))


def check_round(logged: LoggedRound) -> list[Match]:
    """Return the matches at the end of a round: one for each legal reading of the log.

    There are several if the rank of a Phoenix made no difference. A round that is broken off is
    played as far as the log goes; without hands there is no match. Raise `Disagreement`.
    """
    if not logged.hands:
        return []
    matches = [_opened(logged)]
    before: Entry | None = None
    for entry in logged.entries:
        if entry.line < logged.exchange_line or not logged.given:
            continue
        matches = _follow(matches, entry, before)
        before = entry if entry.kind is not Kind.TICHU else before
    return matches


def _follow(matches: list[Match], entry: Entry, before: Entry | None) -> list[Match]:
    """Apply an entry to each of these matches.

    A match in which the entry is illegal is dropped, and of equal matches only one is kept.
    `before` is the last entry before this one that is not a call. Raise `Disagreement` if no match
    is left.
    """
    results: dict[Round | None, Match] = {}
    refusals: list[Disagreement] = []
    for match in matches:
        for actions in _choices(match, entry, before):
            try:
                after = _carried_out(match, entry, actions)
            except IllegalAction as error:
                refusals.append(Disagreement(entry.line, error))
            except Disagreement as error:
                refusals.append(error)
            else:
                assert after.round is not None
                # The rank of a Phoenix in an earlier trick makes no difference.
                results.setdefault(after.round._replace(past=()), after)
    if not results:
        raise refusals[0]
    return list(results.values())


# --- from the deck to the first lead --------------------------------------------------------------


def _opened(logged: LoggedRound) -> Match:
    """Return the match after the deal, the calls before the exchange, and the exchange."""
    match = _dealt(logged)
    early = [
        entry for entry in logged.entries if not logged.given or entry.line < logged.exchange_line
    ]
    callers = {entry.seat: entry for entry in early if entry.kind is Kind.GRAND}
    for seat in range(SEATS):
        match, _ = apply(match, AnswerGrand(seat, seat in callers))
    while match.round is not None and match.round.asked:
        asked = match.round.asked.bit_length() - 1
        match, _ = apply(match, AnswerWithdraw(asked, False))
    for entry in early:
        if entry.kind is Kind.TICHU:
            match = _tried(match, entry.line, CallTichu(entry.seat))
        elif entry is not callers.get(entry.seat):
            raise Disagreement(entry.line, "Before the exchange there are only calls, one a seat.")
    for seat, gifts in enumerate(logged.given):
        match = _tried(match, logged.exchange_line + 1 + seat, PassCards(seat, gifts))
    return match


def _dealt(logged: LoggedRound) -> Match:
    """Deal the hands of this round in a new match."""
    if sum(hand.bit_count() for hand in logged.hands) != DECK_SIZE or _union(logged) != _DECK:
        raise Disagreement(logged.line, "The four hands are not the cards of one deck.")
    order: list[list[Card]] = []
    for first, hand in zip(logged.first, logged.hands, strict=True):
        if first & ~hand:
            raise Disagreement(logged.line, "Some of the first eight cards are not in the hand.")
        order.append([*indices(first), *indices(hand & ~first)])
    deck = [order[place % SEATS][place // SEATS] for place in range(DECK_SIZE)]
    match, _ = deal(new_match(Options()), deck)
    return match


def _union(logged: LoggedRound) -> CardSet:
    """Return the union of the four hands."""
    cards = 0
    for hand in logged.hands:
        cards |= hand
    return cards


def _tried(match: Match, line: int, action: Action) -> Match:
    """Apply an action. Raise `Disagreement` with this line if it is illegal."""
    try:
        return apply(match, action)[0]
    except IllegalAction as error:
        raise Disagreement(line, error) from None


# --- play -----------------------------------------------------------------------------------------


def _choices(match: Match, entry: Entry, before: Entry | None) -> Iterator[tuple[Action, ...]]:
    """Yield the possible meanings of an entry, the likeliest first.

    Each is a sequence of actions. There is at least one meaning. It is empty if the entry is only
    compared.
    """
    round_ = match.round
    assert round_ is not None
    seat = entry.seat
    closed = (CloseWindow(),) if round_.phase in WINDOW_PHASES else ()
    if entry.kind is Kind.TICHU:
        yield (CallTichu(seat),)
    elif entry.kind is Kind.GRAND:
        yield (AnswerGrand(seat, True),)
    elif entry.kind is Kind.GIFT:
        giver = round_.top_seat if closed else round_.turn
        yield (*closed, GiveTrick(giver, seat))
    elif entry.kind is Kind.PASS:
        if not _takes_the_trick(round_, entry, before):
            yield (*closed, Pass(seat))
        else:
            yield closed
    elif entry.kind is Kind.PLAY:
        yield from _plays(round_, entry, closed)
    else:
        yield ()


def _takes_the_trick(round_: Round, entry: Entry, before: Entry | None) -> bool:
    """Return whether a pass is that of the trick's winner.

    Logs have this pass when all others have passed. For the engine it closes the trick, unless that
    already happened because nobody could have bombed.
    """
    if round_.phase is Phase.CLOSING:
        return entry.seat == round_.top_seat
    if before is None or before.kind is not Kind.PASS or before.seat == entry.seat:
        return False
    if round_.phase is Phase.GIFT:
        return entry.seat == round_.turn
    return round_.phase is Phase.LEAD and round_.past[-1].winner == entry.seat


def _plays(round_: Round, entry: Entry, closed: tuple[Action, ...]) -> Iterator[tuple[Action, ...]]:
    """Yield the meanings of a play.

    A Phoenix may have several ranks, and a bomb may be out of turn. `closed` are the actions that
    close the bomb window, if one is open.
    """
    seat, cards, combinations = entry.seat, entry.cards, readings(entry.cards)
    if combinations and combinations[0].is_bomb and entry.wish is None:
        if closed:
            yield (Bomb(seat, cards), CloseWindow())
        elif round_.phase is Phase.TURN and round_.turn != seat:
            yield (Bomb(seat, cards),)
            return
        if closed and round_.phase is Phase.WINDOW:
            return  # in a window every bomb counts as thrown out of turn
    if cards & PHOENIXES and len(combinations) > 1:
        for reading in combinations:
            yield (*closed, Play(seat, cards, reading.phoenix, entry.wish))
    else:
        yield (*closed, Play(seat, cards, None, entry.wish))


def _carried_out(match: Match, entry: Entry, actions: tuple[Action, ...]) -> Match:
    """Apply these actions, and compare the result or the bombs if the entry has them.

    Raise `IllegalAction` if an action is illegal, and `Disagreement` if the log has another result
    or other holders of bombs.
    """
    for action in actions:
        match, _ = apply(match, action)
    if entry.kind is Kind.RESULT:
        _compare_result(match, entry)
    elif entry.kind is Kind.BOMBS:
        _compare_bombs(match, entry)
    return match


def _compare_result(match: Match, entry: Entry) -> None:
    """Raise `Disagreement` if the round is not over or the log has another result."""
    if not match.results:
        raise Disagreement(entry.line, "The round is not over.")
    score = match.results[-1].score
    if score != entry.result:
        raise Disagreement(entry.line, f"The result is {score[0]} - {score[1]}.")


def _compare_bombs(match: Match, entry: Entry) -> None:
    """Raise `Disagreement` if the log has other holders of bombs."""
    round_ = match.round
    assert round_ is not None
    seats = tuple(seat for seat, hand in enumerate(round_.hands) if hand.bombs())
    if seats != tuple(sorted(entry.seats)):
        holders = " ".join(f"({seat})" for seat in seats)
        raise Disagreement(entry.line, f"Bombs are held by {holders or 'nobody'}.")
