"""Rounds and matches between players, and single decisions, for the tests of computer players."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from engine.actions import Action, AnswerGrand, Bomb, CallTichu, CloseWindow, PassCards
from engine.cards import DECK_SIZE, bits, card_set, cards_text, indices, read_card
from engine.match import apply, deal
from engine.notation import write_action
from engine.position import read_position
from engine.state import Match, Phase
from engine.view import View, view
from players.plain import PlainPlayer

OVER = (Phase.ROUND_END, Phase.MATCH_END)


class Player(Protocol):
    def choose(self, view: View, rng: random.Random) -> Action | None: ...


class RandomPlayer:
    """Takes any legal action, but neither calls nor bombs out of turn, which would be folly."""

    def choose(self, view: View, rng: random.Random) -> Action | None:
        assert view.seat is not None
        if view.phase is Phase.EXCHANGE:
            if view.given is not None:
                return None
            cards = rng.sample(list(bits(view.hand.cards)), len(view.gifts))
            return PassCards(
                view.seat, tuple(zip(sorted(gift.to for gift in view.gifts), cards, strict=True))
            )
        if view.phase is Phase.GRAND:
            return AnswerGrand(view.seat, False) if view.actions else None
        actions = [a for a in view.actions if not isinstance(a, CallTichu | Bomb)]
        return rng.choice(actions) if actions else None


Watch = Callable[[Match, int, Action], None]


def play_round(
    match: Match,
    players: Sequence[Player],
    deck: Sequence[int],
    rng: random.Random,
    watch: Watch | None = None,
) -> Match:
    """Deal and play a round; seats are asked in turn, windows close when nobody has an answer."""
    match, _ = deal(match, deck)
    while match.phase not in OVER:
        for seat, player in enumerate(players):
            action = player.choose(view(match, seat), rng)
            if action is not None:
                if watch is not None:
                    watch(match, seat, action)
                match, _ = apply(match, action)
                break
        else:
            match, _ = apply(match, CloseWindow())
    return match


def shuffled(rng: random.Random) -> list[int]:
    deck = list(range(DECK_SIZE))
    rng.shuffle(deck)
    return deck


_CARD = re.compile(r"\b(?:[JSPT](?:10|[2-9JQKA])|MAHJONG|DOG|PHOENIX|DRAGON)\b")


def decision(
    phase: str,
    hand: str,
    *,
    trick: str = "-",
    sizes: Mapping[int, int] | None = None,
    lines: Sequence[str] = (),
    wishes: str = "enforced",
) -> str | None:
    """What seat 0 does, in notation, with this hand in a position; partner 2, opponents 1 and 3.

    The others hold eight cards that do not matter, or as many as `sizes` says.
    """
    variant = f'variant nanjing {{"wishPolicy": "{wishes}"}}'
    lines = [variant, *lines, f"phase {phase}", f"trick {trick}", f"hand 0 {hand}"]
    taken = card_set(read_card(word) for line in lines for word in _CARD.findall(line))
    spare = list(indices((1 << DECK_SIZE) - 1 & ~taken))
    random.Random(1).shuffle(spare)
    for seat in (1, 2, 3):
        size = (sizes or {}).get(seat, 8)
        lines.append(f"hand {seat} {cards_text(card_set(spare[:size]))}")
        spare = spare[size:]
    lines.append(f"pile 1 {cards_text(card_set(spare))}")
    match = read_position("\n".join(lines))
    action = PlainPlayer().choose(view(match, 0), random.Random(1))
    if action is None:
        return None
    if isinstance(action, PassCards):
        return write_action(action)
    assert action in view(match, 0).actions
    return write_action(action)
