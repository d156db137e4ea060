"""Helpers for tests of the rules: positions, steps and refusals.

Seats are A to F, in Trichu X, Y, Z and Table, in Grand Seigneur P1 to P12 (`NAMES`); a step is ``"B
play:S9,P9"`` or ``"clock close"``. `table` makes a position from the few facts that matter and
fills up hands with cards that do not.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping

from engine import (
    CARDS_OF_RANK,
    CLOCK,
    MAHJONG,
    Action,
    CallTichu,
    Combination,
    Event,
    Hand,
    IllegalAction,
    Match,
    Options,
    PassCards,
    Play,
    Round,
    RoundResult,
    apply,
    can,
    card_text,
    cards_text,
    deal,
    indices,
    legal_actions,
    new_match,
    rank_of,
    read_action,
    read_card,
    read_cards,
    read_play,
    read_position,
    read_rank,
    verify,
    write_action,
    write_position,
)

SEATS = "ABCD"
NAMES = {
    "nanjing": ("A", "B", "C", "D"),
    "trichu": ("X", "Y", "Z", "Table"),
    "tientsin": ("A", "B", "C", "D", "E", "F"),
    "grandseigneur": tuple(f"P{seat}" for seat in range(1, 13)),
}
"""The names of the seats in each game, seat 0 first."""
_SEAT = {name: seat for names in NAMES.values() for seat, name in enumerate(names)}
_NAME = "Table|P[0-9]+|[A-FX-Z]"


def seat_of(name: str) -> int:
    """Return the seat with this name in any game."""
    return _SEAT[name]


def names_of(match: Match) -> tuple[str, ...]:
    """Return the names of all seats of a game."""
    return NAMES[match.options.variant][: match.variant.seat_count(match.options)]


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
    totals: str = "-",
    dealer: str = "",
    options: Mapping[str, object] | None = None,
    variant: str = "nanjing",
    ranks: str = "",
) -> Match:
    """Return a position: ``table("TURN B", hands={"B": "S9 P9 +3"}, trick="A S8,P8")``.

    ``+3`` in a hand stands for three more cards that form no bomb and are, as far as cards last, of
    no rank named in that hand, in the trick or in the wish. A seat that is not named has five such
    cards, or none if it is out. Tricks are written as in the position text, with names. `ranks` is
    the hierarchy of Grand Seigneur, best first, and makes it the second round.
    """
    named = dict(hands or {})
    match = started_match(variant, options, dealer, ranks)
    names = names_of(match)
    dealing = names[match.variant.next_dealer(match) if ranks else match.first_dealer]
    lines = [
        f"variant {variant} {json.dumps(dict(options or {}))}",
        f"first-dealer {match.first_dealer}",
        f"totals {totals}",
        *(f"result {json.dumps(result._asdict())}" for result in match.results),
        f"round {len(match.results) + 1} dealer {seat_of(dealing)}",
        f"phase {phase.partition(' ')[0]} {seat_of(phase.partition(' ')[2])}",
        f"trick {_numbered(trick) or '-'}",
        f"wish {wish or '-'}",
        f"out {_seat_numbers(out)}",
        "calls " + " ".join((calls or {}).get(seat, "-") for seat in names),
    ]
    lines += [f"past {_numbered(step)}" for step in past]
    lines += [f"pile {seat_of(seat)} {cards}" for seat, cards in (piles or {}).items()]
    if started is not None:
        lines.append(f"started {_seat_numbers(started)}")
    laid = [trick, *past]
    nobody = re.findall(_NAME, out)
    filled = _filled(
        {seat: named.get(seat, "" if seat in nobody else "+5") for seat in names},
        deck=match.variant.deck(match.options),
        taken=[*map(cards_laid, laid), *map(read_cards, (piles or {}).values())],
        shunned=_ranks(cards_laid(trick)) | ({read_rank(wish)} if wish else set()),
    )
    lines += [f"hand {seat_of(seat)} {cards_text(cards)}" for seat, cards in filled.items()]
    return read_position("\n".join(lines))


def ranks_of(players: int) -> str:
    """Return a hierarchy of `players` players, odd seats first."""
    names = NAMES["grandseigneur"][:players]
    return " ".join(names[::2] + names[1::2])


def started_match(
    variant: str, options: Mapping[str, object] | None, dealer: str, ranks: str = ""
) -> Match:
    """Return a match before its first deal, or after a first round with this hierarchy."""
    first = seat_of(dealer) if dealer else 0
    match = new_match(Options.from_values(variant, dict(options or {})), first)
    if not ranks:
        return match
    out = tuple(map(seat_of, ranks.split()))
    result = RoundResult(1, first, out[:-1], (), (), (), ())
    return match._replace(results=(result,))


def _seat_numbers(names: str) -> str:
    return " ".join(str(seat_of(name)) for name in re.findall(_NAME, names)) or "-"


def _numbered(steps: str) -> str:
    """Return the steps of a trick with seat numbers instead of names."""
    pattern = rf"(^\s*|[|>]\s*)({_NAME})(?=\s|$)"
    return re.sub(pattern, lambda found: found[1] + str(seat_of(found[2])), steps)


def cards_laid(text: str) -> int:
    """Return the cards of a trick in position text."""
    cards = 0
    for step in text.partition("=>")[0].split("|"):
        words = step.split()
        if len(words) > 1 and words[1] != "pass":
            cards |= read_play(words[1])[0]
    return cards


def _ranks(cards: int) -> set[int]:
    return {rank for rank in range(2, 15) if cards & CARDS_OF_RANK[rank]}


def _filled(
    hands: Mapping[str, str], deck: tuple[int, ...], taken: Iterable[int], shunned: set[int]
) -> dict[str, int]:
    """Return the hands with their ``+k`` replaced by real cards."""
    ordinary = [card for card in deck if rank_of(card) > 1]
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
        preferred = [card for card in ordinary if rank_of(card) not in avoided]
        others = [card for card in ordinary if rank_of(card) in avoided]
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
    dealer: str = "",
    variant: str = "nanjing",
    ranks: str = "",
    left_over: str = "",
) -> Match:
    """Return a round just dealt in which these cards go to these seats, the first eight first.

    The other cards follow in canonical order; the last ones are left over if no others are named.
    `ranks` as for `table`; no more cards can be named for a seat than it gets.
    """
    match = started_match(variant, options, dealer, ranks)
    rules = match.variant
    first = rules.next_dealer(match) if ranks else match.first_dealer
    takers = rules.deal_order(rules.seating(match, first))
    all_cards, count = rules.deck(match.options), rules.undealt_count(match.options)
    named = {seat_of(seat): _card_list(cards) for seat, cards in (hands or {}).items()}
    aside = _card_list(left_over)
    taken = {*aside, *(card for cards in named.values() for card in cards)}
    rest = [card for card in all_cards if card not in taken]
    while len(aside) < count:
        aside.append(rest.pop(max(i for i, card in enumerate(rest) if card != MAHJONG)))
    following = iter(rest)
    stock = [takers[place % len(takers)] for place in range(len(all_cards) - count)]
    for seat in takers:
        cards = named.setdefault(seat, [])
        cards += [next(following) for _ in range(stock.count(seat) - len(cards))]
    seen = dict.fromkeys(takers, -1)
    deck = []
    for seat in stock:
        seen[seat] += 1
        deck.append(named[seat][seen[seat]])
    return deal(match, deck + aside)[0]


def _card_list(text: str) -> list[int]:
    return list(map(read_card, text.split()))


def step(match: Match, text: str) -> Action:
    """Return the action of a step; seats in it may be names (``"A give:B"``)."""
    seat, _, action = text.partition(" ")
    action = re.sub(
        rf"(>|give:|to=)({_NAME})\b", lambda found: found[1] + str(seat_of(found[2])), action
    )
    return read_action(CLOCK if seat == "clock" else seat_of(seat), action)


def after(match: Match, *steps: str) -> Match:
    """Return the match after these steps; `verify`, `can` and `apply` must accept each."""
    for text in steps:
        match = outcome(match, text)[0]
    return match


def everybody_passes(match: Match) -> Match:
    """Return the match after the open trick, to which everybody passes."""
    while match.phase.value in ("WINDOW", "TURN", "CLOSING"):
        turn = names_of(match)[round_of(match).turn]
        match = after(match, f"{turn} pass" if match.phase.value == "TURN" else "clock close")
    return match


def exchanged(match: Match, *steps: str) -> Match:
    """Return the match after these exchanges; all other seats give their lowest legal cards."""
    match = after(match, *steps)
    for seat, given in enumerate(round_of(match).opening.given):
        if given is None:
            gifts = next(match.variant.possible_gifts(round_of(match), seat))
            match, _ = apply(match, PassCards(seat, gifts))
    return match


def outcome(match: Match, text: str) -> tuple[Match, list[Event]]:
    """Return the result of `apply` for a step, which must be a listed legal action."""
    action = step(match, text)
    verify(match, action)
    assert can(match, action)
    assert _listed(match, action), f"{text} is accepted but not listed"
    return apply(match, action)


def refused(match: Match, text: str, code: str, rule: str) -> IllegalAction:
    """Check that a step is refused for this reason by this rule and changes nothing."""
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
    seats = match.variant.seat_count(match.options)
    listed = list(legal_actions(match, action.seat)) if action.seat in range(-1, seats) else []
    if isinstance(action, Play) and action.phoenix is None:
        return any(
            isinstance(other, Play) and other._replace(phoenix=None) == action for other in listed
        )
    return write_action(action) in map(write_action, listed)


def round_of(match: Match) -> Round:
    """Return the current round."""
    assert match.round is not None
    return match.round


def result_of(match: Match) -> RoundResult:
    """Return the result of the last round."""
    assert match.phase.value in ("ROUND_END", "MATCH_END")
    return match.results[-1]


def phase_of(match: Match) -> str:
    """Return phase and seat on turn: ``"TURN B"``, ``"ROUND_END"``."""
    if match.phase.value in ("LEAD", "TURN", "WINDOW", "CLOSING", "GIFT"):
        return f"{match.phase.value} {names_of(match)[round_of(match).turn]}"
    return match.phase.value


def hand_of(match: Match, seat: str) -> str:
    """Return the cards in hand as text."""
    return cards_text(round_of(match).hands[seat_of(seat)].cards)


def pile_of(match: Match, seat: str) -> str:
    """Return the cards of a seat's tricks as text."""
    return cards_text(round_of(match).piles[seat_of(seat)])


def top_of(match: Match) -> Combination:
    """Return the play to beat."""
    top = round_of(match).top
    assert top is not None
    return top


def plays_of(match: Match, seat: str) -> list[str]:
    """Return the legal actions of a seat as sorted text, without waivers and calls."""
    actions = map(write_action, legal_actions(match, seat_of(seat)))
    return sorted(text for text in actions if text not in ("waive", "tichu"))


def cards_in(match: Match) -> list[str]:
    """Return every card of a round, sorted, with repetitions."""
    r = round_of(match)
    places = [hand.cards for hand in r.hands]
    places += [*r.opening.stock, r.opening.left_over, *r.piles, r.trick_cards, r.discards]
    return sorted(card_text(card) for cards in places for card in indices(cards))


def listed_actions(match: Match) -> Iterator[tuple[int, Action]]:
    """Return every legal action with its seat: the clock first, then all seats ascending."""
    round_ = match.round
    assert round_ is not None
    for seat in (CLOCK, *range(len(round_.hands))):
        for action in legal_actions(match, seat):
            yield seat, action
