"""Tables in every phase and with all kinds of details, for tests of texts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import timedelta
from itertools import islice
from random import Random

from bench.walks import random_options, walks
from bot.ids import MessageId
from bot.table.details import MessageIds
from bot.table.options import TURN_BASED_S, TableOptions
from bot.table.state import Game, Lobby
from engine import (
    VARIANTS,
    WINDOW_PHASES,
    CallTichu,
    GiveTrick,
    Match,
    Options,
    Pass,
    Phase,
    Play,
    after_quiet_window,
    apply,
    can,
    legal_actions,
    write_action,
)
from tests.bot.states import NAMES, NOON, chairs, state
from tests.bot.text.other_games import named
from tests.campaign import SOAK
from tests.engine.positions import after, dealt, table

SEALED, DEALT = "5e" * 32, "de" * 32
"""Secrets of the next deal and of the one on the table."""
NO_GRAND = ("A grand:no", "B grand:no", "C grand:no", "D grand:no")


def lobbies(names: Sequence[str] = NAMES) -> Iterator[Lobby]:
    """Yield lobbies with all options: full, and with free seats and computer players."""
    rare = TableOptions(
        rules=Options(
            direction="clockwise", target=5000, wish_policy="penalty", bomb_window_ms=1500
        ),
        pace="quick",
        computers="novice",
        hints=True,
    )
    yield state(chairs=chairs(names))
    yield state(chairs=chairs(names, computers=(1, 3)), options=rare)
    novices = rare.model_copy(update={"pace": "human"})
    yield state(chairs=chairs(names, empty=(1, 2)), options=novices)
    yield state(chairs=chairs(names, empty=(1, 2, 3)))
    yield state(chairs=chairs(names), details={"sealed": SEALED})
    for limit in TURN_BASED_S[:2]:
        slow = TableOptions(turn_limit_s=limit)
        yield state(chairs=chairs(names), options=slow, parent_channel_id=3)


def moments(names: Sequence[str] = NAMES) -> Iterator[Game]:
    """Yield tables in states that random games seldom reach, or that only details hold."""
    seats = chairs(names, computers=(3,))
    for match in _matches():
        yield state(match, chairs=seats)
    window = table("WINDOW B", trick="A S8,P8", hands={"B": "S9 P9 S4 P4 J4 T4 +3", "C": "+8"})
    kept = ["play:S9,P9", "pass"]
    for text in kept:
        yield state(
            window,
            chairs=seats,
            details={"premoves": {1: text}},
            messages=MessageIds(table=MessageId(1)),
        )
    yield state(window, chairs=seats, details={"auto_pass": (1, 2), "dropped": (0, 1)})
    slow = TableOptions(turn_limit_s=TURN_BASED_S[2])
    yield state(window, chairs=seats, options=slow)
    dragon = table("CLOSING B", trick="A DRAGON | B pass | C pass | D pass", out="A")
    yield state(dragon, chairs=seats, options=slow)
    bombed = after(window, "B bomb:S4,P4,J4,T4")
    yield state(bombed, chairs=seats)
    nothing = table("TURN B", trick="A SA", hands={"B": "J2 J3"})
    yield state(nothing, chairs=seats).with_notes(auto_pass_always=frozenset({1}))
    for bombs in ("S4 P4 J4 T4", "S4 P4 J4 T4 S8 P8 J8 T8"):
        yield state(table("LEAD A", hands={"A": f"S2 {bombs}"}), chairs=seats)
    only = table("LEAD B", hands={"B": "J2"}, started="ABCD")
    yield state(only, chairs=seats).with_notes(auto_pass_always=frozenset({1}))
    gift = table("CLOSING A", trick="A DRAGON | B pass | C pass | D pass", hands={"A": "+6"})
    yield state(gift, chairs=seats, details={"premoves": {0: "give:1"}})
    over = _ended("1000 0", target=100)
    yield state(over, chairs=seats, status="finished")
    yield state(table("TURN B", trick="A S8"), chairs=seats, status="stopped")
    between = _ended("0 0", target=5000)
    soon = {"deadlines": {"next_round": NOON + timedelta(seconds=20)}}
    yield state(between, chairs=seats, details=soon)
    yield state(between, chairs=seats, details={"paused": True})
    secrets = {"sealed": SEALED, "dealt": DEALT}
    for match in (between, table("TURN B", trick="A S8")):
        yield state(match, chairs=seats, details=secrets)
        yield state(match, chairs=seats, details=secrets | {"words": {101: "*" * 64, 102: "8"}})
    yield state(over, chairs=seats, status="finished", details=secrets)
    yield state(table("TURN B", trick="A S8"), chairs=seats, status="stopped", details=secrets)


def _matches() -> Iterator[Match]:
    yield dealt()
    yield after(dealt(), "A grand:yes", "B grand:no")
    yield after(dealt(), "A grand:yes", "C grand:yes", "B grand:no", "D grand:no")
    exchange = after(dealt(hands={"A": "J2 J3 J4"}), *NO_GRAND)
    yield exchange
    yield after(exchange, "A pass-cards:J2>1,J3>2,J4>3")
    yield table("LEAD A", hands={"A": "DOG MAHJONG PHOENIX S3 S4 S5 S6 +4"})
    yield table("LEAD C", past=["A DOG => -1 > 2"], hands={"C": "+6"})
    yield table("LEAD B", past=["A DRAGON | B pass | C pass | D pass => 0 > 1"])
    yield table("TURN B", trick="A MAHJONG wish=9", wish="9", hands={"B": "S9 P9 +3"})
    yield table("GIFT A", trick="A DRAGON | B pass | C pass | D pass")
    yield after(table("LEAD C", hands={"C": "DOG"}, out="A"), "C play:DOG")
    yield table("LEAD B", wish="9", hands={"B": "S9 +3"})
    yield table("TURN B", trick="A S8", hands={"A": "J2", "B": "S9 +3"})
    penalty = {"wishPolicy": "penalty"}
    missed = table("TURN B", trick="A S8", wish="9", hands={"B": "S9 +3"}, options=penalty)
    yield after(missed, "B pass")
    yield after(table("LEAD C", hands={"C": "S9"}, out="AB"), "C play:S9")
    yield table("TURN D", trick="C S8", out="AB", hands={"C": "S9", "D": "J3 J4"})
    calls = {"A": "tichu", "B": "grand"}
    yield table("TURN B", trick="A S8", calls=calls, hands={"C": "J2 P2 S2 T2 J3 P3 S3 T3"})


def _ended(totals: str, *, target: int) -> Match:
    """Return a round won by A with C second (a double victory), after two calls."""
    last = table(
        "LEAD C",
        hands={"C": "S9"},
        out="A",
        totals=totals,
        calls={"A": "tichu", "B": "grand"},
        options={"target": target},
    )
    found = after(last, "C play:S9")
    while found.phase in WINDOW_PHASES:
        found = after(found, "clock close")
    return found


def games(
    seed: int, steps: int, names: Sequence[str] = NAMES, variant: str = "nanjing", every: int = 1
) -> Iterator[Game]:
    """Yield tables of random games, sometimes with details.

    One follows every `every` steps; in a campaign, one follows each step.
    """
    chance = Random(seed)
    options = random_options(chance, variant)
    people = named(names, VARIANTS[variant].chair_count(options))
    seats = chairs(people, computers=(chance.randrange(len(people)),))
    apart = 1 if SOAK else every
    for found in islice(walks(chance, options), 0, steps, apart):
        if found.match.round is None:
            continue
        yield state(found.match, chairs=seats, details=_details(found.match, chance))


def _details(match: Match, chance: Random) -> dict[str, object]:
    round_ = match.round
    assert round_ is not None
    hands = len(round_.hands)
    details: dict[str, object] = {"auto_pass": (chance.randrange(hands),), "dropped": ()}
    if round_.phase in WINDOW_PHASES and not round_.asked:
        live = after_quiet_window(match)
        early = [
            a for a in legal_actions(live, round_.turn) if isinstance(a, Play | Pass | GiveTrick)
        ]
        if early:
            details["premoves"] = {round_.turn: write_action(chance.choice(early))}
        details["waits"] = {seat: chance.randrange(3) for seat in range(hands)}
    return details


def long_match(rounds: int, options: Options | None = None) -> Match:
    """Return a match of many rounds with wide numbers, just won by the second column."""
    chance = Random(1)
    options = options or Options(target=5000)
    match: Match | None = None
    for found in walks(chance, options):
        if found.match.phase is Phase.ROUND_END and found.match.results:
            match = found.match
            break
    assert match is not None
    last = match.results[-1]
    columns = len(match.totals)
    results = tuple(
        last._replace(
            number=number, totals=(-1200 - number, 4900 + number, number, -number)[:columns]
        )
        for number in range(1, rounds + 1)
    )
    return match._replace(results=results, totals=results[-1].totals, winners=(1,))


def called_at_once(match: Match) -> Match:
    """Return a match in which both partners of seat 0 called; the second is asked."""
    assert can(match, CallTichu(0))
    return apply(apply(match, CallTichu(0))[0], CallTichu(2, True))[0]


def longest_round() -> Match:
    """Return a log that does not fit: nearly every card is played, mostly singly."""
    ranks = (2, 3, 4, 5, 6, 7, 8, 9, 10)
    singles = " | ".join(f"{'ABCD'[place % 4]} J{rank}" for place, rank in enumerate(ranks))
    past = [
        f"{singles} | B JJ | C JQ | D JK | A JA | B PHOENIX | C DRAGON => 2 > 1",
        *(f"A {suit}{rank} => 0" for suit in "SP" for rank in ranks),
        *(f"B T{rank} => 1" for rank in ranks),
        "C MAHJONG wish=A | D SA => 3",
        "D DOG => -1 > 1",
    ]
    return table("LEAD B", past=past, hands={"A": "SJ", "B": "SQ", "C": "SK", "D": "PJ"})


def longest_trick() -> Match:
    """Return one trick of bombs on bombs, all still on the table."""
    ranks = (3, 4, 5, 6, 7, 8, 9, 10, "J", "Q", "K")
    steps = ["A S2"]
    for place, rank in enumerate(ranks):
        cards = ",".join(f"{suit}{rank}" for suit in "JSPT")
        steps.append(f"{'BCDA'[place % 4]} {cards}")
    hands = {"A": "J2", "B": "P2", "C": "T2", "D": "JA SA PA TA"}
    return table("WINDOW A", trick=" | ".join(steps), hands=hands)
