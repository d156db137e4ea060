"""Text and JSON files hold a complete match: its rounds can be replayed from them."""

from __future__ import annotations

import dataclasses
import json
from functools import cache

import pytest

from bot import __version__
from bot.formats.game import Game
from bot.formats.json_rounds import write_document
from bot.formats.plain_text import HEADER, write_plain
from bot.ids import TableId
from bot.table.action_log import read_deal
from engine import VARIANTS, Match, Options, Phase, apply, deal, new_match, read_action, read_cards
from engine.fair_deal import FairDeal
from tests.bot.states import PEOPLE
from tests.bot.stored_rounds import rounds_of
from tests.campaign import sample


@cache
def a_game(variant: str, seed: int) -> Game:
    """Return the first rounds of a random match."""
    options, rounds = rounds_of(seed, 3, variant)
    seats = VARIANTS[variant].seat_count(options)
    names = (*PEOPLE, "Two\n words")[-seats:]
    return Game(TableId(7), options, (names,) * len(rounds), tuple(rounds))


def handed_over(game: Game) -> Game:
    """Return the same game with seat 1 handed over in the second round."""
    later = game.names[1]
    return dataclasses.replace(game, names=((later[0], "Eve", *later[2:]), *game.names[1:]))


def dealt(match: Match, text: str) -> Match:
    deck = read_deal(text)
    assert not isinstance(deck, FairDeal)
    return deal(match, deck)[0]


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("seed", sample(range(3), 1))
def test_document_can_be_replayed(variant: str, seed: int) -> None:
    game = a_game(variant, seed)
    told = json.loads(write_document(game))
    assert (told["format"], told["version"], told["table"]) == ("tichu-rounds", 1, 7)
    assert told["program"] == f"tichu-bot {__version__}"
    assert told["seats"] == list(game.names[-1])
    options = Options.from_values(told["variant"], told["options"])
    assert options == game.options
    match = new_match(options, told["rounds"][0]["dealer"])
    for round_, played in zip(told["rounds"], game.rounds, strict=True):
        match = dealt(match, round_["deal"])
        assert match.round is not None
        assert round_["order"] == list(match.round.seating.order)
        assert round_["teams"] == list(match.round.seating.teams)
        assert read_cards(" ".join(round_["leftOver"])) == match.round.opening.left_over
        for seat, hand in enumerate(round_["hands"]):
            first, whole = (read_cards(" ".join(hand[which])) for which in ("first", "all"))
            assert first == match.round.hands[seat].cards
            assert whole == first | match.round.opening.stock[seat]
        for action in round_["actions"]:
            match, _ = apply(match, read_action(action["seat"], action["action"]))
        result = round_["result"]
        assert match.results[-1] == played.result
        assert tuple(result["out"]) == played.result.out
        assert tuple(result["totals"]) == played.result.totals == match.totals
        assert result["penalty"] == played.result.penalty


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("seed", sample(range(3), 1))
def test_text_can_be_replayed(variant: str, seed: int) -> None:
    game = a_game(variant, seed)
    lines = write_plain(game).split("\n")
    assert lines[:2] == [HEADER, f"program tichu-bot {__version__}"]
    match: Match | None = None
    results = []
    options = game.options
    dealer = 0
    for line in lines[1:]:
        word, _, rest = line.partition(" ")
        if word == "variant":
            name, _, changed = rest.partition(" ")
            options = Options.from_values(name, json.loads(changed))
        elif word == "round":
            dealer = int(rest.split()[-1])
        elif word == "deal":
            match = dealt(match or new_match(options, dealer), rest)
        elif word.lstrip("-").isdigit():
            assert match is not None
            text, _, name = rest.partition("  # ")
            assert (name == "") == (int(word) < 0)
            match, _ = apply(match, read_action(int(word), text))
        elif word == "out":
            results.append(rest)
    assert match is not None
    assert match.phase in (Phase.ROUND_END, Phase.MATCH_END)
    assert match.results == tuple(played.result for played in game.rounds)
    assert results == [" ".join(map(str, result.out)) or "-" for result in match.results]


def test_line_breaks_in_names_are_removed() -> None:
    game = a_game("nanjing", 0)
    assert "seat 3 Two words\n" in write_plain(game)


def test_each_round_names_its_players() -> None:
    game = handed_over(a_game("nanjing", 0))
    first, second, *others = game.names
    assert len({first, second, *others}) == 2
    told = json.loads(write_document(game))
    assert [round_["seats"] for round_ in told["rounds"]] == [list(each) for each in game.names]
    assert told["seats"] == list(second)
    head, *rounds = write_plain(game).split("\n\n")
    assert [line for line in head.split("\n") if line.startswith("seat ")] == [
        f"seat {seat} {' '.join(name.split())}" for seat, name in enumerate(first)
    ]
    seats = [[line for line in round_.split("\n") if line.startswith("seat ")] for round_ in rounds]
    assert seats == [[], [f"seat 1 {second[1]}"], *([] for _ in others)]
    assert "  # Eve" in rounds[0]
    assert f"  # {second[1]}" not in rounds[0]
    assert "  # Eve" not in rounds[1]
    assert f"  # {second[1]}" in rounds[1]
