"""Checks a BrettspielWelt log by replaying it: `python -m bot import-log`.

A log contains neither the rank of a Phoenix nor the end of a bomb window. So all possible readings
of the log are followed in parallel, each as a match of the engine. A reading that becomes illegal
is dropped. If no reading is left, the log disagrees with the engine.
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
        """Exception of the engine, or a sentence in English."""


@dataclass(frozen=True, slots=True)
class CheckResult:
    """Result of checking a log, round by round."""

    rounds: int
    """Number of rounds."""
    broken_off: tuple[int, ...]
    """First line of each round that has neither a result nor an error."""
    wrong: tuple[Disagreement | Unreadable, ...]
    """Fault of each round that is wrong or unreadable, sorted by line."""
    notes: tuple[Note, ...]
    """Anomalies in the log, sorted by line."""

    @property
    def good(self) -> int:
        """Number of rounds that have a result and agree with the engine."""
        return self.rounds - len(self.broken_off) - len(self.wrong)


def check(log: Log) -> CheckResult:
    """Replay all rounds of a log, each on its own."""
    broken_off: list[int] = []
    wrong: list[Disagreement | Unreadable] = []
    notes = list(log.notes)
    for round_ in log.rounds:
        is_cut_off = False
        try:
            check_round(round_)
        except Disagreement as disagreement:
            is_cut_off = disagreement.line == log.open_line
            if is_cut_off:
                notes.append(Note(disagreement.line, CUT_OFF))
            else:
                wrong.append(disagreement)
                continue
        if round_.problem is not None:
            wrong.append(round_.problem)
        elif is_cut_off or not round_.finished:
            broken_off.append(round_.line)
    return CheckResult(len(log.rounds), tuple(broken_off), tuple(wrong), tuple(notes))


def check_round(logged: LoggedRound) -> list[Match]:
    """Return the matches at the end of a round: one for each legal reading of the log.

    There are several matches if a Phoenix may have several ranks. A round that is broken off is
    played as far as the log goes. Without hands in the log there is no match. Raise `Disagreement`.
    """
    if not logged.hands:
        return []
    matches = [_match_after_exchange(logged)]
    previous: Entry | None = None
    for entry in logged.entries:
        if entry.line < logged.exchange_line or not logged.given:
            continue  # `_match_after_exchange` has applied it
        matches = _apply_entry(matches, entry, previous)
        previous = entry if entry.kind is not Kind.TICHU else previous
    return matches


def _apply_entry(matches: list[Match], entry: Entry, previous: Entry | None) -> list[Match]:
    """Apply an entry to each of these matches.

    A match in which the entry is illegal is dropped, and of equal matches only one is kept.
    `previous` is the entry before, apart from calls. Raise `Disagreement` if no match is left.
    """
    matches_after: dict[Round | None, Match] = {}
    refusals: list[Disagreement] = []
    for match in matches:
        for actions in _meanings(match, entry, previous):
            try:
                match_after = _apply_actions(match, entry, actions)
            except IllegalAction as error:
                refusals.append(Disagreement(entry.line, error))
            except Disagreement as error:
                refusals.append(error)
            else:
                assert match_after.round is not None
                # The rank of a Phoenix in an earlier trick makes no difference.
                matches_after.setdefault(match_after.round._replace(past=()), match_after)
    if not matches_after:
        raise refusals[0]
    return list(matches_after.values())


# --- from the deck to the first lead --------------------------------------------------------------


def _match_after_exchange(logged: LoggedRound) -> Match:
    """Return the match after the deal, the calls before the exchange, and the exchange itself."""
    match = _match_after_deal(logged)
    entries_before = [
        entry for entry in logged.entries if not logged.given or entry.line < logged.exchange_line
    ]
    grand_calls = {entry.seat: entry for entry in entries_before if entry.kind is Kind.GRAND}
    for seat in range(SEATS):
        match, _ = apply(match, AnswerGrand(seat, seat in grand_calls))
    while match.round is not None and match.round.asked:
        asked_seat = match.round.asked.bit_length() - 1  # the highest seat in the set
        match, _ = apply(match, AnswerWithdraw(asked_seat, False))
    for entry in entries_before:
        if entry.kind is Kind.TICHU:
            match = _apply_or_disagree(match, entry.line, CallTichu(entry.seat))
        elif entry is not grand_calls.get(entry.seat):
            raise Disagreement(entry.line, "Before the exchange there are only calls, one a seat.")
    for seat, gifts in enumerate(logged.given):
        match = _apply_or_disagree(match, logged.exchange_line + 1 + seat, PassCards(seat, gifts))
    return match


def _match_after_deal(logged: LoggedRound) -> Match:
    """Deal the hands of this round in a new match."""
    if sum(hand.bit_count() for hand in logged.hands) != DECK_SIZE or _all_cards(logged) != _DECK:
        raise Disagreement(logged.line, "The four hands are not the cards of one deck.")
    hands_in_order: list[list[Card]] = []
    for first_cards, hand in zip(logged.first, logged.hands, strict=True):
        if first_cards & ~hand:
            raise Disagreement(logged.line, "Some of the first eight cards are not in the hand.")
        hands_in_order.append([*indices(first_cards), *indices(hand & ~first_cards)])
    # Cards are dealt one by one, so every fourth card of the deck is of the same hand.
    deck = [hands_in_order[place % SEATS][place // SEATS] for place in range(DECK_SIZE)]
    match, _ = deal(new_match(Options()), deck)
    return match


def _all_cards(logged: LoggedRound) -> CardSet:
    """Return the cards of all four hands."""
    cards = 0
    for hand in logged.hands:
        cards |= hand
    return cards


def _apply_or_disagree(match: Match, line: int, action: Action) -> Match:
    """Apply an action. Raise `Disagreement` with this line if it is illegal."""
    try:
        return apply(match, action)[0]
    except IllegalAction as error:
        raise Disagreement(line, error) from None


# --- play -----------------------------------------------------------------------------------------


def _meanings(match: Match, entry: Entry, previous: Entry | None) -> Iterator[tuple[Action, ...]]:
    """Yield the possible meanings of an entry as sequences of actions, the likeliest first.

    There is at least one meaning. The only meaning of an entry without actions, such as a result,
    is an empty sequence.
    """
    round_ = match.round
    assert round_ is not None
    seat = entry.seat
    close_window = (CloseWindow(),) if round_.phase in WINDOW_PHASES else ()
    if entry.kind is Kind.TICHU:
        yield (CallTichu(seat),)
    elif entry.kind is Kind.GRAND:
        yield (AnswerGrand(seat, True),)
    elif entry.kind is Kind.GIFT:
        giver = round_.top_seat if close_window else round_.turn
        yield (*close_window, GiveTrick(giver, seat))
    elif entry.kind is Kind.PASS:
        if _is_pass_of_winner(round_, entry, previous):
            yield close_window
        else:
            yield (*close_window, Pass(seat))
    elif entry.kind is Kind.PLAY:
        yield from _meanings_of_play(round_, entry, close_window)
    else:
        yield ()


def _is_pass_of_winner(round_: Round, entry: Entry, previous: Entry | None) -> bool:
    """Return whether the winner of a trick passes, after all others have passed.

    Only logs have this pass. It stands for the end of the trick's bomb window, unless the trick has
    already ended because nobody could have bombed.
    """
    if round_.phase is Phase.CLOSING:
        return entry.seat == round_.top_seat
    if previous is None or previous.kind is not Kind.PASS or previous.seat == entry.seat:
        return False
    if round_.phase is Phase.GIFT:
        return entry.seat == round_.turn
    return round_.phase is Phase.LEAD and round_.past[-1].winner == entry.seat


def _meanings_of_play(
    round_: Round, entry: Entry, close_window: tuple[Action, ...]
) -> Iterator[tuple[Action, ...]]:
    """Yield the meanings of a play.

    A Phoenix may have several ranks, and a bomb may be out of turn. `close_window` are the actions
    that close the bomb window, if one is open.
    """
    seat, cards, combinations = entry.seat, entry.cards, readings(entry.cards)
    if combinations and combinations[0].is_bomb and entry.wish is None:
        if close_window:
            yield (Bomb(seat, cards), CloseWindow())
        elif round_.phase is Phase.TURN and round_.turn != seat:
            yield (Bomb(seat, cards),)
            return
        if close_window and round_.phase is Phase.WINDOW:
            return  # in the window of a trick that goes on, every bomb is thrown out of turn
    if cards & PHOENIXES and len(combinations) > 1:
        for reading in combinations:
            yield (*close_window, Play(seat, cards, reading.phoenix, entry.wish))
    else:
        yield (*close_window, Play(seat, cards, None, entry.wish))


def _apply_actions(match: Match, entry: Entry, actions: tuple[Action, ...]) -> Match:
    """Apply these actions, then compare the match with the result or bombs in the entry, if any.

    Raise `IllegalAction` if an action is illegal, and `Disagreement` if the entry differs.
    """
    for action in actions:
        match, _ = apply(match, action)
    if entry.kind is Kind.RESULT:
        _compare_result(match, entry)
    elif entry.kind is Kind.BOMBS:
        _compare_bombs(match, entry)
    return match


def _compare_result(match: Match, entry: Entry) -> None:
    """Raise `Disagreement` if the round is not over, or the entry has another result."""
    if not match.results:
        raise Disagreement(entry.line, "The round is not over.")
    score = match.results[-1].score
    if score != entry.result:
        raise Disagreement(entry.line, f"The result is {score[0]} - {score[1]}.")


def _compare_bombs(match: Match, entry: Entry) -> None:
    """Raise `Disagreement` if the entry has other holders of bombs than the match."""
    round_ = match.round
    assert round_ is not None
    seats = tuple(seat for seat, hand in enumerate(round_.hands) if hand.bombs())
    if seats != tuple(sorted(entry.seats)):
        holders = " ".join(f"({seat})" for seat in seats)
        raise Disagreement(entry.line, f"Bombs are held by {holders or 'nobody'}.")
