"""Rounds and matches between players, and single decisions, for the tests of computer players."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from engine.actions import Action, AnswerGrand, Bomb, CallTichu, CloseWindow, PassCards
from engine.cards import bits, card_set, cards_text, indices, read_card
from engine.hand import Hand
from engine.match import apply, can, deal
from engine.notation import write_action
from engine.options import Options
from engine.position import read_position
from engine.state import WINDOWS, Match, Phase
from engine.variants import VARIANTS
from engine.view import View, view
from players.novice import Novice

OVER = (Phase.ROUND_END, Phase.MATCH_END)


class Player(Protocol):
    def choose(self, view: View, rng: random.Random) -> Action | None: ...


class RandomPlayer:
    """Takes any legal action, but neither calls nor bombs out of turn, which would be folly."""

    def choose(self, view: View, rng: random.Random) -> Action | None:
        assert view.seat is not None
        if view.phase is Phase.EXCHANGE:
            return _random_gifts(view, view.seat, rng) if view.given is None else None
        if view.phase is Phase.GRAND:
            return AnswerGrand(view.seat, False) if view.actions else None
        actions = [a for a in view.actions if not isinstance(a, CallTichu | Bomb)]
        return rng.choice(actions) if actions else None


def _random_gifts(view: View, seat: int, rng: random.Random) -> PassCards:
    gifts, taken = [], 0
    for to, number, forced, free in sorted(view.gifts):
        cards = rng.sample(list(bits(free & ~taken)), number - forced.bit_count())
        gifts.append((to, forced | sum(cards)))
        taken |= gifts[-1][1]
    return PassCards(seat, tuple(gifts))


Watch = Callable[[Match, int, Action], None]


def play_round(
    match: Match,
    players: Sequence[Player],
    deck: Sequence[int],
    rng: random.Random,
    watch: Watch | None = None,
) -> Match:
    """Deal and play a round, a player for each seat; windows close when nobody has an answer."""
    match, _ = deal(match, deck)
    while match.phase not in OVER:
        for seat in asked(match):
            action = players[seat].choose(view(match, seat), rng)
            if action is not None:
                if watch is not None:
                    watch(match, seat, action)
                match, _ = apply(match, action)
                break
        else:
            match, _ = apply(match, CloseWindow())
    return match


def asked(match: Match) -> list[int]:
    """The seats that may have something to say, in a window only those with a bomb."""
    round_ = match.round
    assert round_ is not None
    seats = range(len(round_.hands))
    if round_.asked:
        return [seat for seat in seats if round_.asked >> seat & 1]
    if round_.phase is Phase.GRAND:
        return [seat for seat in seats if round_.opening.answers[seat] is None]
    if round_.phase is Phase.EXCHANGE:
        return [seat for seat in seats if round_.opening.given[seat] is None]
    if round_.phase in WINDOWS:
        return [seat for seat in seats if round_.hands[seat].bombs()]
    return [round_.turn]


def shuffled(match: Match, rng: random.Random) -> list[int]:
    """A deck for the next round of this match."""
    deck = list(match.variant.deck(match.options))
    rng.shuffle(deck)
    return deck


def redealt(match: Match, known: set[int], chance: random.Random) -> Match:
    """The match with all cards outside these seats' hands dealt anew, others' secrets gone.

    Committed exchanges and received cards of the others are swapped for nothing or empty ones.
    """
    round_ = match.round
    assert round_ is not None
    hands = [hand.cards for hand in round_.hands]
    stock = list(round_.opening.stock)
    hidden = [
        card
        for seat, cards in enumerate(hands)
        for card in indices(cards if seat not in known else 0)
    ]
    hidden += [card for cards in stock for card in indices(cards)]
    chance.shuffle(hidden)

    def others(cards: int) -> int:
        return card_set([hidden.pop() for _ in range(cards.bit_count())])

    hands = [cards if seat in known else others(cards) for seat, cards in enumerate(hands)]
    opening = round_.opening
    given = [
        gifts if seat in known or gifts is None else tuple((to, 0) for to, _ in gifts)
        for seat, gifts in enumerate(opening.given)
    ]
    received = [
        got if seat in known else tuple((by, 0) for by, _ in got)
        for seat, got in enumerate(opening.received)
    ]
    opening = opening._replace(
        stock=tuple(map(others, stock)), given=tuple(given), received=tuple(received)
    )
    mine = sum(1 << seat for seat in known)
    return match._replace(
        round=round_._replace(
            hands=tuple(map(Hand, hands)),
            opening=opening,
            submitted=tuple(bomb for bomb in round_.submitted if bomb[0] in known),
            waived=round_.waived & mine,
        )
    )


_CARD = re.compile(r"\b(?:[JSPT](?:10|[2-9JQKA])|MAHJONG|DOG|PHOENIX|DRAGON)(?:#2\b|\b)")


def decision(
    phase: str,
    hand: str,
    *,
    trick: str = "-",
    sizes: Mapping[int, int] | None = None,
    lines: Sequence[str] = (),
    wishes: str = "enforced",
    game: str = "nanjing",
    seat: int = 0,
) -> str | None:
    """What a seat does, in notation, with this hand in a position.

    The others hold eight cards that do not matter, or as many as `sizes` says.
    """
    match = position(phase, hand, trick, sizes or {}, lines, wishes, game, seat)
    action = Novice().choose(view(match, seat), random.Random(1))
    if action is None:
        return None
    assert can(match, action)
    return write_action(action)


def position(
    phase: str,
    hand: str,
    trick: str = "-",
    sizes: Mapping[int, int] | None = None,
    lines: Sequence[str] = (),
    wishes: str = "enforced",
    game: str = "nanjing",
    seat: int = 0,
) -> Match:
    """A position in which only one hand matters; `game` is a name, or with options as JSON."""
    name, _, chosen = game.partition(" ")
    given = json.loads(chosen or "{}") | ({"wishPolicy": wishes} if wishes == "penalty" else {})
    options = Options.of(name, given)
    variant = VARIANTS[name]
    lines = [f"variant {name} {json.dumps(given)}", *lines]
    lines += [f"phase {phase}", f"trick {trick}", f"hand {seat} {hand}"]
    taken = card_set(read_card(word) for line in lines for word in _CARD.findall(line))
    spare = [card for card in variant.deck(options) if not taken >> card & 1]
    random.Random(1).shuffle(spare)
    shown = {line.split()[1] for line in lines if line.startswith("hand ")}
    for other in range(variant.seats(options)):
        size = (sizes or {}).get(other, 8)
        if str(other) not in shown:
            lines.append(f"hand {other} {cards_text(card_set(spare[:size]))}")
            spare = spare[size:]
    gone = f"pile 1 {cards_text(card_set(spare))}" if variant.scored else ""
    lines.append(gone or f"discards {cards_text(card_set(spare))}")
    return read_position("\n".join(lines))
