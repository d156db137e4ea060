"""The exchange of every game against its definition, with random cards, options and ranks."""

from __future__ import annotations

from itertools import combinations
from random import Random

from hypothesis import event, given
from hypothesis import strategies as st

from bench.walks import random_deck, random_gifts, random_options
from engine import (
    DECK_SIZE,
    DRAGON,
    MAHJONG,
    MAHJONGS,
    PHOENIX,
    VARIANTS,
    AnswerGrand,
    Match,
    PassCards,
    Phase,
    Round,
    RoundResult,
    apply,
    can,
    deal,
    indices,
    new_match,
    rank_of,
    view,
)
from tests.campaign import examples
from tests.engine.positions import cards_in

SOME = examples(30)


def in_exchange(seed: int, game: str) -> tuple[Match, Round, Random]:
    """Return the exchange of a random game; in Grand Seigneur after a random round."""
    rng = Random(seed)
    options = random_options(rng, game)
    match = new_match(options, rng.randrange(VARIANTS[game].chair_count(options)))
    if game == "grandseigneur":
        ranks = rng.sample(
            range(match.variant.seat_count(options)), match.variant.seat_count(options)
        )
        result = RoundResult(1, 0, tuple(ranks[:-1]), (), (), (), ())
        match = match._replace(results=(result,))
    match, _ = deal(match, random_deck(match, rng))
    for seat in range(match.variant.seat_count(options)):
        if can(match, AnswerGrand(seat, False)):
            match, _ = apply(match, AnswerGrand(seat, False))
    if match.phase is Phase.EXCHANGE:
        assert match.round is not None
        return match, match.round, rng
    return in_exchange(rng.randrange(2**32), game)  # that match is already over


def due(match: Match, round_: Round, seat: int) -> dict[int, int]:
    """Return the number of cards this seat owes, by receiver (N9, T6, S5, G15, G17)."""
    seats = range(len(round_.hands))
    game = match.options.variant
    if game == "nanjing":
        return {other: 1 for other in seats if other != seat}
    if game == "trichu":
        sides = ({round_.dealer, 3}, {0, 1, 2} - {round_.dealer})
        return dict.fromkeys(sides[seat in sides[0]], 1)
    if game == "tientsin":
        return {other: 1 for other in seats if other != seat and other % 2 == seat % 2}
    (result,) = match.results
    ranks = [*result.out, *(set(seats) - set(result.out))]
    place = ranks.index(seat)
    levels = [2, 1] if len(ranks) == 5 else [3, 2, 1]
    for level, number in enumerate(levels):
        if place in (level, len(ranks) - 1 - level):
            return {ranks[len(ranks) - 1 - place]: number}
    return {}


def upwards(match: Match, seat: int, receiver: int) -> bool:
    """Return whether the giver has the lower rank."""
    if match.options.variant != "grandseigneur":
        return False
    out = match.results[-1].out
    return seat not in out or (receiver in out and out.index(seat) > out.index(receiver))


def worth(card: int) -> int:
    """Return the worth of a card in the order of G16."""
    order = [*range(2, 15), "mahjong", "phoenix", "dragon"]
    face = {MAHJONG: "mahjong", PHOENIX: "phoenix", DRAGON: "dragon"}.get(card % DECK_SIZE)
    return order.index(face or rank_of(card))


def are_the_best(cards: tuple[int, ...], held: list[int]) -> bool:
    """Return whether no card kept is worth more than one given."""
    kept = [worth(card) for card in held if card not in cards]
    return not kept or min(map(worth, cards)) >= max(kept)


@given(st.integers(0, 2**32 - 1), st.sampled_from(tuple(VARIANTS)))
@SOME
def test_what_everybody_has_to_give(seed: int, game: str) -> None:
    """N9, T6, S5, G15, G16, G17, G19, G20: receivers, numbers, and forced cards."""
    match, round_, rng = in_exchange(seed, game)
    for seat, hand in enumerate(round_.hands):
        gifts = due(match, round_, seat)
        assert {gift.receiver: gift.number for gift in view(match, seat).gifts} == gifts
        assert view(match, None).seats[seat].waited_for == bool(gifts)
        held = list(indices(hand.cards))
        if game != "grandseigneur" or not gifts:
            continue
        ((receiver, number),) = gifts.items()
        right = 0
        for cards in combinations(held, number):
            action = PassCards(seat, ((receiver, sum(1 << card for card in cards)),))
            fits = not upwards(match, seat, receiver) or are_the_best(cards, held)
            assert can(match, action) == fits
            right += fits
        listed = list(match.variant.possible_gifts(round_, seat))
        assert len(listed) == len(set(listed)) == right
        assert all(can(match, PassCards(seat, gift)) for gift in rng.sample(listed, min(9, right)))


@given(st.integers(0, 2**32 - 1), st.sampled_from(tuple(VARIANTS)))
@SOME
def test_cards_change_hands(seed: int, game: str) -> None:
    """N9, N10, N12, T6, T17, S5, G10, G18, G19, G21: all at once, and the Mah Jong leads."""
    match, round_, rng = in_exchange(seed, game)
    given_away = {}
    seats = [seat for seat in range(len(round_.hands)) if due(match, round_, seat)]
    rng.shuffle(seats)
    event(f"{game}: {len(seats)} give")
    for seat in seats:
        assert match.phase is Phase.EXCHANGE
        given_away[seat] = random_gifts(match, round_, seat, rng)
        match, _ = apply(match, PassCards(seat, given_away[seat]))
    after = match.round
    assert after is not None
    assert match.phase is Phase.LEAD
    assert len(set(cards_in(match))) == len(match.variant.deck(match.options))
    for seat, hand in enumerate(after.hands):
        lost = sum(cards for _, cards in given_away.get(seat, ()))
        got = {
            giver: cards
            for giver, gifts in given_away.items()
            for receiver, cards in gifts
            if receiver == seat
        }
        assert hand.cards == (round_.hands[seat].cards & ~lost) | sum(got.values())
        assert hand.size == round_.hands[seat].size
        assert dict(view(match, seat).received) == got
    assert after.hands[after.turn].cards & MAHJONGS
