"""Positions and single decisions for the tests of computer players."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Mapping, Sequence

from engine import (
    VARIANTS,
    Match,
    Options,
    can,
    card_set,
    cards_text,
    read_card,
    read_position,
    view,
    write_action,
)
from players.novice.player import Novice

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
    """Return the action of a seat, in notation, with this hand in a position.

    The others hold eight cards that do not matter, or the numbers in `sizes`.
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
    """Return a position in which only one hand matters.

    `game` is a name, or a name with options as JSON.
    """
    name, _, chosen = game.partition(" ")
    given = json.loads(chosen or "{}") | ({"wishPolicy": wishes} if wishes == "penalty" else {})
    options = Options.from_values(name, given)
    variant = VARIANTS[name]
    lines = [f"variant {name} {json.dumps(given)}", *lines]
    lines += [f"phase {phase}", f"trick {trick}", f"hand {seat} {hand}"]
    taken = card_set(read_card(word) for line in lines for word in _CARD.findall(line))
    spare = [card for card in variant.deck(options) if not taken >> card & 1]
    random.Random(1).shuffle(spare)
    shown = {line.split()[1] for line in lines if line.startswith("hand ")}
    for other in range(variant.seat_count(options)):
        size = (sizes or {}).get(other, 8)
        if str(other) not in shown:
            lines.append(f"hand {other} {cards_text(card_set(spare[:size]))}")
            spare = spare[size:]
    gone = f"pile 1 {cards_text(card_set(spare))}" if variant.scored else ""
    lines.append(gone or f"discards {cards_text(card_set(spare))}")
    return read_position("\n".join(lines))
