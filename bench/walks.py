"""Seeded random walks over legal actions, for property tests and transcripts.

A walk calls, waives, withdraws, bombs in windows and out of turn, replaces exchanges, and goes on
into further rounds. Every other deck is rich in bombs. The order of legal actions has no influence.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

from engine import (
    VARIANTS,
    WINDOW_PHASES,
    Action,
    AnswerGrand,
    AnswerWithdraw,
    Bomb,
    CallTichu,
    CloseWindow,
    Gifts,
    GiveTrick,
    Match,
    Options,
    Pass,
    PassCards,
    Phase,
    Play,
    Round,
    StopMatch,
    Waive,
    apply,
    bits,
    can,
    deal,
    legal_actions,
    new_match,
    write_action,
)

if TYPE_CHECKING:
    from typing_extensions import TypeIs

Deck = tuple[int, ...]


class Walk(NamedTuple):
    """The position of a walk, with the decks and actions that led to it."""

    match: Match
    log: tuple[Deck | Action, ...]


def random_options(rng: Random, variant: str = "nanjing") -> Options:
    """Return random options of a game, with small values so that matches end."""
    choices: dict[str, tuple[Any, ...]] = {
        "direction": ("anticlockwise", "clockwise"),
        "wish_policy": ("enforced", "enforced", "penalty"),
        "dealing": ("dealt", "drawn"),
        "bomb_window_ms": (1000, 2000, 10000),
        "target": (100, 300, 1000),
        "rounds": (0, 3, 6),
        "players": tuple(range(5, 13)),
        "decks": (0, 2),
    }
    allowed: dict[str, Any] = {name: choices[name] for name in tuple(choices)[:4]}
    allowed |= {name: choice.allowed for name, choice in VARIANTS[variant].choices.items()}
    return Options(
        variant=variant,
        **{
            name: rng.choice([value for value in choices[name] if value in values])
            for name, values in allowed.items()
        },
    )


def random_deck(match: Match, rng: Random) -> Deck:
    """Return a shuffled deck, or one that deals blocks of one rank or of one suit."""
    deck = list(match.variant.deck(match.options))
    rng.shuffle(deck)
    if rng.random() < 0.5:
        return tuple(deck)
    by_suit = rng.random() < 0.5
    deck.sort(key=lambda card: (card % 4, card) if by_suit and card % 56 < 52 else (4, card))
    size = rng.choice((4, 5, 6))
    blocks = [deck[start : start + size] for start in range(0, len(deck), size)]
    rng.shuffle(blocks)
    cards = [card for block in blocks for card in block]
    seats = match.variant.seat_count(match.options)
    hands = []
    for place in range(seats):
        count = len(deck[place::seats])
        hands.append(cards[:count])
        cards = cards[count:]
        rng.shuffle(hands[-1])
    return tuple(hands[place % seats][place // seats] for place in range(len(deck)))


def walks(rng: Random, options: Options, *, stops: float = 0.3) -> Iterator[Walk]:
    """Yield every position of a walk, which ends only with the match.

    `stops` is the probability of a stop vote after each round, in games that have one.
    """
    match = new_match(options, rng.randrange(VARIANTS[options.variant].chair_count(options)))
    log: list[Deck | Action] = []
    yield Walk(match, ())
    while match.phase is not Phase.MATCH_END:
        entry: Deck | Action
        if can(match, StopMatch()) and rng.random() < stops:
            entry = StopMatch()
            match, _ = apply(match, entry)
        elif match.phase is Phase.ROUND_END:
            entry = random_deck(match, rng)
            match, _ = deal(match, entry)
        else:
            entry = random_action(match, rng)
            match, _ = apply(match, entry)
        log.append(entry)
        yield Walk(match, tuple(log))


def walk(seed: int, steps: int, options: Options | None = None) -> Walk:
    """Return the position after that many steps, or an earlier one if the match is shorter."""
    rng = Random(seed)
    found = list(islice(walks(rng, options or random_options(rng)), steps + 1))
    return found[steps] if steps < len(found) else found[1 + steps % (len(found) - 1)]


def replay(options: Options, first_dealer: int, log: tuple[Deck | Action, ...]) -> Match:
    """Return the match that a log leads to."""
    match = new_match(options, first_dealer)
    for entry in log:
        match, _ = apply(match, entry) if is_action(entry) else deal(match, entry)
    return match


def is_action(entry: Deck | Action) -> TypeIs[Action]:
    """Return whether an entry of a log is an action and not a deck."""
    return type(entry) is not tuple


def random_action(match: Match, rng: Random) -> Action:
    """Return a random legal action of any seat, with rare kinds often enough to matter."""
    round_ = match.round
    assert round_ is not None
    seats = list(range(len(round_.hands)))
    rng.shuffle(seats)
    if round_.asked:
        asked = [seat for seat in seats if round_.asked >> seat & 1]
        return AnswerWithdraw(asked[0], rng.random() < 0.5)
    if round_.phase is Phase.GRAND:
        open_seats = [seat for seat in seats if round_.opening.answers[seat] is None]
        return AnswerGrand(open_seats[0], rng.random() < 0.3)
    if rng.random() < 0.03:
        for seat in seats:
            for same in (True, False):
                if can(match, CallTichu(seat, same)):
                    return CallTichu(seat, same)
    if round_.phase is Phase.EXCHANGE:
        return _random_exchange(match, rng, seats)
    listed = [(seat, list(legal_actions(match, seat))) for seat in seats if may_act(round_, seat)]
    for _, actions in listed:
        bombs = [action for action in actions if isinstance(action, Bomb)]
        if bombs and rng.random() < 0.4:
            return rng.choice(sorted(bombs, key=write_action))
    if round_.phase in WINDOW_PHASES:
        for seat, actions in listed:
            if Waive(seat) in actions and rng.random() < 0.1:
                return Waive(seat)
        return CloseWindow()
    actions = dict(listed)[round_.turn]
    plays = [action for action in actions if isinstance(action, Play | GiveTrick)]
    if plays and (Pass(round_.turn) not in actions or rng.random() < 0.7):
        return rng.choice(sorted(plays, key=write_action))
    return Pass(round_.turn)


def may_act(round_: Round, seat: int) -> bool:
    """Return whether a seat may do more than call: in a window, in its turn, or with a bomb."""
    return round_.phase in WINDOW_PHASES or seat == round_.turn or bool(round_.hands[seat].bombs())


def _random_exchange(match: Match, rng: Random, seats: list[int]) -> Action:
    round_ = match.round
    assert round_ is not None
    giving = [seat for seat in seats if match.variant.receivers(round_, seat)]
    waiting = [seat for seat in giving if round_.opening.given[seat] is None]
    seat = rng.choice(giving if rng.random() < 0.2 else waiting)
    return PassCards(seat, random_gifts(match, round_, seat, rng))


def random_gifts(match: Match, round_: Round, seat: int, rng: Random) -> Gifts:
    """Return a random legal exchange of a seat in this round."""
    gifts, taken = [], 0
    for to, number, forced, free in sorted(match.variant.gifts(round_, seat)):
        cards = tuple(bits(free & ~taken))
        chosen = forced | sum(rng.sample(cards, number - forced.bit_count()))
        gifts.append((to, chosen))
        taken |= chosen
    return tuple(gifts)
