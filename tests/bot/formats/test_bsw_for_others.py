"""Logs for other programs: position of the Phoenix, and player names of one word."""

from __future__ import annotations

from itertools import repeat

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.formats.bsw_cards import CARD_WORDS, read_handle, write_handles
from bot.formats.bsw_check import check
from bot.formats.bsw_read import read_log
from bot.formats.bsw_write import laid_words, write_log
from engine import PHOENIX, Options, Played, rank_of, read_play, readings
from tests.bot.formats.test_peculiar_logs import fitting
from tests.campaign import CHARACTERS, examples

ODD_NAMES = (
    "Computer 1",
    "Ada (1) B",
    "Ben passt.",
    "C: S8 - D",
    "[Dan]",
    "8 ball",
    "-",
    "Ada gibt: - ",
    "🐉",
    "שלום",
    "\u202eevil\u202c",
    "à\x85…",
    "Lucky\xa0Luke",
    "a+b %20 _c_",
    "Jörg",
    "李",
    "",
)


@pytest.mark.parametrize(
    "play, words",
    [
        ("J6,P6,PHOENIX=6,J4,S4", "Ph G6 B6 G4 S4"),
        ("J6,P6,PHOENIX=4,J4,S4", "G6 B6 Ph G4 S4"),
        ("J6,P6,S6,PHOENIX=4,S4", "G6 S6 B6 Ph S4"),
        ("JK,PHOENIX=K", "Ph GK"),
        ("JK,SK,PHOENIX=K", "Ph GK SK"),
        ("S9,J9,P8,PHOENIX=8,S7,J7", "G9 S9 Ph B8 G7 S7"),
        ("JA,TK,PHOENIX=Q,SJ,P10", "GA RK Ph SB B10"),
        ("PHOENIX=Q,SJ,P10,S9,S8", "Ph SB B10 S9 S8"),
        ("TJ,P10,S9,S8,PHOENIX=7", "RB B10 S9 S8 Ph"),
    ],
)
def test_phoenix_precedes_the_cards_of_its_rank(play: str, words: str) -> None:
    cards, phoenix = read_play(play)
    combination = next(each for each in readings(cards) if each.phoenix == phoenix)
    assert laid_words(combination).split() == words.split()


@pytest.mark.slow
def test_card_after_the_phoenix_gives_its_rank() -> None:
    """Only if the play holds a card of this rank, because other programs read it so."""
    ranks = {word: rank_of(card) for card, word in CARD_WORDS.items() if card < 52}
    seen = 0
    for played in fitting():
        for position in played.positions:
            for event in position.events:
                if not isinstance(event, Played) or not event.combination.phoenix:
                    continue
                rank = event.combination.phoenix[0]
                words = laid_words(event.combination).split()
                if rank in (ranks.get(word) for word in words):
                    seen += 1
                    assert ranks[words[words.index(CARD_WORDS[PHOENIX]) + 1]] == rank
    assert seen > 5


@pytest.mark.parametrize("name", ODD_NAMES)
def test_name_becomes_one_plain_word_and_is_read_back(name: str) -> None:
    (handle,) = write_handles([name])
    assert handle.isascii()
    assert handle.isprintable()
    assert not set(handle) & set(" :()[]{}\"',;/\\")
    assert read_handle(handle) == " ".join(name.split())


@examples(25)
@given(
    st.lists(st.text(CHARACTERS, max_size=8) | st.sampled_from(ODD_NAMES), min_size=4, max_size=4)
)
def test_names_at_a_table_are_distinct(names: list[str]) -> None:
    handles = write_handles(names)
    assert len({*handles}) == 4
    assert "" not in handles
    assert [read_handle(handle) for handle in handles] == [" ".join(name.split()) for name in names]


@pytest.mark.parametrize("place", range(0, len(ODD_NAMES), 4))
def test_reads_a_log_with_odd_names(place: int) -> None:
    names = (*ODD_NAMES, "Alex", "Alex", "Alex")[place : place + 4]
    rounds = fitting()[:3]
    logged = read_log(write_log(Options(), rounds, repeat(names, 3)))
    assert (check(logged).good, logged.notes) == (3, [])
    assert logged.rounds[2].names == [" ".join(name.split()) for name in names]


@pytest.mark.parametrize(
    "names", [("Ada (1) B", "Ben passt.", "C: S8 - D", "[Dan]"), ODD_NAMES[:4]]
)
def test_reads_names_with_blanks_and_punctuation(names: tuple[str, ...]) -> None:
    text = write_log(Options(), fitting()[:3], repeat(("a0", "a1", "a2", "a3"), 3))
    for seat, name in enumerate(names):
        text = text.replace(f"a{seat}", name)
    logged = read_log(text)
    assert (check(logged).good, logged.notes) == (3, [])
    assert logged.rounds[0].names == list(names)
