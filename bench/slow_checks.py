"""Slow checks of a position: refusals, notation, and the contents of views.

`bench.fuzz` runs them occasionally.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from bench.invariants import TABLE, must
from bench.redealing import redeal
from engine import (
    CARDS_OF_RANK,
    CLOCK,
    DECK_SIZE,
    RANKS,
    Action,
    AnswerGrand,
    AnswerWithdraw,
    Bomb,
    CallTichu,
    CardSet,
    CloseWindow,
    GiveTrick,
    IllegalAction,
    Match,
    Pass,
    PassCards,
    Phase,
    Play,
    Seat,
    StopMatch,
    Waive,
    apply,
    bits,
    can,
    legal_actions,
    read_action,
    read_position,
    verify,
    view,
    write_action,
    write_position,
)

ATTEMPTS = 12
"""The number of actions of each kind tried in one position."""


def check_text(match: Match, action: Action) -> None:
    """Check that position and action are equal after writing and reading (docs/notation.md)."""
    text = write_position(match)
    again = read_position(text)
    must(again == match, "the position that was read differs")
    must(write_position(again) == text, "the text of the position that was read differs")
    must(read_action(action.seat, write_action(action)) == action, "the action read differs")


def check_refusals(match: Match, rng: Random) -> None:
    """Check that illegal actions are refused consistently, change nothing, and are not listed."""
    round_ = match.round
    assert round_ is not None
    before = write_position(match)
    for action in _attempts(match, rng):
        reasons = []
        for function in (verify, apply):
            try:
                function(match, action)
                reasons.append("")
            except IllegalAction as error:
                reasons.append(f"{error.code} {error.rule}")
        must(reasons[0] == reasons[1], f"two answers to {action}: {reasons}")
        if not reasons[0] and _is_listed_kind(match, action):
            listed = legal_actions(match, action.seat)
            must(_listed(action, list(listed)), f"accepted but not listed: {action}")
    must(write_position(match) == before, "a refused action changed something")


def _is_listed_kind(match: Match, action: Action) -> bool:
    """Return whether `legal_actions` would list this kind of action.

    It omits simultaneous calls; exchanges are too many to compare.
    """
    return match.phase is not Phase.EXCHANGE and not (isinstance(action, CallTichu) and action.same)


def _listed(action: Action, listed: list[Action]) -> bool:
    """Return whether an action, or the same play with its Phoenix stated, is listed."""
    if action in listed:
        return True
    if not isinstance(action, Play) or action.phoenix is not None:
        return False  # an unstated Phoenix is listed with its highest reading (N46)
    return any(
        isinstance(other, Play) and other._replace(phoenix=None) == action for other in listed
    )


def _attempts(match: Match, rng: Random) -> Iterator[Action]:
    """Yield actions of every kind, legal or not."""
    round_ = match.round
    assert round_ is not None
    seats = range(len(round_.hands))
    yield from (CloseWindow(), StopMatch(), Pass(round_.turn), Pass(CLOCK), Pass(len(seats)))
    for _ in range(ATTEMPTS):
        seat = round_.turn if rng.random() < 0.6 else rng.choice(seats)
        other = rng.randrange(-1, len(seats) + 1)
        yes = rng.random() < 0.5
        cards = _some_cards(round_.hands[seat].cards, rng)
        wish = rng.choice(RANKS) if rng.random() < 0.2 else None
        phoenix = (rng.choice(RANKS),) if rng.random() < 0.2 else None
        partner = other if rng.random() < 0.2 else None
        yield Play(seat, cards, phoenix, wish, partner)
        yield Bomb(seat, cards)
        others = rng.sample(seats, rng.randrange(1, min(4, len(seats))))
        yield PassCards(
            seat, tuple((s, _some_cards(round_.hands[seat].cards, rng)) for s in others)
        )
        yield rng.choice(
            (
                AnswerGrand(seat, yes),
                AnswerWithdraw(seat, yes),
                CallTichu(seat, yes),
                Waive(seat),
                GiveTrick(seat, other),
                Pass(seat),
            )
        )


def _some_cards(held: CardSet, rng: Random) -> CardSet:
    """Return cards similar to a play: equal ones, neighbours, any; sometimes not held or none."""
    cards = tuple(bits(held))
    if not cards or rng.random() < 0.05:
        return rng.choice((0, 1 << rng.randrange(2 * DECK_SIZE)))
    if rng.random() < 0.4:
        return rng.choice(cards)
    low = rng.choice(RANKS)
    near = held & sum(
        CARDS_OF_RANK[rank] for rank in range(low, min(15, low + rng.randrange(1, 7)))
    )
    pool = tuple(bits(near)) if near and rng.random() < 0.7 else cards
    return sum(rng.sample(pool, rng.randrange(1, min(7, len(pool)) + 1)))


def check_views(match: Match, rng: Random) -> None:
    """Check that a view shows only permitted hands and depends on no hidden card.

    Rules N8, T5, T7, T8.
    """
    round_ = match.round
    assert round_ is not None
    viewers: list[Seat | None] = [None, *range(len(round_.hands))]
    for viewer in rng.sample(viewers, 3):
        seen = view(match, viewer)
        own = set() if viewer is None else {viewer}
        if match.options.variant == "trichu" and round_.phase is not Phase.GRAND:
            open_to_all = round_.phase is not Phase.EXCHANGE
            if open_to_all or viewer == round_.dealer:
                own |= {TABLE}
            if viewer == TABLE:
                own |= {round_.dealer}
        must({seat for seat, _ in seen.hands} == own, "a view shows other hands")
        must(view(redeal(match, own, rng), viewer) == seen, "a view tells of hidden cards")
        if viewer is not None and round_.phase is not Phase.EXCHANGE:
            must(all(can(match, action) for action in seen.actions[:20]), "a view offers too much")
