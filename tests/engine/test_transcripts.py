"""Transcripts, checked step by step: phase, number and digest of legal actions, results.

``independent-*.txt`` were played by another engine that shares no code with this one, ``own-*.txt``
by this one: they fail if a stored game would be replayed differently.
"""

from __future__ import annotations

import pytest

from engine import VARIANTS, Match, Phase
from tests.campaign import SOAK
from tests.engine.transcripts import DATA, INDEPENDENT, digests_of, read_transcript, result_line
from tests.engine.write_transcripts import GAMES, transcript


@pytest.mark.slow
@pytest.mark.parametrize("name", [*INDEPENDENT, *GAMES])
def test_every_step_of_a_transcript(name: str) -> None:
    """Sections 1 to 10: the same actions are legal and lead to the same results.

    A normal run plays all steps and compares the lists before every eighth one. Exchanges are
    thousands, so they are listed once a round, before anybody has given cards; the lists after that
    are parts of the first one.
    """
    text = (DATA / name).read_text("utf-8")
    results = [line for line in text.splitlines() if line.startswith("result ")]
    for number, step in enumerate(read_transcript(text)):
        if step.action is not None:
            phase, count, digest = step.line.partition(" | ")[2].split()
            assert step.before.phase.value == phase, step.line
            if SOAK or (number % 8 == 1 and not _some_have_given(step.before)):
                assert (int(count), digest) in digests_of(step.before), step.line
        if step.after.phase in (Phase.ROUND_END, Phase.MATCH_END):
            assert result_line(step.after) == results.pop(0)
    assert results == []


def _some_have_given(match: Match) -> bool:
    """Return whether the exchange has begun and is not complete."""
    assert match.round is not None
    return match.phase is Phase.EXCHANGE and any(match.round.opening.given)


def test_there_are_independent_transcripts() -> None:
    """All games, both directions, both wish policies, one and two decks."""
    kept = {line for name in INDEPENDENT for line in (DATA / name).read_text("utf-8").splitlines()}
    starts = {tuple(line.split(" ", 3)) for line in kept if line.startswith("match ")}
    assert {variant for _, variant, *_ in starts} == set(VARIANTS)
    assert len(INDEPENDENT) == 8


@pytest.mark.soak
@pytest.mark.parametrize("name", GAMES)
def test_our_own_transcripts_are_written_again_as_they_are(name: str) -> None:
    assert (DATA / name).read_text("utf-8") == transcript(name)
