"""Puzzles in words: no card of another hand, and no order that gives the answer away."""

from __future__ import annotations

import json

import pytest

from bot.art.emojis import Emojis
from bot.ids import ChannelId, GuildId, UserId
from bot.puzzles.puzzle import Puzzle, load_puzzles
from bot.table.private_game import has_choice_ahead, new_private_game
from bot.text import speech
from bot.text.cards import Speaker
from cogs.pages.hand.page import hand_page
from cogs.pages.puzzles.choices import in_offered_order
from cogs.pages.puzzles.page import puzzle_game
from engine import CardSet, card_set, view
from tests.bot.text.pages import parts
from tests.bot.text.puzzles import pages_of
from tests.campaign import sample
from tests.cogs.eyes import cards_in


def known(puzzle: Puzzle) -> CardSet:
    """Return the cards that the person on the seat of a puzzle knows."""
    seen = view(puzzle.match, puzzle.seat)
    cards = sum(hand.cards for _, hand in seen.hands)
    for _, passed in (*seen.received, *(seen.given or ())):
        cards |= passed
    for trick in (*(trick.steps for trick in seen.past), seen.trick):
        for step in trick:
            cards |= step.combination.cards if step.combination is not None else 0
    return cards


@pytest.mark.slow
def test_no_page_names_a_card_of_another_hand() -> None:
    plain = Speaker(speech("en"), Emojis.plain())
    named = puzzles_with_hidden_cards = 0
    for puzzle in sample(list(load_puzzles().values()), 100):
        assert puzzle.match.round is not None
        hidden = sum(hand.cards for hand in puzzle.match.round.hands) & ~known(puzzle)
        puzzles_with_hidden_cards += hidden != 0
        for title, page in pages_of(puzzle, plain, "Ada"):
            shown = card_set(set(cards_in(json.loads(json.dumps(page.to_components())))))
            named += shown.bit_count()
            assert not shown & hidden, (puzzle.name, title)
    assert named
    assert puzzles_with_hidden_cards > 50


def test_every_puzzle_can_be_played_out() -> None:
    plain, name = Speaker(speech("en"), Emojis.plain()), "Ada"
    for puzzle in sample(list(load_puzzles().values()), 100):
        game = puzzle_game(puzzle, UserId(5), name, GuildId(1))
        assert has_choice_ahead(game, puzzle.seat)
        person = game.chairs[puzzle.seat]
        private = new_private_game(game, person, ChannelId(2), puzzle.name)
        buttons = [
            each["custom_id"]
            for each in parts(hand_page(private, puzzle.seat, plain))
            if "custom_id" in each
        ]
        assert f"b:puzzle-back:{puzzle.name}" in buttons
        assert f"b:puzzle-play:{puzzle.name}" in buttons


def test_the_order_of_the_choices_does_not_depend_on_their_worth() -> None:
    for puzzle in load_puzzles().values():
        game = puzzle_game(puzzle, UserId(5), "Ada", GuildId(0))
        actions = [advice.action for advice in puzzle.advice]
        ordered = in_offered_order(game, puzzle.seat, actions)
        assert in_offered_order(game, puzzle.seat, actions[::-1]) == ordered
        assert len(ordered) == len(actions)
