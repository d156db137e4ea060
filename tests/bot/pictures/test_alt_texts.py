"""Chart descriptions: their form for the drawing process, and as alternative texts."""

from __future__ import annotations

import gettext

import pytest
from pydantic import ValidationError

from bot.pictures.alt_texts import LONGEST, alt_text
from bot.pictures.descriptions import Sweep, accuracy_chart, rating_chart
from bot.pictures.process_messages import parse_drawing
from bot.pictures.words import ChancesWords, ScoreWords
from bot.text import Say
from tests.bot.pictures.samples import (
    ADA_BEN,
    CHANCES,
    CHARTS,
    LORDS,
    NANJING,
    NEW_YEAR,
    SAY,
    line,
    score,
)
from tests.bot.text.pseudo import Pseudo, bare
from tests.bot.text.template import asked_in


def test_description_survives_serialisation(subtests: pytest.Subtests) -> None:
    for name in CHARTS:
        with subtests.test(name=name):
            assert parse_drawing(CHARTS[name].model_dump_json().encode()) == CHARTS[name]


@pytest.mark.parametrize("sent", [b"", b"{}", b'{"kind": "score"}', b"\xff"])
def test_refuses_an_invalid_description(sent: bytes) -> None:
    with pytest.raises(ValidationError):
        parse_drawing(sent)


def test_describes_a_match() -> None:
    assert alt_text(NANJING, SAY) == (
        "The score over 4 rounds. Target: 1,000. Ada & Cleo: 1,040 points, won. "
        "Ben & Dan: 335 points. Calls: 2 made, 2 failed. Double victories: 1."
    )
    assert alt_text(score(line("Ada", 5), line("Ben", 9, won=True), target=None), SAY) == (
        "The score over 1 round. Ben: 9 points, won. Ada: 5 points."
    )


def test_sweep_of_two_columns_is_one_victory() -> None:
    sweeps = (Sweep(line=0, round=2), Sweep(line=1, round=2), Sweep(line=0, round=3))
    assert "Double victories: 2." in alt_text(score(*ADA_BEN, sweeps=sweeps), SAY)
    assert "Triple victories: 2." in alt_text(score(*ADA_BEN, sweeps=sweeps, sweep_size=3), SAY)


def test_describes_places() -> None:
    assert alt_text(LORDS, SAY) == ("The places over 3 rounds. At the end: 1 Cleo, 2 Ada, 3 Ben.")


def test_describes_a_rating() -> None:
    points = ((NEW_YEAR, 1500.0, 350.0), (NEW_YEAR, 1388.4, 200.0), (NEW_YEAR, 1612.6, 99.6))
    assert alt_text(rating_chart("Ada", points, (), SAY), SAY) == (
        "Ada's estimated rating over time. "
        "Now 1,613 ± 100. First 1,500, lowest 1,388, highest 1,613."
    )


def test_describes_an_accuracy() -> None:
    points = ((NEW_YEAR, 3.14, 1.2), (NEW_YEAR, 2.06, 0.44))
    assert alt_text(accuracy_chart("Ada", points, SAY), SAY) == (
        "Ada's points lost per decision over time. Now 2.1 ± 0.4, at first 3.1."
    )


def test_describes_chances() -> None:
    assert alt_text(CHANCES, SAY) == (
        "The team's chance to win the round: 62% at the first trick, 100% at the end. "
        "In trick 3 from 60% to 31%. In trick 6 from 30% to 80%. "
        "The chance to win the match: 55% at the first trick, 66% at the end."
    )


def test_numbers_follow_the_language() -> None:
    assert "1.040" in alt_text(NANJING, Say("de", gettext.NullTranslations()))


def test_texts_are_never_too_long_or_empty(subtests: pytest.Subtests) -> None:
    for name in CHARTS:
        with subtests.test(name=name):
            assert 1 <= len(alt_text(CHARTS[name], SAY)) <= LONGEST


def test_very_long_names_are_shortened() -> None:
    chart = score(*(line("W" * 300, 0) for _ in range(4)))
    assert len(alt_text(chart, SAY)) == LONGEST
    assert alt_text(chart, SAY).endswith("…")


def test_every_word_comes_from_the_catalogue() -> None:
    pseudo = Pseudo()
    say = Say("en", pseudo)
    rating = rating_chart("1003", ((NEW_YEAR, 1500.0, 350.0),), ((NEW_YEAR, "1"),), say)
    accuracy = accuracy_chart("1003", ((NEW_YEAR, 2.0, 1.0),), say)
    sweeps = (Sweep(line=0, round=2),)
    for chart in (
        score(line("1001", 5, won=True), line("1002", 3), sweeps=sweeps),
        score(line("1001", 5), line("1002", 3), sweeps=sweeps, sweep_size=3),
        NANJING.model_copy(update={"lines": score(line("1", 5), line("2", 9)).lines}),
        rating,
        accuracy,
        CHANCES,
    ):
        assert bare(alt_text(chart, say)) == []
    alt_text(LORDS, say)  # only its names come from elsewhere
    for words in (rating.words, accuracy.words, ScoreWords.of(say), ChancesWords.of(say)):
        assert bare("\n".join(words.model_dump().values())) == []
    assert bare(rating.name.replacement) == []
    assert asked_in("test_alt_texts") - pseudo.asked == set()
