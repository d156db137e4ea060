"""Content of result cards, from finished matches."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from bot.art.emojis import Emojis
from bot.history.highlights import MatchFacts, match_facts
from bot.pictures.descriptions import PlacesChart
from bot.pictures.result.scene import ResultCard
from bot.records import Change
from bot.table.options import TableOptions
from bot.table.state import Game
from bot.text import Say
from bot.text.cards import Speaker
from cogs.pages.table.result_card import card_text_of, result_card
from engine import Call
from tests.bot.games import MATCHES
from tests.bot.text.pseudo import Pseudo, bare
from tests.bot.text.template import asked_in
from tests.campaign import sample
from tests.cogs.history_pages import played_match
from tests.cogs.worlds import SAY

WORDS = Speaker(SAY, Emojis.plain())


def facts_of(last: Game, changes: Sequence[Change]) -> MatchFacts:
    """Return the facts of a match whose players stayed."""
    rounds = [change.round for change in changes if change.round is not None]
    return match_facts(last, rounds, [action for c in changes for action in c.actions], ())


@pytest.mark.parametrize("seed, options", sample(MATCHES, 5))
def test_card_counts_calls_and_bombs_of_the_whole_match(seed: int, options: TableOptions) -> None:
    last, changes = played_match(seed, options)
    facts = facts_of(last, changes)
    card = result_card(last, facts, WORDS)
    text = card_text_of(last, card, WORDS)
    if options.variant == "grandseigneur":
        assert isinstance(card, PlacesChart)
        return
    assert isinstance(card, ResultCard)
    called = [(call is Call.GRAND, made) for r in last.match.results for _, call, made in r.calls]
    for grand in (False, True):
        kinds = [calls for line in card.lines for calls in line.calls if calls.grand is grand]
        assert sum(calls.made for calls in kinds) == called.count((grand, True))
        assert sum(calls.failed for calls in kinds) == called.count((grand, False))
    bombs = sum(seat.bombs for round_ in facts.rounds for seat in round_.seats)
    assert sum(line.bombs for line in card.lines) == bombs
    totals = sorted(last.match.totals, reverse=True)
    assert [line.total for line in card.lines] == list(map(SAY.number, totals))
    assert card.lines[0].won
    assert (card.chart is not None) == (len(last.match.results) > 1)
    for shown in filter(None, (card.play, card.straight)):
        assert shown.text in text
        assert shown.name.text in {chair.name for chair in last.chairs} | {"The Table"}


def test_every_word_comes_from_the_catalogue() -> None:
    pseudo = Pseudo()
    words = Speaker(Say("en", pseudo), Emojis.plain())
    for seed, options in MATCHES[:12]:
        last, changes = played_match(seed, options)
        card = result_card(last, facts_of(last, changes), words)
        card_text_of(last, card, words)
        if isinstance(card, ResultCard):
            for shown in filter(None, (card.play, card.straight)):
                assert bare(shown.heading) == []
    assert asked_in("test_result_card") - pseudo.asked == set()
