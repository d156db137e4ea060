"""The text notation: what is read, how it is written, and what it says about bad texts."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from engine.actions import Action
from engine.cards import card_text, cards_text, read_card, read_cards, read_rank
from engine.errors import IllegalAction, NotationError, TichuError
from engine.match import apply, can
from engine.notation import read_action, read_play, write_action, write_play
from engine.options import Options
from engine.position import HEADER, read_position, write_position
from tests.engine.positions import after, dealt, plays_of, table
from tests.engine.walks import walk

DOCUMENT = Path(__file__).parents[2] / "docs" / "notation.md"
OFTEN = settings(deadline=None, max_examples=200)


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


@pytest.mark.parametrize(
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


@pytest.mark.parametrize(
    "text",
    [
        *("grand:yes", "grand:no", "withdraw:yes", "withdraw:no", "tichu", "tichu:same"),
        *("pass-cards:S2>1,P3>2,DRAGON>3", "play:S8,P8", "play:PHOENIX=9,S9", "play:PHOENIX"),
        *("play:MAHJONG wish=8", "play:MAHJONG,S2,P3,T4,PHOENIX=5 wish=A", "play:DOG to=2"),
        *("pass", "waive", "bomb:J3,S3,P3,T3", "give:2"),
    ],
)
def test_actions(text: str) -> None:
    """What is read is written the same."""
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
    """The example of the document: what is left out is empty."""
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


@pytest.mark.parametrize(
    "text",
    ["", " ", "X8", "S1", "S11", "8", "S", "S8#3", "S8#", "S8#2#2", "JOKER", "S 8", "S8S9", "١"],
)
def test_texts_that_are_no_card(text: str) -> None:
    with pytest.raises(NotationError):
        read_card(text)


@pytest.mark.parametrize("text", ["", "1", "0", "11", "15", "DRAGON", "-2", "2.0"])
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


@pytest.mark.parametrize("text", BAD_ACTIONS)
def test_texts_that_are_no_action(text: str) -> None:
    with pytest.raises(NotationError) as error:
        read_action(0, text)
    assert str(error.value)


BAD_POSITIONS = [
    "hello",
    "phase",
    "phase LEAD",
    "phase LEAD 4",
    "phase LEAD -1",
    "phase LEAD x",
    "phase PLAY 0",
    "phase LEAD 0 1",
    "variant bridge {}",
    "variant nanjing {",
    "variant nanjing []",
    "variant nanjing [1]",
    "variant nanjing 5",
    'variant nanjing {"target": 7}',
    'variant nanjing {"speed": 7}',
    'variant nanjing {"target": [[]]}',
    "variant nanjing " + "[" * 100_000,
    "first-dealer 4",
    "first-dealer -1",
    "first-dealer x",
    "first-dealer " + "9" * 10_000,
    "totals 1 2 3",
    "totals x",
    "winners 2",
    "winners x",
    "result",
    "result {}",
    "result []",
    "result 7",
    'result {"number": 1}',
    "result " + "[" * 100_000,
    "phase LEAD 0\nhand 0 S2\nhand 1 S2",
    "phase LEAD 0\nhand 0 S2 S2",
    "phase LEAD 0\nhand 0 S2\nhand 0 S3",
    "phase LEAD 0\nhand 0 S2\npile 1 S2",
    "phase LEAD 0\nhand 0 S2\nstock 1 S2",
    "phase LEAD 0\nhand 0 DOG\ndiscards DOG",
    "phase TURN 1\nhand 0 S2\ntrick 0 S2",
    "phase LEAD 0\nhand 0 S2#2",
    "phase LEAD 0\nhand 4 S2",
    "phase LEAD 0\nhand -1 S2",
    "phase LEAD 0\nhand x S2",
    "phase LEAD 0\nhand",
    "phase LEAD 0\nhand 0 X2",
    "phase LEAD 0\npile 9 S2",
    "phase LEAD 0\nstock -4 S2",
    "phase LEAD 0\nround 1",
    "phase LEAD 0\nround x dealer 0",
    "phase LEAD 0\nround 1 dealer 4",
    "phase LEAD 0\nround 1 dealer 0 1",
    "phase LEAD 0\norder 0 1 2",
    "phase LEAD 0\norder 0 1 2 2",
    "phase LEAD 0\norder 0 1 2 4",
    "phase LEAD 0\norder 0 1 2 3",
    "phase LEAD 0\norder 0 1 2 3\nteams 0 1",
    "phase LEAD 0\nanswers yes",
    "phase LEAD 0\nanswers yes no maybe no",
    "phase LEAD 0\ngiven 0 1",
    "phase LEAD 0\ngiven 0 1:S2:3",
    "phase LEAD 0\ngiven 4 1:S2",
    "phase LEAD 0\ngiven 0 5:S2",
    "phase LEAD 0\nreceived 0 -1:S2",
    "phase LEAD 0\ncalls tichu",
    "phase LEAD 0\ncalls tichu - - - -",
    "phase LEAD 0\ncalls small - - -",
    "phase LEAD 0\nasked 4",
    "phase LEAD 0\nasked -1",
    "phase LEAD 0\nasked 99999999999",
    "phase LEAD 0\nstarted 9",
    "phase LEAD 0\nwaived x",
    "phase LEAD 0\nwish 1",
    "phase LEAD 0\nwish 11",
    "phase LEAD 0\nout 0 0",
    "phase LEAD 0\nout 7",
    "phase LEAD 0\nout x",
    "phase TURN 0\ntrick 0",
    "phase TURN 0\ntrick 0 S2,S3",
    "phase TURN 0\ntrick 5 S2",
    "phase TURN 0\ntrick 0 S2 | 1",
    "phase TURN 0\ntrick 0 S2 wish=1",
    "phase TURN 0\ntrick 0 S2 hope=3",
    "phase TURN 0\ntrick 0 S2 wish=3 wish=4",
    "phase TURN 0\ntrick 0 pass | |",
    "phase LEAD 0\npast 0 S2",
    "phase LEAD 0\npast 0 S2 =>",
    "phase LEAD 0\npast 0 S2 => x",
    "phase LEAD 0\npast 0 S2 => 9",
    "phase LEAD 0\npast 0 S2 => 0 > 9",
    "phase WINDOW 1\ntrick 0 S2\nsubmitted 1",
    "phase WINDOW 1\ntrick 0 S2\nsubmitted 1 S2,S3",
    "phase WINDOW 1\ntrick 0 S2\nsubmitted 7 J3,S3,P3,T3",
    "phase LEAD 0\ndiscards X",
]


@pytest.mark.parametrize("text", BAD_POSITIONS, ids=lambda text: repr(text[:60]))
def test_texts_that_are_no_position(text: str) -> None:
    with pytest.raises((NotationError, IllegalAction)) as error:
        read_position(text)
    assert len(str(error.value)) < 400


CARDS = st.sampled_from("S8 P8 J10 TA PHOENIX PHOENIX=9 PHOENIX=A MAHJONG DOG DRAGON S8#2".split())
WORDS = st.sampled_from(
    "grand withdraw tichu pass-cards play pass bomb waive close give stop yes no same wish= to= "
    ": , > = # 8 K A 1 0 -1 7 99999999999999999999".split()
)
NONSENSE = st.one_of(
    st.text(max_size=40),
    st.lists(st.one_of(WORDS, CARDS, st.just(" ")), max_size=9).map("".join),
    st.lists(CARDS, max_size=15).map(lambda cards: "play:" + ",".join(cards)),
)


@given(st.integers(-3, 9), NONSENSE)
@example(0, "play:" + "S8," * 100_000)
@example(0, "give:" + "9" * 100_000)
@example(0, "pass-cards:S2>" + "9" * 100_000)
@example(0, "9" * 1_000_000)
@OFTEN
def test_nonsense_is_no_action_or_is_refused(seat: int, text: str) -> None:
    """Nothing but `NotationError`; and what can be read is accepted or refused, no more."""
    try:
        action = read_action(seat, text)
    except NotationError as error:
        assert len(str(error)) < 400
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
JUNK = st.one_of(st.text(max_size=12), WORDS, CARDS, st.sampled_from(["|", "-", "=>", "{}", "\n"]))


@st.composite
def broken_positions(draw: st.DrawFn) -> str:
    """Lines of real positions with words lost, swapped and made up."""
    words = " ".join(draw(st.lists(LINES, max_size=12))).split(" ")
    lines = draw(st.lists(LINES, max_size=12))
    place = draw(st.integers(0, len(lines)))
    torn = draw(st.lists(st.one_of(st.sampled_from(words), JUNK), max_size=8))
    lines.insert(place, " ".join(torn))
    if draw(st.booleans()):
        lines.insert(place, draw(LINES) + " " + draw(JUNK))
    return "\n".join(lines)


@given(st.one_of(st.text(), broken_positions()))
@settings(OFTEN, max_examples=400)
def test_nonsense_is_no_position_or_one_that_works(text: str) -> None:
    """Nothing but the engine's own errors; and what can be read can be written and read again."""
    try:
        match = read_position(text)
    except TichuError:
        return
    assert read_position(write_position(match)) == match


VALUES = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=8)),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.text(), inner)),
    max_leaves=4,
)
NAMES = st.one_of(
    st.text(max_size=8),
    st.sampled_from(["direction", "dealing", "target", "wishPolicy", "bombWindowMs", "variant"]),
)


@given(st.text(max_size=8), st.dictionaries(NAMES, VALUES, max_size=4))
@OFTEN
def test_nonsense_is_no_option(variant: str, given_options: dict[str, Any]) -> None:
    try:
        options = Options.of(variant, given_options)
    except (NotationError, IllegalAction):
        return
    assert Options.of(variant, options.changed()) == options
