"""Round robin: everybody meets everybody, by the Berger tables of FIDE (Handbook, C.05 annex 1)."""

from __future__ import annotations

from dataclasses import replace
from hashlib import sha256

from bot.club.competition import (
    Competition,
    EntrantNumber,
    Line,
    Match,
    Pairing,
    Result,
    TieBreak,
)
from bot.club.formats.standings import standings
from bot.club.formats.turns import seat_difference, turns_of

_VOID = Result("void")


class RoundRobin:
    """Rules of a round robin, single, double, or of as many rounds as are planned."""

    tie_breaks: tuple[TieBreak, ...] = ("direct", "points")
    entrants = range(4, 65)

    def length(self, competition: Competition) -> int:
        """Return the planned number of rounds, or else that of a single round robin."""
        return competition.planned or cycle_length(len(competition.roster))

    def pair(self, competition: Competition) -> tuple[Pairing, ...]:
        """Return the next round of the table; who has no opponent in it has a bye.

        The sides are swapped if the first one was first more often, because others were absent.
        """
        position = len(competition.rounds)
        if position >= self.length(competition):
            return ()
        turns = turns_of(competition)
        difference = {
            each.number: seat_difference(turns[each.number]) for each in competition.active
        }
        pairings = list[Pairing]()
        for pair in table_round(competition, position):
            sides = tuple((number,) for number in pair if number in difference)
            if len(sides) == 2 and difference[pair[0]] > difference[pair[1]]:
                sides = sides[::-1]
            if sides:
                pairings.append(sides)
        return tuple(sorted(pairings, key=len, reverse=True))  # byes last

    def standings(self, competition: Competition) -> tuple[Line, ...]:
        """Return the standings.

        A bye without an opponent in the table counts for nobody, as everybody has the same number
        of them. If an entrant who has withdrawn played in less than half of the rounds, none of
        their matches counts; otherwise those that are left are wins of the opponents, as in FIDE's
        General Regulations for Competitions (Handbook, C.05).
        """
        turns = turns_of(competition)
        annulled = {
            each.number
            for each in competition.entrants
            if each.withdrawn
            and 2 * sum(turn.ending == "played" for turn in turns[each.number])
            < self.length(competition)
        }
        rounds = list[tuple[Match, ...]]()
        for position, matches in enumerate(competition.rounds):
            table = table_round(competition, position)
            annulling = {
                number
                for pair in table
                if len(pair) == 1 or annulled.intersection(pair)
                for number in pair
            }
            rounds.append(
                tuple(
                    match._replace(result=match.result and _VOID)
                    if any(side[0] in annulling for side in match.sides)
                    else match
                    for match in matches
                )
            )
        return standings(replace(competition, rounds=tuple(rounds)), self.tie_breaks)


def cycle_length(count: int) -> int:
    """Return the number of rounds in which everybody meets everybody once."""
    return count - 1 + count % 2


def table_round(competition: Competition, position: int) -> list[tuple[EntrantNumber, ...]]:
    """Return a round of the Berger table; an odd number leaves one entrant alone.

    Entrants have their numbers in the table by lot. Each repetition swaps the sides.
    """
    order: list[EntrantNumber | None] = [
        *sorted(
            (each.number for each in competition.roster),
            key=lambda number: sha256(competition.lots + bytes([number])).digest(),
        )
    ]
    repetition, turn = divmod(position, cycle_length(len(order)))
    if len(order) % 2:
        order.append(None)
    half, others = len(order) // 2, len(order) - 1
    pivot = turn * half % others
    pairs = [(order[pivot], order[-1])] if turn % 2 == 0 else [(order[-1], order[pivot])]
    pairs += [
        (order[(pivot + step) % others], order[(pivot - step) % others]) for step in range(1, half)
    ]
    return [
        tuple(number for number in (pair[::-1] if repetition % 2 else pair) if number is not None)
        for pair in pairs
    ]
