"""BrettspielWelt logs that we write can be read again and agree with the engine.

The rounds are random.
"""

from __future__ import annotations

import random
import re
from itertools import count, repeat

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.formats.bsw_cards import (
    CARD_WORDS,
    RANK_WORDS,
    read_card_words,
    read_rank_word,
    write_handles,
)
from bot.formats.bsw_check import check, check_round
from bot.formats.bsw_read import read_log
from bot.formats.bsw_write import can_be_written, write_log
from bot.history.played_round import PlayedRound
from engine import DECK_SIZE, Options, card_text
from tests.bot.stored_rounds import rounds_of
from tests.campaign import SOAK, examples, sample

NAMES = ("Ada (1) B", "Ben passt.", "C: S8 - D", "[Dan]")


def fitting(seed: int) -> tuple[Options, list[PlayedRound]]:
    """Return random rounds of Nanjing that a log can hold: none that ends with a missed wish."""
    options, rounds = rounds_of(seed, 3 if SOAK else 2)
    return options, [played for played in rounds if can_be_written(options, [played])]


@examples(6)
@given(seed=st.integers(0, 10**9))
def test_random_rounds_are_read_back(seed: int) -> None:
    options, rounds = fitting(seed)
    text = write_log(options, rounds, repeat(NAMES, len(rounds)))
    if not rounds:
        assert text == ""
        return
    logged = read_log(text)
    assert check(logged).good == len(rounds)
    for played, told in zip(rounds, logged.rounds, strict=True):
        assert played.result.score in {match.results[-1].score for match in check_round(told)}
        assert told.names == [NAMES[seat] for seat in in_order(options)]


def test_names_may_change_in_each_round() -> None:
    options, rounds = next(
        (options, rounds) for options, rounds in map(fitting, range(100)) if len(rounds) > 1
    )
    names = [NAMES[::step] for step in (1, -1, 1)[: len(rounds)]]
    logged = read_log(write_log(options, rounds, names))
    assert [told.names for told in logged.rounds] == [
        [called[seat] for seat in in_order(options)] for called in names
    ]
    assert check(logged).good == len(rounds)


def in_order(options: Options) -> tuple[int, ...]:
    """Return our seats in the order of their numbers in the log."""
    return (0, 3, 2, 1) if options.clockwise else (0, 1, 2, 3)


def fitting_from(seed: int) -> tuple[Options, list[PlayedRound]]:
    """Return the first rounds of `fitting` from this seed on, at least one."""
    matches = (fitting(later) for later in count(1000 * seed))
    return next((options, rounds) for options, rounds in matches if rounds)


def changed(options: Options, text: str, rng: random.Random) -> str:
    """Return the log with one play, pass or result changed."""
    lines = text.split("\n")
    form = re.compile(r"\(\d\).*: [\w ]+|Ergebnis.*|.* passt\.")
    place = rng.choice([place for place, line in enumerate(lines) if form.fullmatch(line)])
    line = lines[place]
    if line.startswith("Ergebnis"):
        lines[place] = "Ergebnis: 75 - 30"
    elif line.endswith(" passt."):
        seat = (int(line[1]) + 1) % 4
        lines[place] = f"({seat}){write_handles(NAMES)[in_order(options)[seat]]} passt."
    else:
        lines[place] = line + "Dr "
    return "\n".join(lines)


@pytest.mark.parametrize("seed", sample(range(40), 4))
def test_detects_a_changed_log(seed: int) -> None:
    options, rounds = fitting_from(seed)
    text = write_log(options, rounds, repeat(NAMES, len(rounds)))
    assert check(read_log(text)).good == len(rounds)
    checked = check(read_log(changed(options, text, random.Random(seed))))
    assert len(checked.wrong) == 1
    assert checked.good == len(rounds) - 1


def test_every_card_and_rank_has_a_word() -> None:
    assert sorted(CARD_WORDS) == list(range(DECK_SIZE))
    for card, word in CARD_WORDS.items():
        assert read_card_words([word]) == 1 << card
    for rank, word in RANK_WORDS.items():
        assert read_rank_word(word) == rank
    words = {card_text(card): word for card, word in CARD_WORDS.items()}
    assert [words[card] for card in ("J2", "SJ", "PQ", "TK", "JA", "T10")] == [
        "G2",
        "SB",
        "BD",
        "RK",
        "GA",
        "R10",
    ]
    assert [words[card] for card in ("MAHJONG", "DOG", "PHOENIX", "DRAGON")] == [
        "Ma",
        "Hu",
        "Ph",
        "Dr",
    ]


def test_refuses_other_games_and_missed_wishes() -> None:
    options, rounds = rounds_of(1, 1, "trichu")
    assert not can_be_written(options, rounds)
    matches = (rounds_of(seed, 3) for seed in range(100))
    missed = next(
        (options, rounds)
        for options, rounds in matches
        if any(played.result.penalty is not None for played in rounds)
    )
    assert not can_be_written(*missed)
