"""Rounds with a Tichu by one card or a bomb, played with a few cards."""

from __future__ import annotations

from bot.table.state import Game
from engine import Match, Phase, can
from tests.bot.states import state
from tests.engine.positions import after, names_of, round_of, step, table

BOMB = "play:S8,P8,T8,J8"


def over(match: Match, *plays: str) -> Game:
    """Return the round after these plays, to which everybody else passes; it must be over."""
    for play in plays:
        while not can(match, step(match, play)):
            match = _without_play(match)
        match = after(match, play)
    while match.phase is not Phase.ROUND_END:
        match = _without_play(match)
    return state(match)


def _without_play(match: Match) -> Match:
    turn = names_of(match)[round_of(match).turn]
    return after(match, f"{turn} pass" if match.phase is Phase.TURN else "clock close")


def tichu(caller: str, **hands: str) -> Game:
    """Return a round in which A goes out first, then B and C."""
    given = {"A": "SA", "B": "S2", "C": "S3 S4", "D": "S5 S6", **hands}
    plays = ["A play:SA", *(f"B play:{card}" for card in given["B"].split())]
    match = table("LEAD A", hands=given, calls={caller: "tichu"})
    return over(match, *plays, *(f"C play:{card}" for card in given["C"].split()))


def bombed(lead: str, caller: str = "", *, b: str = "S6", d: str = "S2 J2") -> Game:
    """Return a round in which A bombs the lead of D and goes out first."""
    hands = {"A": "S8 P8 T8 J8 S3", "B": b, "C": "S5 J5", "D": f"{lead} {d}"}
    match = table("LEAD D", hands=hands, calls={caller: "tichu"} if caller else {})
    plays = [f"D play:{lead}", f"A {BOMB}", "A play:S3", *(f"B play:{card}" for card in b.split())]
    return over(match, *plays, "C play:S5", "C play:J5")
