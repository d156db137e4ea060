"""Sample tables for pictures: every game, every phase, and difficult cases."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from random import Random

from bench.walks import random_action, random_deck
from bot.art.emojis import Emojis
from bot.pictures.table.contents import table_scene
from bot.pictures.table.scene import TableScene
from bot.table.options import TableOptions
from bot.table.state import Game, Lobby
from bot.text import speech
from bot.text.cards import Speaker
from engine import Match, Options, Phase, apply, deal, new_match
from tests.bot.positions import TIENTSIN, TRICHU, begun, declined, lords, passed, position
from tests.bot.states import chairs, state

WORDS = Speaker(speech("en"), Emojis.plain())
LONG = (
    *("Christopher Alexander Wolfeschlegel", "Maximiliana von Hohenzollern-Sigm"),
    *("WWWWWWWWWWWWWWWWWWWWWWWWWWWWWWWW", "Ελευθερία Παπαδοπούλου-Οικονόμου"),
    *("Александра Константиновна Рождес", "a very very long name indeed 1234"),
    *("a very very long name indeed 5678", "Bartholomew the Magnificent (old)"),
    *("iiiiiiiiiiiiiiiiiiiiiiiiiiiiiiii", "The quick brown fox jumps over it"),
    *("Łukasz Brzęczyszczykiewicz, Łódź", "Ngô Đình Nguyễn Thị Hương Giang"),
)
"""Names of about 32 characters."""
STRANGE = (
    "田中太郎",
    "محمد علي",
    "😀🎴",
    "\u202eש\u0301לום\u200d",
    "Zoë🔥",
    "\u0000",
    "มานี",
    "𝓐𝓭𝓪",
)
"""Names for which the fonts have no glyphs or only some."""
NANJING, LORDS = Options(target=1000), Options(variant="grandseigneur")
SIX = ("Ada", "Ben", "Cleo", "Lin", "Eve", "Bao")


def scene(of: Game | Lobby) -> TableScene:
    """Return the scene of a table in English."""
    return table_scene(of, WORDS)


def lobby(options: Options, taken: Sequence[str], computers: Sequence[int] = ()) -> Lobby:
    """Return a lobby in which these people are seated."""
    table = TableOptions(rules=options)
    number = table.lobby_chairs
    names = [*taken, *[""] * (number - len(taken))]
    empty = range(len(taken), number)
    return state(options=table, chairs=chairs(names, computers=computers, empty=empty))


def game(
    match: Match, names: Sequence[str] = (), computers: Sequence[int] = (), away: Sequence[int] = ()
) -> Game:
    """Return a table with this match and people of these names."""
    seated: Mapping[str, object] = {"chairs": chairs(names, computers=computers)} if names else {}
    return state(match, details={"away": list(away)}, **seated)


def walked(options: Options, steps: int, seed: int) -> Match:
    """Return a match after `steps` random actions, or when it is over."""
    rng = Random(seed)
    match = new_match(options, rng.randrange(3))
    for _ in range(steps):
        if match.phase is Phase.MATCH_END:
            break
        if match.round is None or match.phase is Phase.ROUND_END:
            match = deal(match, random_deck(match, rng))[0]
        else:
            match = apply(match, random_action(match, rng))[0]
    return match


def until(options: Options, phase: Phase, seed: int) -> Match:
    """Return a random match that has just reached a phase."""
    rng = Random(seed)
    match = new_match(options, 0)
    while match.round is None or match.phase is not phase:
        if match.round is None or match.phase is Phase.ROUND_END:
            match = deal(match, random_deck(match, rng))[0]
        else:
            match = apply(match, random_action(match, rng))[0]
    return match


FOUR = ("Ada", "Ben", "Cleo", "Lin")
SCORES = ("round 3 dealer 0", "totals 240 310")
HANDS = {0: "J2 S3 P4 T5 J6 S7 P8 T9", 1: "J3 S4 P5 T6 J7 S8 P9 T10 JJ SQ PK"}


def _trick() -> Game:
    match = position(
        NANJING,
        "TURN 1",
        *SCORES,
        "calls - - tichu -",
        "wish 8",
        hands=HANDS | {2: "J9 S10 PJ TQ JK", 3: "S2 P3 T4 J5 S6 P7 T8 J10 SJ"},
        trick="0 J4,S5,P6,T7,J8 | 1 pass | 2 S9,P10,TJ,JQ,SK",
    )
    return game(match, FOUR, computers=[3])


def _bomb() -> Game:
    match = position(
        NANJING,
        "TURN 3",
        *SCORES,
        "calls grand - - tichu",
        trick="0 J4,S4 | 1 pass | 2 J2,S2,P2,T2",
        out=(1,),
    )
    return game(match, FOUR, computers=[3], away=[0])


def _gift() -> Game:
    match = position(NANJING, "GIFT 1", *SCORES, trick="0 JA | 1 DRAGON | 2 pass | 3 pass | 0 pass")
    return game(match, FOUR)


def trichu(phase: str, trick: str, dealer: int = 1) -> Game:
    """Return a trick in the second round of Trichu, with a Tichu of seat 1."""
    match = position(
        TRICHU,
        phase,
        f"round 2 dealer {dealer}",
        "order " + {0: "0 1 3 2", 1: "1 2 3 0", 2: "2 0 3 1"}[dealer],
        "teams " + {0: "0 1 1 0", 1: "1 0 1 0", 2: "1 1 0 0"}[dealer],
        "totals 75 -25 240 160",
        "calls - tichu - -",
        hands={3: "J2 S2 P3 T4 J6 S6 P7 T9 J10 SQ PK TA PHOENIX", 0: "J3 S4 P5", 1: "S3 T5 P6"},
        trick=trick,
    )
    return game(match, ("Ada", "Ben", "Cleo"), away=[0])


def _six(trick: str, phase: str, *lines: str, out: Sequence[int] = ()) -> Game:
    match = position(TIENTSIN, phase, "totals -50 1250", *lines, trick=trick, out=out)
    return game(match, SIX, computers=[3, 5])


def _lords(
    players: int,
    phase: str,
    trick: str,
    ranks: Sequence[int],
    names: Sequence[str] = (),
    *lines: str,
    **more: Sequence[int],
) -> Game:
    out = more.get("out", ())
    match = position(lords(players), phase, *lines, trick=trick, ranks=ranks, out=out)
    if ranks:
        match = begun_second(match, ranks)
    return game(match, names, away=more.get("away", ()), computers=more.get("computers", ()))


def begun_second(match: Match, ranks: Sequence[int]) -> Match:
    """Return the same position in the second round, with seats in the order of their ranks."""
    assert match.round is not None
    order = tuple(reversed(ranks))
    seating = match.round.seating._replace(order=order)
    return match.with_round(match.round._replace(number=2, seating=seating, dealer=order[0]))


def _sweep() -> Game:
    match = until(TIENTSIN, Phase.ROUND_END, 2)
    result = match.results[-1]._replace(sweep=True, score=(300, 0), totals=(300, 0))
    return game(match._replace(results=(result,), totals=(300, 0)), SIX)


TWELVE = tuple((7 * n + 3) % 12 for n in range(12))
EIGHT = (3, 5, 0, 7, 1, 2, 6, 4)
STAIRS = "0 J8,S8,P9,T9 | 1 J10,S10,PJ,TJ"
CLOSING = "0 J8 | 1 pass | 2 SA | 3 pass | 0 pass | 1 pass"
SHORTER = "J3,S4,P5,T6,J7,S8,P9,T10,JJ,SQ,PK"
LONG_STRAIGHT = "J4,S5,P6,T7,J8,S9,P10,TJ,JQ,SK,PA"
TABLES: dict[str, Callable[[], Game | Lobby]] = {
    "lobby-4": lambda: lobby(NANJING, ("Ada", "Lin"), computers=[1]),
    "lobby-3": lambda: lobby(TRICHU, ("Ada", "Ben", "Cleo")),
    "lobby-6": lambda: lobby(TIENTSIN, ("Ada", "Ben", "Cleo", "Lin")),
    "lobby-12": lambda: lobby(LORDS, SIX),
    "grand-4": lambda: game(begun(NANJING), FOUR, computers=[3]),
    "exchange-4": lambda: game(passed(declined(begun(NANJING)), 0, 2), FOUR),
    "exchange-12": lambda: game(passed(begun(lords(12), ranks=TWELVE), TWELVE[0]), LONG),
    "lead-4": lambda: game(passed(declined(begun(NANJING))), FOUR),
    "trick-4": _trick,
    "long-names-4": lambda: game(_trick().match, LONG[:4], away=[1]),
    "bomb-4": _bomb,
    "gift-4": _gift,
    "closing-4": lambda: game(
        position(NANJING, "CLOSING 2", *SCORES, trick=CLOSING),
        FOUR,
    ),
    "dragon-4": lambda: game(
        position(NANJING, "CLOSING 1", *SCORES, trick="0 JA | 1 DRAGON | 2 pass | 3 pass | 0 pass"),
        LONG[4:8],
    ),
    "paused-4": lambda: _trick().with_timers(paused=True),
    "window-4": lambda: game(until(NANJING, Phase.WINDOW, 5), FOUR),
    "round-4": lambda: game(until(NANJING, Phase.ROUND_END, 3), FOUR),
    "match-4": lambda: game(until(Options(target=300), Phase.MATCH_END, 3), FOUR),
    "strange-4": lambda: game(_trick().match, STRANGE[:4]),
    "strange-4-too": lambda: game(_bomb().match, STRANGE[4:]),
    "trick-3": lambda: trichu("TURN 2", "0 J8,S8 | 1 T10,P10"),
    "table-on-turn-3": lambda: trichu("TURN 3", "2 S8"),
    "round-3": lambda: game(until(TRICHU, Phase.ROUND_END, 4), ("Ada", "Ben", "Cleo")),
    "match-3": lambda: game(until(TRICHU, Phase.MATCH_END, 4), ("Ada", "Ben", "Cleo")),
    "trick-6": lambda: _six(STAIRS, "TURN 2", "calls - grand - - tichu -"),
    "dog-6": lambda: _six("-", "LEAD 4", "wish K", out=(1,)),
    "round-6": lambda: game(until(TIENTSIN, Phase.ROUND_END, 2), SIX),
    "sweep-6": _sweep,
    "trick-5": lambda: _lords(5, "TURN 3", f"2 {LONG_STRAIGHT}", (), computers=[4]),
    "trick-8": lambda: _lords(8, "TURN 0", "6 J8,S8,J8#2 | 7 JK,SK,JK#2", EIGHT),
    "trick-9": lambda: _lords(9, "TURN 0", "7 J8 | 8 DRAGON", (*EIGHT, 8)),
    "bomb-12": lambda: _lords(
        12, "TURN 9", "7 J8 | 8 JK,SK,PK,TK", TWELVE, LONG, "wish 2", away=[1], computers=[2]
    ),
    "trick-12": lambda: _lords(
        12, "TURN 9", f"7 {SHORTER} | 8 {LONG_STRAIGHT}", TWELVE, LONG, away=[3, 9], computers=[2]
    ),
    "last-5": lambda: state(
        position(lords(5), "TURN 1", trick="0 J8"), details={"last_round": True}
    ),
    "round-12": lambda: game(until(lords(12), Phase.ROUND_END, 2), LONG),
}
"""Factories of sample tables by name."""


@cache
def sample(name: str) -> TableScene:
    """Return the scene of the table with this name."""
    return scene(TABLES[name]())
