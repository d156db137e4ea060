"""Tournaments: same cards for both sides, same result in parallel, results from a file."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from bench.contestants import contestant
from bench.duplicate import Board, Played, for_dealer, lineups, play_board, start
from bench.figures import compare
from bench.rounds import RandomPlayer, shuffled
from bench.tournament import Results, Tournament, _code, main, play, played_by, report
from engine import Action, CallTichu, Options, Phase, View, deal, new_match

GAMES = {
    "nanjing": Options(),
    "trichu": Options(variant="trichu"),
    "tientsin": Options(variant="tientsin"),
    "grand seigneur, 5": Options(variant="grandseigneur", players=5),
    "grand seigneur, 8": Options(variant="grandseigneur", players=8),
}
every_game = pytest.mark.parametrize("options", GAMES.values(), ids=GAMES)

Seen = tuple[int, int, int]
"""A round, a seat and the first cards in its hand."""


class Witness:
    """A random player that records the first hand it sees in each round."""

    seen: list[set[Seen]]

    def __init__(self) -> None:
        self.mine: set[Seen] = set()
        Witness.seen.append(self.mine)

    def choose(self, view: View, rng: random.Random) -> Action | None:
        assert view.seat is not None
        if view.phase in (Phase.GRAND, Phase.EXCHANGE) and view.given is None:
            self.mine.add((view.number, view.seat, view.hand.cards))
        return RandomPlayer().choose(view, rng)


@every_game
def test_swapped_sides_get_the_same_cards(
    options: Options, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both players get the same hands at the same seats."""
    monkeypatch.setattr(Witness, "seen", [], raising=False)
    name = f"{__name__}.Witness"
    rounds = play_board(Board(options, (name, name), 1, 5, matches=False)).rounds
    first, second = Witness.seen
    assert first
    assert first == second
    assert len(rounds) == 2
    numbers = {number for number, _, _ in first}
    assert len(numbers) == 1


@pytest.mark.parametrize("game", ["nanjing", "tientsin"])
def test_in_a_match_a_seat_gets_the_same_cards_under_any_dealer(game: str) -> None:
    options = GAMES[game]
    dealt = []
    for dealer in range(new_match(options).variant.chair_count(options)):
        match = new_match(options, dealer)
        match, _ = deal(match, for_dealer(match, shuffled(match, random.Random(1))))
        assert match.round is not None
        dealt.append([hand.cards for hand in match.round.hands])
    assert all(hands == dealt[0] for hands in dealt)


def test_rounds_of_swapped_matches_have_the_same_cards(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Witness, "seen", [], raising=False)
    name = f"{__name__}.Witness"
    played = play_board(Board(Options(target=300), (name, name), 1, 2, matches=True))
    longest = [max(r.number for r in played.rounds if r.lineup == side) for side in (0, 1)]
    both = min(longest)
    assert both > 1
    first, second = ({seen for seen in mine if seen[0] <= both} for mine in Witness.seen)
    assert {number for number, _, _ in first} == set(range(1, both + 1))
    eight = [{(n, s, c) for n, s, c in mine if c.bit_count() == 8} for mine in (first, second)]
    assert eight[0] == eight[1]


def test_lineups_give_both_players_the_same_seats() -> None:
    def all_of(options: Options, *, matches: bool) -> list[tuple[int, ...]]:
        board = Board(options, ("novice", "random"), 1, 0, matches)
        return list(lineups(start(board, 1), matches=matches))

    for matches in (False, True):
        assert all_of(Options(), matches=matches) == [(0, 1, 0, 1), (1, 0, 1, 0)]
    assert all_of(GAMES["tientsin"], matches=False) == [(0, 1) * 3, (1, 0) * 3]
    assert all_of(GAMES["trichu"], matches=False) == [(1, 0, 1), (0, 1, 0)]
    six = {(0, 0, 1), (0, 1, 0), (1, 0, 0), (1, 1, 0), (1, 0, 1), (0, 1, 1)}
    assert set(all_of(GAMES["trichu"], matches=True)) == six
    assert all_of(GAMES["grand seigneur, 5"], matches=False) == [
        (0, 1) * 2 + (0,),
        (1, 0) * 2 + (1,),
    ]


def untimed(results: Results) -> dict[object, object]:
    return {
        pair: {number: played[:2] for number, played in boards.items()}
        for pair, boards in results.items()
    }


@every_game
def test_a_player_against_itself_makes_no_difference(options: Options) -> None:
    results = played_by(Tournament(options, ("novice",), 2))
    margin = compare(results["novice", "novice"]).margin
    assert margin.value == pytest.approx(0)


def test_in_parallel_as_one_after_another() -> None:
    tournament = Tournament(Options(target=200), ("novice", "random"), 2, matches=True, seed=7)
    results: Results = {pair: {} for pair in tournament.pairs}
    assert len(list(play(tournament, results, 2))) == 2
    assert untimed(results) == untimed(played_by(tournament))
    other = played_by(tournament._replace(seed=8))
    assert untimed(results) != untimed(other)


def test_every_two_players_meet_and_the_better_one_wins() -> None:
    results = played_by(Tournament(Options(), ("novice", "random", f"{__name__}.Passive"), 4))
    assert len(results) == 3
    novice = compare(results["novice", "random"])
    assert novice.margin.low > 0
    assert novice.rounds == 2 * novice.deals == 8
    assert novice.sides[0].times is not None
    for played in results["novice", "random"].values():  # two seats in each of the two rounds
        assert [len(times) for times in played.exchanges] == [4, 4]


class Passive(RandomPlayer):
    """The random player under another name."""


class Bold(RandomPlayer):
    """A player that calls a Tichu before its first play with any hand."""

    def choose(self, view: View, rng: random.Random) -> Action | None:
        assert view.seat is not None
        call = CallTichu(view.seat)
        return call if call in view.actions else super().choose(view, rng)


def test_calls_over_a_call_are_told_apart() -> None:
    """Of four calls in turn, only the first has no earlier call of an opponent."""
    name = f"{__name__}.{Bold.__name__}"
    played = play_board(Board(Options(), (name, name), 1, 0, matches=False))
    for round_ in played.rounds:
        assert sorted(call.over for call in round_.calls) == [False, True, True, True]
        assert sum(call.made for call in round_.calls) == 1
    tournament = Tournament(Options(), (name, "random"), 1)
    told = "\n".join(report(tournament, {(name, "random"): {0: played}}))
    assert "Tichu uncontested: " in told
    assert "; 0.500 a team and round" in told
    assert "Grand Tichu: never" in told
    assert "double victories in " in told
    assert "ms of processor time, 99 % at most " in told


def test_matches_are_won_by_the_better_player() -> None:
    results = played_by(Tournament(Options(target=300), ("novice", "random"), 2, matches=True))
    found = compare(results["novice", "random"])
    assert found.won is not None
    assert (found.matches, found.won.value) == (4, 1.0)
    trichu = Options(variant="trichu", rounds=3)
    results = played_by(Tournament(trichu, ("novice", "random"), 1, matches=True))
    found = compare(results["novice", "random"])
    assert found.won is not None
    assert (found.matches, found.rounds, found.deals) == (6, 18, 3)
    assert found.won.value > 0.7


# --- The command


def test_command_goes_on_from_its_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "results.json"
    few = ["novice", "random", "--workers", "1", "--json", str(file)]
    assert main([*few, "--deals", "2"]) == 0
    assert "4 rounds in" in capsys.readouterr().out
    cut_off = file.read_text()[:-20]
    file.write_text(cut_off)
    assert main([*few, "--deals", "3"]) == 0
    told = capsys.readouterr().out
    assert "4 rounds in" in told  # one board was lost, one is new
    assert "(6 rounds on 3 deals)" in told
    assert len(file.read_text().splitlines()) == 4
    with pytest.raises(SystemExit):
        main([*few, "--seed", "2"])
    assert "holds another tournament" in capsys.readouterr().err
    file.write_text(file.read_text().replace(_code(), "0" * 16))
    with pytest.raises(SystemExit):
        main([*few, "--deals", "3"])
    assert "other code" in capsys.readouterr().err


def test_command_prints_what_there_is_when_it_is_stopped(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def stopped(board: Board) -> Played:
        if board.number == 2:
            raise KeyboardInterrupt
        return play_board(board)

    monkeypatch.setattr("bench.tournament.play_board", stopped)
    assert main(["novice", "random", "--workers", "1", "--every", "0"]) == 0
    told = capsys.readouterr().out
    assert "(2 rounds on 1 deals)" in told
    assert "Stopped" in told
    assert told.count("(4 rounds on 2 deals)") == 2


@pytest.mark.parametrize(
    "arguments, why",
    [
        (["novice", "random", "--workers", "0"], "--workers must be at least 1"),
        (["novice", "random", "--deals", "0"], "--deals must be at least 1"),
        (["novice", "expert@nowhere:9"], "there is no commit 'nowhere'"),
        (["novice", "nobody"], "there is no player 'nobody', but random, novice, regular"),
        (["novice", "random:3"], "this player has no settings, hence no '3'"),
        (["novice", "novice"], "name different players, or one to play against itself"),
        (["novice", "random", "--option", "target=7"], "target"),
        (["novice", "random", "--game", "grandseigneur", "--matches", "1"], "no points"),
    ],
)
def test_command_says_what_is_wrong(
    arguments: list[str], why: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        main(arguments)
    assert why in capsys.readouterr().err


def test_contestants_have_settings() -> None:
    player = contestant("expert:0.05")
    assert getattr(player, "seconds", None) == 0.05
