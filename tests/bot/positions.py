"""Positions of any game, made without playing; those of Nanjing are in tests/engine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine import (
    CLOCK,
    AnswerGrand,
    Match,
    Options,
    PassCards,
    Phase,
    RoundResult,
    apply,
    cards_text,
    deal,
    new_match,
    read_action,
    read_cards,
    read_position,
    write_position,
)
from tests.engine.positions import cards_laid, round_of

TRICHU = Options(variant="trichu", rounds=3)
TIENTSIN = Options(variant="tientsin")


def lords(players: int, decks: int = 0, rounds: int = 0) -> Options:
    """Return options of Grand Seigneur with `players` players."""
    return Options(variant="grandseigneur", players=players, decks=decks, rounds=rounds)


def begun(options: Options, *, dealer: int = 0, ranks: Sequence[int] = ()) -> Match:
    """Return a round dealt in canonical order; with `ranks` it is the second round."""
    match = _after_a_round(new_match(options, dealer), ranks)
    return deal(match, match.variant.deck(options))[0]


def _after_a_round(match: Match, ranks: Sequence[int]) -> Match:
    """Return the match after a round that the seats left in this order."""
    if not ranks:
        return match
    nothing = tuple(0 for _ in match.totals)
    result = RoundResult(1, match.first_dealer, tuple(ranks[:-1]), (), nothing, nothing, nothing)
    return match._replace(results=(result,))


def declined(match: Match) -> Match:
    """Return the match after everybody has declined a Grand Tichu."""
    while match.phase is Phase.GRAND:
        seat = round_of(match).opening.answers.index(None)
        match = apply(match, AnswerGrand(seat, False))[0]
    return match


def passed(match: Match, *seats: int) -> Match:
    """Return the match after everybody, or these seats, have passed the first legal cards."""
    waiting = round_of(match).opening.given
    for seat in seats or [seat for seat, given in enumerate(waiting) if given is None]:
        gifts = next(match.variant.possible_gifts(round_of(match), seat))
        match = apply(match, PassCards(seat, gifts))[0]
    return match


def played(match: Match, *steps: str) -> Match:
    """Return the match after steps such as ``4 play:S9`` and ``clock close``."""
    for step in steps:
        seat, _, action = step.partition(" ")
        match = apply(match, read_action(CLOCK if seat == "clock" else int(seat), action))[0]
    return match


def position(
    options: Options,
    phase: str,
    *lines: str,
    hands: Mapping[int, str] | None = None,
    trick: str = "-",
    out: Sequence[int] = (),
    ranks: Sequence[int] = (),
) -> Match:
    """Return a position such as ``position(TRICHU, "TURN 3", trick="2 S8")``.

    `lines` of its text follow. Seats that are not in `hands` and not out get three unused cards.
    """
    match = _after_a_round(new_match(options, 0), ranks)
    held = {seat: read_cards(cards) for seat, cards in (hands or {}).items()}
    used = sum(held.values())
    for text in (trick, *(line.removeprefix("past ") for line in lines if line[:5] == "past ")):
        used |= cards_laid(text)
    rest = [card for card in match.variant.deck(options) if not used >> card & 1]
    for seat in range(match.variant.seat_count(options)):
        if seat not in held and seat not in out:
            held[seat] = sum(1 << rest.pop(0) for _ in range(3))
    facts = [f"phase {phase}", f"trick {trick}", "out " + (" ".join(map(str, out)) or "-"), *lines]
    facts += [f"hand {seat} {cards_text(cards)}" for seat, cards in held.items()]
    return read_position(write_position(match) + "\n".join(facts))
