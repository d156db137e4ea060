"""Positions, steps and refusals for tests of the rules.

Seats are A, B, C, D for 0 to 3, a step is ``"B play:S9,P9"`` or ``"clock close"``. `table` makes a
position from the few facts that matter and fills up hands with cards that do not.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping

from engine.actions import CLOCK, Action, CallTichu, PassCards, Play
from engine.cards import DECK_SIZE, OF_RANK, card_text, cards_text, indices, read_cards, read_rank
from engine.combinations import Combination
from engine.errors import IllegalAction
from engine.events import Event
from engine.hand import Hand
from engine.legal import legal
from engine.match import apply, can, deal, new_match, verify
from engine.notation import read_action, read_play, write_action
from engine.options import Options
from engine.position import read_position, write_position
from engine.state import Match, Round, RoundResult

SEATS = "ABCD"


def table(
    phase: str,
    *,
    hands: Mapping[str, str] | None = None,
    trick: str = "",
    past: Iterable[str] = (),
    piles: Mapping[str, str] | None = None,
    out: str = "",
    wish: str = "",
    calls: Mapping[str, str] | None = None,
    started: str | None = None,
    totals: str = "0 0",
    dealer: str = "A",
    options: Mapping[str, object] | None = None,
) -> Match:
    """A position: ``table("TURN B", hands={"B": "S9 P9 +3"}, trick="A S8,P8")``.

    ``+3`` in a hand stands for three more cards that form no bomb and are, as far as cards last,
    of no rank named in that hand, in the trick or in the wish. A seat that is not named has five
    such cards, or none if it is out. Tricks are written as in the position text, with letters.
    """
    named = dict(hands or {})
    lines = [
        f"variant nanjing {json.dumps(dict(options or {}))}",
        f"totals {totals}",
        f"round 1 dealer {SEATS.index(dealer)}",
        f"phase {_numbered(phase)}",
        f"trick {_numbered(trick) or '-'}",
        f"wish {wish or '-'}",
        f"out {_numbered(' '.join(out)) or '-'}",
        "calls " + " ".join((calls or {}).get(seat, "-") for seat in SEATS),
    ]
    lines += [f"past {_numbered(step)}" for step in past]
    lines += [f"pile {SEATS.index(seat)} {cards}" for seat, cards in (piles or {}).items()]
    if started is not None:
        lines.append(f"started {_numbered(' '.join(started)) or '-'}")
    laid = [trick, *past]
    filled = _filled(
        {seat: named.get(seat, "" if seat in out else "+5") for seat in SEATS},
        taken=[*map(_cards_of_steps, laid), *map(read_cards, (piles or {}).values())],
        shunned=_ranks(_cards_of_steps(trick)) | ({read_rank(wish)} if wish else set()),
    )
    lines += [f"hand {SEATS.index(seat)} {cards_text(cards)}" for seat, cards in filled.items()]
    return read_position("\n".join(lines))


def _numbered(text: str) -> str:
    """Seat letters that stand alone as seat numbers."""
    return re.sub(r"(?<![\w=])[A-D](?![\w=])", lambda found: str(SEATS.index(found[0])), text)


def _cards_of_steps(text: str) -> int:
    cards = 0
    for step in text.partition("=>")[0].split("|"):
        words = step.split()
        if len(words) > 1 and words[1] != "pass":
            cards |= read_play(words[1])[0]
    return cards


def _ranks(cards: int) -> set[int]:
    return {rank for rank in range(2, 15) if cards & OF_RANK[rank]}


def _filled(hands: Mapping[str, str], taken: Iterable[int], shunned: set[int]) -> dict[str, int]:
    """The hands with their ``+k`` replaced by real cards."""
    found: dict[str, int] = {}
    counts: dict[str, int] = {}
    used = sum(taken)
    for seat, text in hands.items():
        words = text.split()
        counts[seat] = sum(int(word) for word in words if word.startswith("+"))
        found[seat] = read_cards(" ".join(word for word in words if not word.startswith("+")))
        assert not used & found[seat], f"{seat} holds a card that lies elsewhere"
        used |= found[seat]
    for seat, count in counts.items():
        avoided = shunned | _ranks(found[seat])
        preferred = [card for card in range(52) if card // 4 + 2 not in avoided]
        others = [card for card in range(52) if card // 4 + 2 in avoided]
        for card in preferred + others:
            if not count:
                break
            more = found[seat] | 1 << card
            if not used >> card & 1 and len(Hand(more).bombs()) == len(Hand(found[seat]).bombs()):
                found[seat] = more
                used |= 1 << card
                count -= 1
        assert not count, f"no cards left for {seat}"
    return found


def dealt(
    *,
    hands: Mapping[str, str] | None = None,
    options: Mapping[str, object] | None = None,
    dealer: str = "A",
) -> Match:
    """A round just dealt in which these cards come to these seats, the first eight first.

    The other cards follow in canonical order. At most 14 cards can be named for a seat.
    """
    match = new_match(Options.of("nanjing", dict(options or {})), SEATS.index(dealer))
    order = match.variant.seating(match, match.first_dealer).order
    named = {
        SEATS.index(seat): [read_cards(word).bit_length() - 1 for word in cards.split()]
        for seat, cards in (hands or {}).items()
    }
    taken = {card for cards in named.values() for card in cards}
    rest = iter(card for card in range(DECK_SIZE) if card not in taken)
    for seat in order:
        cards = named.setdefault(seat, [])
        cards += [next(rest) for _ in range(14 - len(cards))]
    deck = [named[order[place % 4]][place // 4] for place in range(DECK_SIZE)]
    return deal(match, deck)[0]


def step(match: Match, text: str) -> Action:
    """The action of a step; seats in it may be letters (``"A give:B"``)."""
    seat, _, action = text.partition(" ")
    action = re.sub(r"(>|give:)([A-D])\b", lambda m: m[1] + str(SEATS.index(m[2])), action)
    return read_action(CLOCK if seat == "clock" else SEATS.index(seat), action)


def after(match: Match, *steps: str) -> Match:
    """The match after these steps, each of which is accepted by `verify`, `can` and `apply`."""
    for text in steps:
        match = outcome(match, text)[0]
    return match


def outcome(match: Match, text: str) -> tuple[Match, list[Event]]:
    """What an accepted step leads to; it must be on the list of legal actions as well."""
    action = step(match, text)
    verify(match, action)
    assert can(match, action)
    assert _listed(match, action), f"{text} is accepted but not listed"
    return apply(match, action)


def refused(match: Match, text: str, code: str, rule: str) -> IllegalAction:
    """Check that a step is refused for this reason by this rule, and that nothing changes."""
    action = step(match, text)
    before = write_position(match)
    errors: list[IllegalAction] = []
    for function in (verify, apply):
        try:
            function(match, action)
        except IllegalAction as error:
            errors.append(error)
    assert len(errors) == 2, f"{text} is accepted"
    assert [(error.code, error.rule) for error in errors] == [(code, rule)] * 2
    assert not can(match, action)
    assert not _listed(match, action), f"{text} is refused but listed"
    assert write_position(match) == before
    assert read_position(before) == match
    return errors[0]


def _listed(match: Match, action: Action) -> bool:
    if isinstance(action, PassCards) or (isinstance(action, CallTichu) and action.same):
        return can(match, action)  # too many to list, or the clock's business
    listed = list(legal(match, action.seat)) if action.seat in range(-1, 4) else []
    if isinstance(action, Play) and action.phoenix is None:
        return any(
            isinstance(other, Play) and other._replace(phoenix=None) == action for other in listed
        )
    return write_action(action) in map(write_action, listed)


def round_of(match: Match) -> Round:
    """The round being played."""
    assert match.round is not None
    return match.round


def result_of(match: Match) -> RoundResult:
    """The result of the round that has just ended."""
    assert match.phase.value in ("ROUND_END", "MATCH_END")
    return match.results[-1]


def phase_of(match: Match) -> str:
    """Phase and seat concerned: ``"TURN B"``, ``"ROUND_END"``."""
    if match.phase.value in ("LEAD", "TURN", "WINDOW", "CLOSING", "GIFT"):
        return f"{match.phase.value} {SEATS[round_of(match).turn]}"
    return match.phase.value


def hand_of(match: Match, seat: str) -> str:
    """Cards in hand as text."""
    return cards_text(round_of(match).hands[SEATS.index(seat)].cards)


def pile_of(match: Match, seat: str) -> str:
    """Gathered cards as text."""
    return cards_text(round_of(match).piles[SEATS.index(seat)])


def top_of(match: Match) -> Combination:
    """The play to beat."""
    top = round_of(match).top
    assert top is not None
    return top


def plays_of(match: Match, seat: str) -> list[str]:
    """The legal actions of a seat as sorted text, waives and calls left out."""
    actions = map(write_action, legal(match, SEATS.index(seat)))
    return sorted(text for text in actions if text not in ("waive", "tichu"))


def cards_in(match: Match) -> list[str]:
    """Every card of a round wherever it is, sorted; a card in two places stands twice."""
    r = round_of(match)
    places = [hand.cards for hand in r.hands]
    places += [*r.opening.stock, *r.piles, r.trick_cards, r.discards]
    return sorted(card_text(card) for cards in places for card in indices(cards))
