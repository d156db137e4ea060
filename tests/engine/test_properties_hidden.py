"""Views depend on no hidden card (N8, N10)."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from hypothesis import given, note
from hypothesis import strategies as st

from bench.walks import random_gifts, random_options, walk
from engine import (
    VARIANTS,
    Combination,
    Hand,
    Match,
    Phase,
    Round,
    after_quiet_window,
    bits,
    view,
    write_position,
)
from engine.round import Opening
from tests.campaign import examples

OFTEN = examples(15)
GAMES = st.sampled_from(tuple(VARIANTS))
anywhere = given(st.integers(0, 2**32 - 1), st.integers(1, 350), GAMES)
TABLE = 3
"""The Table's seat in Trichu."""


def position(seed: int, steps: int, game: str) -> Match:
    """Return a position of a random game; more players take more steps."""
    options = random_options(Random(seed), game)
    match = walk(seed, steps * (options.players or 4) // 4, options).match
    note(write_position(match))
    return match


def viewers(match: Match) -> tuple[int | None, ...]:
    """Return every seat, and a spectator."""
    return (*range(match.variant.seat_count(match.options)), None)


def open_hands(match: Match, viewer: int | None) -> list[int]:
    """Return the seats whose cards a viewer may see: its own and the Table's (T5, T7).

    The Table's are seen by its dealer when all cards are dealt, after the exchange by everybody.
    The dealer decides for the Table, so the Table's seat sees both hands (T8).
    """
    own = [] if viewer is None else [viewer]
    if match.options.variant != "trichu" or match.phase is Phase.GRAND:
        return own
    round_ = match.round
    assert round_ is not None
    if viewer == TABLE:
        return [TABLE, round_.dealer]
    if match.phase is Phase.EXCHANGE and viewer != round_.dealer:
        return own
    return [*own, TABLE]


def own_seats(match: Match, viewer: int | None) -> list[int]:
    """Return the seats whose gifts a viewer knows: its own, for the dealer in Trichu two."""
    round_ = match.round
    assert round_ is not None
    pair = [round_.dealer, TABLE]
    if viewer is None or match.options.variant != "trichu" or viewer not in pair:
        return [] if viewer is None else [viewer]
    return pair


def otherwise(match: Match, viewer: int | None, rng: Random) -> Match:
    """Return a position that differs only in facts hidden from this viewer."""
    round_ = match.round
    assert round_ is not None
    known = open_hands(match, viewer)
    hidden = [seat for seat in range(len(round_.hands)) if seat not in known]
    others = [seat for seat in range(len(round_.hands)) if seat != viewer]
    opening = round_.opening
    places = [(round_.hands[seat].cards, seat, True) for seat in hidden]
    places += [(cards, seat, False) for seat, cards in enumerate(opening.stock)]
    pool = [card for cards, *_ in places for card in bits(cards)]
    rng.shuffle(pool)
    hands, stock = list(round_.hands), list(opening.stock)
    strangers = [seat for seat in others if seat not in own_seats(match, viewer)]
    for cards, seat, in_hand in places:
        drawn = sum(pool.pop() for _ in range(cards.bit_count()))
        if in_hand:
            hands[seat] = Hand(drawn)
        else:
            stock[seat] = drawn
    changed = round_._replace(hands=tuple(hands))
    return match._replace(
        round=changed._replace(
            opening=_other_opening(match, changed, (others, strangers), tuple(stock), rng),
            submitted=_other_bombs(changed, others, rng),
            waived=_other_waives(changed, others, rng),
        )
    )


def _other_opening(
    match: Match,
    round_: Round,
    hidden: tuple[list[int], list[int]],
    stock: tuple[int, ...],
    rng: Random,
) -> Opening:
    """Return other sealed answers of the first seats; other gifts of the second."""
    opening = round_.opening
    answers, given, received = list(opening.answers), list(opening.given), list(opening.received)
    for seat in hidden[0]:
        if answers[seat] is not None:
            answers[seat] = rng.random() < 0.5
    for seat in hidden[1]:
        committed = given[seat]
        if committed and round_.phase is Phase.EXCHANGE:
            given[seat] = random_gifts(match, round_, seat, rng)
        elif committed:
            given[seat] = tuple((to, 1 << rng.randrange(56)) for to, _ in committed)
            received[seat] = tuple((by, 1 << rng.randrange(56)) for by, _ in received[seat])
    return Opening(stock, tuple(answers), tuple(given), tuple(received), opening.left_over)


def _other_bombs(
    round_: Round, hidden: list[int], rng: Random
) -> tuple[tuple[int, Combination], ...]:
    if round_.phase.value not in ("WINDOW", "CLOSING"):
        return round_.submitted
    found = [(seat, bomb) for seat, bomb in round_.submitted if seat not in hidden]
    for seat in hidden:
        bombs = round_.hands[seat].bombs()
        if bombs and rng.random() < 0.7:
            found.insert(0, (seat, rng.choice(bombs)))
    return tuple(found)


def _other_waives(round_: Round, hidden: list[int], rng: Random) -> int:
    waived = round_.waived
    for seat in hidden:
        if round_.phase.value in ("WINDOW", "CLOSING") and rng.random() < 0.5:
            waived ^= 1 << seat
    return waived


@anywhere
@OFTEN
def test_a_view_depends_on_nothing_hidden(seed: int, steps: int, game: str) -> None:
    """N8, N10, N11, N61, C21, T5, T7, G7, G19.

    Hands, stock, answers, exchanges, bombs and waives of others.
    """
    match = position(seed, steps, game)
    rng = Random(seed)
    for viewer in viewers(match):
        seen = view(match, viewer)
        for _ in range(2):
            other = otherwise(match, viewer, rng)
            assert view(other, viewer) == seen


@anywhere
@OFTEN
def test_foresight_depends_on_nothing_hidden(seed: int, steps: int, game: str) -> None:
    """N61: the position after a quiet window reveals no bomb or waiver."""
    match = position(seed, steps, game)
    rng = Random(seed)
    for viewer in viewers(match):
        other = otherwise(match, viewer, rng)
        assert view(after_quiet_window(other), viewer) == view(after_quiet_window(match), viewer)


def _gifts_of(opening: Opening, seats: list[int]) -> Iterator[tuple[int, int, int]]:
    """Return the gifts given and received by these seats: giver, receiver, card (N12, T6)."""
    for seat in seats:
        yield from ((seat, receiver, card) for receiver, card in opening.given[seat] or ())
        yield from ((giver, seat, card) for giver, card in opening.received[seat])


@anywhere
@OFTEN
def test_a_view_shows_what_its_seat_has(seed: int, steps: int, game: str) -> None:
    """N8, T5, T7, G7: the own hand, open cards, and cards that were laid and won."""
    match = position(seed, steps, game)
    round_ = match.round
    assert round_ is not None
    for viewer in viewers(match):
        seen = view(match, viewer)
        assert [seat for seat, _ in seen.hands] == open_hands(match, viewer)
        assert all(hand == round_.hands[seat] for seat, hand in seen.hands)
        assert [seat.cards for seat in seen.seats] == [hand.size for hand in round_.hands]
        assert (seen.top, seen.wish, seen.out) == (round_.top, round_.wish, round_.out)
        assert seen.left_over == round_.opening.left_over
        if viewer is not None:
            assert seen.hand == round_.hands[viewer]
            assert seen.given == round_.opening.given[viewer]
            assert set(seen.known_gifts) == set(_gifts_of(round_.opening, own_seats(match, viewer)))
        else:
            assert not seen.hand.cards
            facts = (seen.actions, seen.bombs, seen.gifts, seen.received, seen.known_gifts)
            assert facts == ((),) * 5
            assert (seen.answer, seen.given, seen.submitted) == (None, None, None)
            assert seen.waived is seen.asked_to_withdraw is seen.bound_by_wish is False
