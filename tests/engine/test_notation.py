"""The text notation: reading, canonical writing, and errors for invalid texts."""

from __future__ import annotations

import re
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.walks import walk
from engine import (
    Action,
    IllegalAction,
    NotationError,
    Options,
    TichuError,
    apply,
    can,
    card_text,
    cards_text,
    read_action,
    read_card,
    read_cards,
    read_play,
    read_position,
    read_rank,
    write_action,
    write_position,
)
from engine.cards import write_play
from engine.position import HEADER
from tests.campaign import CHARACTERS, examples
from tests.cases import each
from tests.engine.positions import after, dealt, listed_actions, plays_of, table

DOCUMENT = Path(__file__).parents[2] / "docs" / "notation.md"
OFTEN = examples(40)


# --- what is read and written -------------------------------------------------------------------


def test_every_card_has_a_text() -> None:
    """N1: both decks."""
    texts = [card_text(card) for card in range(112)]
    assert len(set(texts)) == 112
    assert [read_card(text) for text in texts] == list(range(112))
    assert [read_card(text.lower()) for text in texts] == list(range(112))
    assert read_card("MJ") == read_card("MAHJONG")
    assert read_card("ph#2") == read_card("PHOENIX#2")
    assert read_card(" S8#1 ") == read_card("S8")


def test_cards_in_canonical_order() -> None:
    """By rank, then J S P T, special cards last."""
    cards = "DRAGON T2 JA S10 DOG J10 PHOENIX S2 MAHJONG J2"
    assert cards_text(read_cards(cards)) == "J2 S2 T2 J10 S10 JA MAHJONG DOG PHOENIX DRAGON"
    assert cards_text(read_cards("S2#2, S2 ,J3#2")) == "S2 S2#2 J3#2"
    assert cards_text(0) == ""


@each(
    "text, canonical",
    [
        ("P8, s8", "S8,P8"),
        ("J9 PHOENIX=9", "PHOENIX=9,J9"),
        ("PHOENIX=5,S3,P4,T6,J7", "S3,P4,PHOENIX=5,T6,J7"),
        ("SK,PHOENIX=10,JJ,JQ,JA", "PHOENIX=10,JJ,JQ,SK,JA"),
        ("T5,P4,S3,J2,MJ", "MAHJONG,J2,S3,P4,T5"),
        ("ph", "PHOENIX"),
    ],
)
def test_plays(text: str, canonical: str) -> None:
    """The Phoenix stands before the other cards of the rank it stands for."""
    assert write_play(*read_play(text)) == canonical
    assert read_play(canonical) == read_play(text)


@each(
    "text",
    [
        *("grand:yes", "grand:no", "withdraw:yes", "withdraw:no", "tichu", "tichu:same"),
        *("pass-cards:S2>1,P3>2,DRAGON>3", "play:S8,P8", "play:PHOENIX=9,S9", "play:PHOENIX"),
        *("play:MAHJONG wish=8", "play:MAHJONG,S2,P3,T4,PHOENIX=5 wish=A", "play:DOG to=2"),
        *("pass", "waive", "bomb:J3,S3,P3,T3", "give:2"),
    ],
)
def test_actions(text: str) -> None:
    """Each action is read and written the same."""
    assert write_action(read_action(0, text)) == text
    assert read_action(0, f" {text} ").seat == 0


def test_the_clock_speaks_for_itself() -> None:
    for text in ("close", "stop"):
        assert write_action(read_action(-1, text)) == text
        with pytest.raises(NotationError):
            read_action(0, text)


def test_exchanges_are_written_by_receiver() -> None:
    """N9."""
    action = read_action(0, "pass-cards:DRAGON>3, S2>1 ,P3>2")
    assert write_action(action) == "pass-cards:S2>1,P3>2,DRAGON>3"


def test_a_position_by_hand() -> None:
    """The example of the document: omitted lines are empty."""
    text = re.findall(r"```\n(.*?)```", DOCUMENT.read_text("utf-8"), flags=re.DOTALL)[-1]
    match = read_position(text)
    assert plays_of(match, "B") == ["play:P8"]
    assert plays_of(match, "C") == ["bomb:J3,S3,P3,T3"]
    assert plays_of(match, "D") == []
    assert read_position(f"# a comment\n{HEADER}\n\n{text}") == match


def test_the_document_names_every_action_and_line() -> None:
    """docs/notation.md is complete."""
    document = DOCUMENT.read_text("utf-8")
    for name in ("grand", "withdraw", "tichu", "pass-cards", "play", "bomb", "give", "pass"):
        assert f"`{name}" in document
    lines = {line.split()[0] for line in write_position(walk(7, 60).match).splitlines()[1:]}
    for name in lines:
        assert f"`{name} " in document, name


# --- bad texts ----------------------------------------------------------------------------------


@each(
    "text",
    ["", " ", "X8", "S1", "S11", "8", "S", "S8#3", "S8#", "S8#2#2", "JOKER", "S 8", "S8S9", "١"],
)
def test_texts_that_are_no_card(text: str) -> None:
    with pytest.raises(NotationError):
        read_card(text)


@each("text", ["", "1", "0", "11", "15", "DRAGON", "-2", "2.0"])
def test_texts_that_are_no_rank(text: str) -> None:
    with pytest.raises(NotationError):
        read_rank(text)


BAD_ACTIONS = [
    "",
    "hello",
    "pass:now",
    "pass now",
    "play",
    "play:",
    "play:S8,S8",
    "play:S8,X9",
    "play:S8=9",
    "play:DRAGON=9",
    "play:PHOENIX=1",
    "play:PHOENIX=",
    "play:S8 wish=1",
    "play:S8 wish=",
    "play:S8 to=",
    "play:S8 to=you",
    "play:MAHJONG wish=8 wish=9",
    "play:MAHJONG wish=8 to=1 wish=8",
    "play:DOG to=1 to=2",
    "play: wish=8",
    "play:S8 hello",
    "bomb:",
    "bomb:PHOENIX=3,S3",
    "give:",
    "give:me",
    "give:2.5",
    "pass-cards:",
    "pass-cards:S2",
    "pass-cards:S2>",
    "pass-cards:S2>me",
    "pass-cards:S2>1,S2>1",
    "pass-cards:S2>1,,P3>2",
    "grand",
    "grand:maybe",
    "withdraw:",
    "tichu:again",
    "close",
    "stop",
    "waive:please",
    "PLAY:S8",
]


@each("text", BAD_ACTIONS)
def test_texts_that_are_no_action(text: str) -> None:
    with pytest.raises(NotationError) as error:
        read_action(0, text)
    assert str(error.value)


CARDS = st.sampled_from(
    ["S8", "P8", "J10", "TA", "PHOENIX", "PHOENIX=9", "MAHJONG", "DOG", "DRAGON", "S8#2"]
)
WORDS = st.sampled_from(
    [
        *("grand", "withdraw", "tichu", "pass-cards", "play", "pass", "bomb", "waive", "close"),
        *("give", "stop", "yes", "no", "same", "wish=", "to=", ":", ",", ">", "=", "#", "8", "K"),
        *("A", "1", "0", "-1", "7", "99999999999999999999"),
    ]
)
NONSENSE = st.one_of(
    st.text(CHARACTERS, max_size=40),
    st.lists(st.one_of(WORDS, CARDS, st.just(" ")), max_size=9).map("".join),
    st.lists(CARDS, max_size=15).map(lambda cards: "play:" + ",".join(cards)),
)


HUGE = ["play:" + "S8," * 100_000, "give:" + "9" * 100_000, "pass-cards:S2>" + "9" * 100_000]
HUGE += ["9" * 1_000_000, "play:S8 wish=" + "A" * 100_000, "bomb:" + "é" * 100_000]


@each("text", HUGE)
def test_huge_texts_are_not_repeated(text: str) -> None:
    with pytest.raises(NotationError) as error:
        read_action(0, text)
    assert len(str(error.value)) < 400


@given(st.integers(-3, 9), NONSENSE)
@OFTEN
def test_nonsense_is_no_action_or_is_refused(seat: int, text: str) -> None:
    """Only `NotationError` is raised; every action that is read is accepted or refused."""
    try:
        action = read_action(seat, text)
    except NotationError:
        return
    assert read_action(action.seat, write_action(action)) == action
    _try(action)


POSITIONS = [
    dealt(),
    after(dealt(), "A grand:no", "B grand:no", "C grand:no", "D grand:no"),
    table("LEAD A", hands={"A": "S8 P8 MAHJONG PHOENIX DOG"}),
    table("TURN A", hands={"A": "S8 P8 MAHJONG PHOENIX DOG"}, trick="D S7"),
    table("WINDOW A", trick="D S7"),
    table("GIFT A", trick="A DRAGON | B pass | C pass | D pass"),
]


def _try(action: Action) -> None:
    for match in POSITIONS:
        try:
            apply(match, action)
        except IllegalAction:
            assert not can(match, action)


@given(NONSENSE)
@OFTEN
def test_nonsense_is_no_play(text: str) -> None:
    try:
        cards, phoenix = read_play(text)
    except NotationError:
        return
    assert read_play(write_play(cards, phoenix)) == (cards, phoenix)


LINES = st.sampled_from(
    [
        line
        for steps in (2, 10, 60, 150)
        for line in write_position(walk(9, steps).match).split("\n")
    ]
)
JUNK = st.one_of(
    st.text(CHARACTERS, max_size=12), WORDS, CARDS, st.sampled_from(["|", "-", "=>", "{}", "\n"])
)


@st.composite
def broken_positions(draw: st.DrawFn) -> str:
    """Yield real positions with lines lost, swapped and made up."""
    words = " ".join(draw(st.lists(LINES, max_size=12))).split(" ")
    lines = draw(st.lists(LINES, max_size=12))
    place = draw(st.integers(0, len(lines)))
    torn = draw(st.lists(st.one_of(st.sampled_from(words), JUNK), max_size=8))
    lines.insert(place, " ".join(torn))
    if draw(st.booleans()):
        lines.insert(place, draw(LINES) + " " + draw(JUNK))
    return "\n".join(lines)


@given(st.one_of(st.text(CHARACTERS), broken_positions()))
@examples(75)
def test_nonsense_is_no_position_or_one_that_works(text: str) -> None:
    """Only errors of the engine are raised; every position that is read can be written."""
    try:
        match = read_position(text)
    except TichuError:
        return
    assert read_position(write_position(match)) == match
    if match.round is not None:
        for _, action in islice(listed_actions(match), 40):
            apply(match, action)


VALUES = st.recursive(
    st.one_of(
        st.none(), st.booleans(), st.integers(), st.floats(), st.text(CHARACTERS, max_size=8)
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.text(CHARACTERS), inner)
    ),
    max_leaves=4,
)
NAMES = st.one_of(
    st.text(CHARACTERS, max_size=8),
    st.sampled_from(["direction", "dealing", "target", "wishPolicy", "bombWindowMs", "variant"]),
)


@given(st.text(CHARACTERS, max_size=8), st.dictionaries(NAMES, VALUES, max_size=4))
@OFTEN
def test_nonsense_is_no_option(variant: str, given_options: dict[str, Any]) -> None:
    try:
        options = Options.from_values(variant, given_options)
    except (NotationError, IllegalAction):
        return
    assert Options.from_values(variant, options.non_defaults()) == options
