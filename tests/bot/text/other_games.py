"""Tables of Trichu, Tientsin and Grand Seigneur, for tests of texts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import timedelta

from bot.ids import MessageId
from bot.table.details import Hold, MessageIds
from bot.table.options import TableOptions
from bot.table.state import Game, Lobby, window_id
from engine import Match, Options, deal
from tests.bot.positions import TIENTSIN, TRICHU, begun, declined, lords, passed, played, position
from tests.bot.states import NAMES, NOON, chairs, state
from tests.campaign import SOAK

RANKS = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"]
BOMBS = ((0, "S"), (1, "T"), (2, "P"))
DRAWN = Options(variant="trichu", dealing="drawn")
SIZES = (5, 6, 9, 12) if SOAK else (5, 12)
SOON = {"deadlines": dict.fromkeys(("next_round", "window"), NOON + timedelta(seconds=20))}


def named(names: Sequence[str], count: int) -> list[str]:
    """Return `count` names, repeating these if necessary."""
    return [names[place % len(names)] for place in range(count)]


def other_lobbies(names: Sequence[str] = NAMES) -> Iterator[Lobby]:
    """Yield lobbies of the three games: nearly empty, sufficient, full."""
    games = [
        TableOptions(rules=Options(variant="trichu")),
        TableOptions(rules=Options(variant="tientsin", dealing="drawn"), pace="quick"),
        TableOptions(rules=Options(variant="grandseigneur")),
        TableOptions(
            rules=Options(variant="grandseigneur", decks=2, rounds=1, direction="clockwise")
        ),
    ]
    for options in games:
        people = named(names, options.lobby_chairs)
        for taken in {1, 2, 4, 5, len(people) - 1, len(people)}:
            computers = (1,) if taken > 1 else ()
            seats = chairs(people, empty=range(taken, len(people)), computers=computers)
            yield state(options=options, chairs=seats)


def other_moments(names: Sequence[str] = NAMES) -> Iterator[Game]:
    """Yield tables of the three games in the states that matter to their pages."""
    yield from _trichu(names)
    for match in _tientsin():
        yield state(match, chairs=chairs(named(names, 6), computers=(5,)))
    window = position(TIENTSIN, "WINDOW 1", trick="0 S8,P8", hands={1: "S9 P9 S4"})
    yield state(window, chairs=chairs(named(names, 6)), details={"premoves": {1: "play:S9,P9"}})
    held = state(window, chairs=chairs(named(names, 6)), details=SOON)
    assert held.match.round is not None
    hold = Hold(chair=1, window=window_id(held.match.round))
    yield replace(held, notes=replace(held.notes, hold=hold))
    passes = " | ".join(f"{seat} pass" for seat in range(1, 6))
    won = position(TIENTSIN, "CLOSING 0", trick=f"0 S8 | {passes}", hands={0: "DOG S4"})
    yield state(won, chairs=chairs(named(names, 6)), details={"premoves": {0: "play:DOG to=2"}})
    for players in SIZES:
        yield from _lords(players, names)


def _trichu(names: Sequence[str]) -> Iterator[Game]:
    """Yield tables of Trichu; the dealer (seat 0) plays for the Table (seat 3)."""
    people = chairs(named(names, 3), computers=(1,))
    for match in _trichu_matches():
        yield state(match, chairs=people, messages=MessageIds(table=MessageId(1)))
    yield state(begun(DRAWN), chairs=people)
    for dealer in (1, 2):
        yield state(passed(declined(begun(TRICHU, dealer=dealer))), chairs=people)
    bombs = "S4 P4 J4 T4", "S6 P6 J6 T6 S5"
    window = position(TRICHU, "WINDOW 3", trick="1 S2", hands={3: bombs[0], 0: bombs[1]})
    kept = {"premoves": {3: "play:S4"}, "auto_pass": (0,), "dropped": (0,)}
    yield state(window, chairs=people)
    yield state(window, chairs=people, details=kept)
    other = {"premoves": {3: "pass"}, "auto_pass": (0, 3), "dropped": (3,)}
    yield state(window, chairs=people, details=other)
    sealed = "submitted 3 " + bombs[0].replace(" ", ",")
    yield state(
        position(TRICHU, "WINDOW 2", sealed, trick="1 S2", hands={3: bombs[0]}), chairs=people
    )
    end = _trichu_ended()
    yield state(end, chairs=people, details=SOON)
    for winners in ((0, 3), (1,)):
        last = end._replace(results=end.results * 3, winners=winners)
        yield state(last, chairs=people, status="finished")


def _trichu_matches() -> Iterator[Match]:
    yield begun(TRICHU)
    exchange = declined(begun(TRICHU))
    yield exchange
    yield passed(exchange, 3)
    yield passed(exchange, 0)
    yield played(exchange, "0 tichu", "3 tichu:same")
    yield passed(exchange)
    hands = {3: "MAHJONG S3 S4 S5 S6 S7 P7 T7 J7", 0: "S9 P9 T9 J9 T2"}
    yield position(TRICHU, "LEAD 3", hands=hands)
    yield position(TRICHU, "LEAD 0", hands={0: "MAHJONG DOG S3", 3: "DRAGON PHOENIX S2"})
    yield position(TRICHU, "TURN 3", "wish 9", trick="1 S8", hands=hands)
    yield position(TRICHU, "GIFT 3", trick="3 DRAGON | 1 pass | 0 pass | 2 pass")
    yield position(TRICHU, "TURN 0", trick="2 S8", hands={3: "", 0: hands[0]}, out=(3,))
    yield position(TRICHU, "TURN 3", trick="2 S8", hands={3: hands[3]}, out=(0,))
    for held in ("J9", "J2"):
        yield position(TRICHU, "TURN 3", trick="0 S8", hands={3: held})


def _trichu_ended() -> Match:
    """Return a round in which the Table is out first with its call, and its dealer second."""
    calls = "calls - grand - tichu"
    hands = {0: "S9", 1: "S2 S3", 2: "P2"}
    last = position(TRICHU, "LEAD 0", calls, hands=hands, out=(3,))
    return played(last, "0 play:S9")


def _tientsin() -> Iterator[Match]:
    yield begun(TIENTSIN)
    exchange = declined(begun(TIENTSIN))
    yield exchange
    yield passed(exchange)
    yield position(TIENTSIN, "LEAD 0", hands={0: "DOG MAHJONG S3"})
    yield position(TIENTSIN, "LEAD 0", hands={0: "DOG S3"}, out=(2,))
    yield position(TIENTSIN, "LEAD 1", "past 0 DOG => -1 > 4")
    gift = "0 DRAGON | 1 pass | 2 pass | 3 pass | 4 pass | 5 pass"
    yield position(TIENTSIN, "GIFT 0", trick=gift)
    yield position(TIENTSIN, "TURN 5", trick="4 S8", out=(1, 0, 3, 2))
    calls = "calls tichu - grand - - tichu"
    yield played(position(TIENTSIN, "LEAD 4", calls, hands={4: "S9"}, out=(0, 2)), "4 play:S9")


def _lords(players: int, names: Sequence[str]) -> Iterator[Game]:
    """Yield first and later rounds to the end, with one and with two decks."""
    people = chairs(named(names, players), computers=(1,))
    ranks = (*range(2, players), 0, 1)
    for decks in (0, 2) if players < 7 else (0,):
        game = lords(players, decks)
        yield state(begun(game), chairs=people)
        exchange = begun(game, ranks=ranks)
        yield state(exchange, chairs=people)
        yield state(passed(exchange, *ranks[-2:]), chairs=people)
        yield state(passed(exchange), chairs=people)
        laid = position(game, f"TURN {ranks[-2]}", trick=f"{ranks[-1]} S8,P8", ranks=ranks)
        yield state(laid, chairs=people)
        few = position(game, "TURN 0", trick="1 S8", out=ranks[:-2], ranks=ranks)
        yield state(few, chairs=people)
        end = played(
            position(game, "LEAD 0", hands={0: "S8", 1: "S9"}, out=ranks[:-2]), "0 play:S8"
        )
        yield state(end, chairs=people, details=SOON | {"last_round": True})
        yield state(end, chairs=people, details={"paused": True})
        yield state(played(end, "clock stop"), chairs=people, status="finished")
        yield state(deal(end, end.variant.deck(game))[0], chairs=people)


def largest_tables(names: Sequence[str] = NAMES) -> Iterator[Game]:
    """Yield the longest tables of Grand Seigneur: many long plays and many cards left."""
    ranks = range(12)
    straights = [
        ",".join(suit + rank for suit, rank in zip("JSPTJSPTJ", RANKS[low : low + 9], strict=True))
        for low in range(4)
    ]
    bombs = [",".join(f"{suit}{rank}#2" for rank in RANKS[low : low + 9]) for low, suit in BOMBS]
    trick = " | ".join(f"{seat} {cards}" for seat, cards in enumerate(straights + bombs))
    past = f"past {trick} | 7 pass | 8 pass | 9 pass | 10 pass | 11 pass => 6"
    for match in (
        position(lords(12), "WINDOW 7", trick=trick, ranks=ranks),
        position(lords(12), "WINDOW 5", trick=trick.rpartition(" | 5")[0], ranks=ranks),
        position(lords(12), "LEAD 6", *[past] * 9, ranks=ranks),
    ):
        yield state(match, chairs=chairs(named(names, 12), computers=range(1, 12)))
    lead = begun(lords(7), ranks=range(7))
    yield state(passed(lead), chairs=chairs(named(names, 7), computers=range(1, 7)))
