"""Transcripts: whole games as text, with a digest of the legal actions before every step.

A file has lines ``match VARIANT DEALER OPTIONS``, ``deck CARDS``, steps ``SEAT ACTION | PHASE COUNT
DIGEST`` and ``result …`` after each round; `digests_of` defines the digest.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from bench.walks import Walk
from engine import (
    CLOCK,
    WINDOW_PHASES,
    Action,
    CloseWindow,
    Match,
    Options,
    Phase,
    Waive,
    apply,
    card_text,
    deal,
    legal_actions,
    new_match,
    read_action,
    read_card,
    write_action,
)

DATA = Path(__file__).parent / "data"
INDEPENDENT = sorted(path.name for path in DATA.glob("independent-*.txt"))


class Step(NamedTuple):
    """One line of a transcript with the positions before and after it; no action for a deal."""

    line: str
    before: Match
    action: Action | None
    after: Match


def digests_of(match: Match) -> tuple[tuple[int, str], tuple[int, str]]:
    """Return the number of legal actions, and 16 hexadecimal digits of their SHA-256.

    A line is ``SEAT ACTION``; the clock comes first, then the seats ascending, each seat's actions
    sorted. Waivers are omitted, and so are seats that have committed their exchange. The digest is
    computed with and without calls of a small Tichu.
    """
    round_ = match.round
    assert round_ is not None
    lines: list[str] = []
    for seat in (CLOCK, *range(len(round_.hands))):
        if match.phase is Phase.EXCHANGE and seat >= 0 and round_.opening.given[seat] is not None:
            continue
        lines += sorted(
            _line(action) for action in legal_actions(match, seat) if not isinstance(action, Waive)
        )
    uncalled = [line for line in lines if not line.endswith(" tichu")]
    return _digest(lines), _digest(uncalled)


@lru_cache(maxsize=1 << 14)
def _line(action: Action) -> str:
    """Return seat and notation; cached, because thousands of exchanges are listed repeatedly."""
    return f"{action.seat} {write_action(action)}"


def _digest(lines: list[str]) -> tuple[int, str]:
    return len(lines), sha256("\n".join(lines).encode()).hexdigest()[:16]


def result_line(match: Match) -> str:
    """Return the result of the last round and, if it ended the match, the winners."""

    def numbers(values: Iterable[int]) -> str:
        return " ".join(map(str, values)) or "-"

    result = match.results[-1]
    calls = " ".join(
        f"{seat}:{call.name.lower()}:{'made' if made else 'failed'}"
        for seat, call, made in result.calls
    )
    facts = {
        "out": numbers(result.out),
        "cards": numbers(result.cards),
        "score": numbers(result.score),
        "totals": numbers(result.totals),
        "calls": calls or "-",
        "sweep": "yes" if result.sweep else "no",
        "penalty": "-" if result.penalty is None else str(result.penalty),
        "winners": numbers(match.winners),
    }
    return "result " + " | ".join(f"{name} {value}" for name, value in facts.items())


def read_transcript(text: str) -> Iterator[Step]:
    """Play a transcript, step by step."""
    match: Match | None = None
    for line in text.splitlines():
        word, _, rest = line.partition(" ")
        if word in ("", "=", "result"):
            continue
        if word == "match":
            variant, dealer, options = rest.split(" ", 2)
            match = new_match(Options.from_values(variant, json.loads(options)), int(dealer))
            continue
        assert match is not None
        before, action = match, None
        if word == "deck":
            match, _ = deal(match, [read_card(card) for card in rest.split()])
        else:
            action = read_action(int(word), rest.partition(" | ")[0])
            if action == CloseWindow() and match.phase not in WINDOW_PHASES:
                continue  # with nobody holding four cards it closed by itself
            match, _ = apply(match, action)
        yield Step(line, before, action, match)


def write_transcript(walks: Iterable[Walk]) -> Iterator[str]:
    """Return the lines of a transcript, from every position of a walk."""
    before: Match | None = None
    for match, log in walks:
        if before is None:
            options = json.dumps(match.options.non_defaults(), sort_keys=True)
            yield f"match {match.options.variant} {match.first_dealer} {options}"
        elif before.phase is Phase.ROUND_END:
            yield "deck " + " ".join(card_text(card) for card in log[-1])
        else:
            action: Action = log[-1]  # type: ignore[assignment]
            (count, digest), _ = digests_of(before)
            step = f"{action.seat} {write_action(action)}"
            yield f"{step} | {before.phase.value} {count} {digest}"
            if match.phase in (Phase.ROUND_END, Phase.MATCH_END):
                yield result_line(match)
        before = match
