"""Invariants of every action in every game; a violation raises `Broken`.

A second implementation of the rules, independent of the engine, so it may compare the name of the
game. `bench.round_end_checks` checks the end of a round and of a match.
"""

from __future__ import annotations

from functools import lru_cache

from bench.combination_check import is_right, may_follow, value
from engine import (
    CARDS_OF_RANK,
    DECK_SIZE,
    DOG,
    DRAGON,
    MAHJONG,
    PHOENIX,
    PLAY_PHASES,
    WINDOW_PHASES,
    Action,
    Bomb,
    Card,
    CardSet,
    Combination,
    Kind,
    Match,
    Options,
    Pass,
    Phase,
    Play,
    Round,
    Seat,
    indices,
)

TABLE = 3
"""The Table's seat in Trichu."""


class Broken(Exception):
    """A violation of the rules, described by its text."""


def must(holds: bool, message: str) -> None:
    """Raise `Broken` with this message if `holds` is false."""
    if not holds:
        raise Broken(message)


def check_deal(match: Match) -> None:
    """Check a deal: hand sizes, cards left over, no remains of the last round (G7-G10)."""
    round_ = _round(match)
    sizes = [
        hand.size + stock.bit_count()
        for hand, stock in zip(round_.hands, round_.opening.stock, strict=True)
    ]
    over = round_.opening.left_over.bit_count()
    seats, cards = len(round_.hands), len(match.variant.deck(match.options))
    must(sum(sizes) + over == cards, "cards were lost in the deal")
    if match.options.variant == "grandseigneur":
        must(not round_.opening.left_over >> MAHJONG & 1, "the Mah Jong is left over")
        most, uneven = (12, 0) if cards == 109 else (11, 0)
        most, uneven = {(6, 55): (9, 0), (10, 109): (11, 2), (11, 109): (10, 1)}.get(
            (seats, cards), (10, 11) if seats == 12 else (most, uneven)
        )
        in_turn = [sizes[seat] for seat in (*round_.seating.order[1:], round_.seating.order[0])]
        expected = [most] * (seats - uneven) + [most - 1] * uneven
        must(in_turn == expected, f"hands of {in_turn}, not {expected}")
    elif match.options.variant == "tientsin":
        must(
            [sizes[seat] for seat in round_.seating.order] == [10, 10, 9, 9, 9, 9],
            "hands of Tientsin",
        )
    else:
        must(sizes == [14] * 4 and not over, "hands of fourteen")
    must(
        not any(round_.piles) and not round_.discards and not round_.past and not round_.out,
        "not a fresh round",
    )
    check_cards(match)


def check_cards(match: Match) -> None:
    """Check that each card of the deck is in exactly one place."""
    round_ = _round(match)
    places = [hand.cards for hand in round_.hands]
    places += [
        *round_.opening.stock,
        *round_.piles,
        round_.trick_cards,
        round_.discards,
        round_.opening.left_over,
    ]
    union = count = 0
    for cards in places:
        union |= cards
        count += cards.bit_count()
    deck = _deck(match.options)
    must(count == deck.bit_count() == union.bit_count(), "a card is lost or in two places")
    must(union == deck, "foreign cards")


@lru_cache(maxsize=64)
def _deck(options: Options) -> CardSet:
    """Return all cards of the game (N1, G3).

    The second deck has no Mah Jong, and Grand Seigneur has no Dog.
    """
    one = (1 << DECK_SIZE) - 1
    if options.variant != "grandseigneur":
        return one
    one &= ~(1 << DOG)
    two = options.decks == 2 or (options.players or 0) > 6
    return one | (one & ~(1 << MAHJONG)) << DECK_SIZE if two else one


def check_step(before: Match, action: Action, after: Match) -> None:
    """Check an action in play: cards, hands, order of going out, turn, trick and wish."""
    old, new = _round(before), _round(after)
    check_cards(after)
    must(new.out[: len(old.out)] == old.out and len(set(new.out)) == len(new.out), "order of out")
    for seat, hand in enumerate(new.hands):
        must(hand.size == hand.cards.bit_count(), "size of a hand")
        must((hand.size == 0) == (seat in new.out), f"seat {seat} out with cards or in without")
    if new.phase in PLAY_PHASES:
        _check_position(after, new)
    if isinstance(action, Play | Pass):
        must(old.turn == action.seat and old.phase in (Phase.LEAD, Phase.TURN), "out of turn")
        _check_wish_duty(before, old, action)
    if new.phase is Phase.ROUND_END and after.results[-1].penalty is not None:
        return
    if isinstance(action, Pass):
        _check_pass(old, new, action.seat)
    elif isinstance(action, Play):
        _check_play(old, new, action)
    elif not isinstance(action, Bomb) and old.phase not in WINDOW_PHASES:
        must(old.wish == new.wish, "the wish changed by itself")
    elif old.phase in WINDOW_PHASES and new.trick != old.trick and new.trick:
        step = new.trick[-1]
        must(step.combination is not None and step.combination.is_bomb, "no bomb from a window")


def _check_position(match: Match, round_: Round) -> None:
    """Check that turn, trick, window and sealed bombs of a position are consistent."""
    if round_.phase in (Phase.LEAD, Phase.TURN):
        must(round_.has_cards(round_.turn), "somebody without cards is asked")
    laid = [step for step in round_.trick if step.combination is not None]
    must((round_.phase is Phase.LEAD) == (not laid), "a lead with a trick, or none without")
    if not laid:
        must(round_.top is None and not round_.trick_cards, "remains of a trick")
        return
    must(
        round_.top == laid[-1].combination and round_.top_seat == laid[-1].seat,
        "the top of the trick",
    )
    must(
        sum(s.combination.cards for s in laid if s.combination) == round_.trick_cards,
        "trick's cards",
    )
    if round_.phase in WINDOW_PHASES:
        must(any(hand.size >= 4 for hand in round_.hands), "a window that nobody can use")
    bombs = dict(round_.submitted)
    must(len(bombs) == len(round_.submitted), "two sealed bombs of one seat")
    for seat, bomb in bombs.items():
        must(
            bomb.cards & ~round_.hands[seat].cards == 0 and is_right(bomb), "a sealed bomb not held"
        )


def _next(round_: Round, seat: Seat) -> Seat:
    """Return the next seat in turn order that holds cards."""
    order = round_.seating.order
    place = order.index(seat)
    return next(s for s in (*order[place + 1 :], *order[: place + 1]) if round_.hands[s].size)


def _check_pass(old: Round, new: Round, seat: Seat) -> None:
    """Check a pass: the next turn, or the leader after the last pass of a trick (N20, N22)."""
    must(old.phase is Phase.TURN and old.wish == new.wish, "a pass on a lead or with a wish")
    passes = 1
    for step in reversed(old.trick):
        if step.combination is not None:
            break
        passes += 1
    others = sum(1 for s, hand in enumerate(old.hands) if hand.size and s != old.top_seat)
    if new.phase is Phase.TURN:
        must(passes < others and new.turn == _next(new, seat), "a trick that goes on too long")
        return
    must(passes == others, f"a trick closed after {passes} of {others} passes")
    if new.phase in (Phase.LEAD, Phase.CLOSING):
        leader = old.top_seat if new.has_cards(old.top_seat) else _next(new, old.top_seat)
        must(new.turn == leader, "the wrong leader")


def _laid(old: Round, new: Round, seat: Seat) -> Combination:
    """Return the last play of the seat, in the open trick or in one that ended with it."""
    past = new.past[len(old.past) :]
    steps = past[0].steps if past else new.trick
    last = [step for step in steps if step.seat == seat and step.combination is not None][-1]
    assert last.combination is not None
    return last.combination


def _check_play(old: Round, new: Round, action: Play) -> None:
    """Check a play: the cards, the combination, the wish and the next turn (N17, N26, N32)."""
    play = _laid(old, new, action.seat)
    must(play.cards == action.cards, "other cards were laid")
    must(old.hands[action.seat].cards ^ new.hands[action.seat].cards == play.cards, "hand and play")
    must(is_right(play), "no combination")
    must(old.top is None or may_follow(play, old.top), "a play that does not beat the top")
    if old.top is None and play.kind is Kind.SINGLE:
        must(value(play, None) == min(play.key / 2, 25.0), "the value of a single that is led")
    if action.phoenix:
        must(play.phoenix == action.phoenix, "another reading than stated")
    wish = old.wish
    if wish is not None and play.cards & CARDS_OF_RANK[wish]:
        wish = None
    if action.wish is not None:
        must(play.cards >> MAHJONG & 1 == 1, "a wish without the Mah Jong")
        wish = action.wish
    must(new.wish == wish, "the wish after a play")
    if play.kind is Kind.DOG:
        _check_dog(old, new, action)
    elif new.phase in (Phase.TURN, Phase.WINDOW):
        must(new.turn == _next(new, action.seat), "the turn after a play")


def _check_dog(old: Round, new: Round, action: Play) -> None:
    """Check the leader after a Dog (N39-N41, S6)."""
    must(old.top is None and old.phase is Phase.LEAD, "a Dog that was not led")
    must(new.past[-1].winner == -1, "somebody won a Dog")
    if new.phase is not Phase.LEAD:
        must(new.phase is Phase.ROUND_END, "a window on a Dog")
        return
    order, teams = old.seating.order, old.seating.teams
    place = order.index(action.seat)
    partners = [s for s in order[place + 1 :] + order[:place] if teams[s] == teams[action.seat]]
    active = [s for s in partners if new.has_cards(s)]
    must(new.turn in active if active else new.turn == _next(new, partners[0]), "the Dog's lead")
    must(action.partner in (None, new.turn), "the Dog went elsewhere")


def _check_wish_duty(before: Match, round_: Round, action: Play | Pass) -> None:
    """Check that a wish was fulfilled, in the simple cases (N28).

    These are a single of the rank as a lead or on a single, and a bomb of four of the rank.
    """
    if round_.wish is None or before.options.wish_penalty:
        return
    if before.options.variant == "trichu" and action.seat == TABLE:
        return
    held = round_.hands[action.seat].cards & CARDS_OF_RANK[round_.wish]
    if not held or (isinstance(action, Play) and action.cards & CARDS_OF_RANK[round_.wish]):
        return
    top = round_.top
    single = top is None or (top.kind is Kind.SINGLE and top.key < 2 * round_.wish)
    suits = {card % DECK_SIZE % 4 for card in indices(held)}
    bomb = len(suits) == 4 and (top is None or not top.is_bomb)
    must(not single and not bomb, "a wish was missed")


_BEST = {DRAGON: 103, PHOENIX: 102, MAHJONG: 101}
"""The order of the best cards, which must be given away first (G16)."""


def _worth(card: Card) -> int:
    """Return the worth of a card if the best have to be given away (G16)."""
    return _BEST.get(card % DECK_SIZE, card % DECK_SIZE // 4)


def check_exchange(before: Match, after: Match) -> None:
    """Check a revealed exchange: givers, receivers, numbers of cards and forced cards."""
    old, new = _round(before), _round(after)
    given = [
        (giver, receiver, cards)
        for receiver, got in enumerate(new.opening.received)
        for giver, cards in got
    ]
    hands = [hand.cards for hand in old.hands]
    for giver, _, cards in given:
        must(cards & ~hands[giver] == 0, "gave a card twice or without having it")
        hands[giver] &= ~cards
    for _, receiver, cards in given:
        hands[receiver] |= cards
    must(hands == [hand.cards for hand in new.hands], "hands after the exchange")
    must([h.size for h in old.hands] == [h.size for h in new.hands], "hand sizes changed")
    amounts = {(giver, receiver): cards.bit_count() for giver, receiver, cards in given}
    must(_amounts(before, old) == amounts, "wrong gifts")
    must(new.hands[new.turn].cards >> MAHJONG & 1 == 1, "the first lead")
    if before.options.variant == "grandseigneur" and before.results:
        ranks = _ranks(before)
        for giver, receiver, cards in given:
            if ranks.index(giver) > ranks.index(receiver):
                best = sorted(map(_worth, indices(old.hands[giver].cards)))
                gave = sorted(map(_worth, indices(cards)))
                must(best[-len(gave) :] == gave, "kept a card that had to be given")


def _ranks(match: Match) -> list[Seat]:
    """Return the seats by rank, best first (G12)."""
    out = match.results[-1].out
    return [*out, *(set(range(match.options.players or 0)) - set(out))]


def _amounts(match: Match, round_: Round) -> dict[tuple[Seat, Seat], int]:
    """Return the number of cards due by giver and receiver (N9, T6, S5, G15)."""
    seats = range(len(round_.hands))
    teams = round_.seating.teams
    pairs = [(a, b) for a in seats for b in seats if a != b]
    match match.options.variant:
        case "trichu":
            return {(a, b): 1 for a, b in pairs if teams[a] != teams[b]}
        case "tientsin":
            return {(a, b): 1 for a, b in pairs if teams[a] == teams[b]}
        case "grandseigneur":
            if not match.results:
                return {}
            ranks, most = _ranks(match), 2 if len(round_.hands) == 5 else 3
            due = {}
            for place in range(most):
                high, low = ranks[place], ranks[-1 - place]
                due[high, low] = due[low, high] = most - place
            return due
    return dict.fromkeys(pairs, 1)


def _round(match: Match) -> Round:
    assert match.round is not None
    return match.round
