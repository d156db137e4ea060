"""Pages of puzzles: the question, and the answer with its reason.

They are private and belong to no table. A button names its puzzle, so none is ever out of date.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import chain

import discord

from bot.ids import GuildId, UserId
from bot.pictures.hand.contents import hand_scene
from bot.pictures.hand.scene import HandScene
from bot.puzzles.puzzle import Puzzle
from bot.score_records import PuzzleAnswer, PuzzlePlayer, Rating
from bot.table.computer_names import COMPUTER_NAMES
from bot.table.private_game import game_without_table
from bot.table.state import Chair, Game
from bot.text.cards import Speaker
from bot.text.options import length
from cogs.pages.controls import GOLD, Controls, Page, Part, gallery, line, row, text
from cogs.pages.hand.card_order import in_display_order, ranks_of_cards
from cogs.pages.hand.hints import action_text, hint_text
from cogs.pages.hand.status import status_lines
from cogs.pages.hand.task import task_text
from cogs.pages.names import seat_name
from cogs.pages.puzzles.choices import choice_option, in_offered_order
from cogs.pages.verbs import Verb
from engine import PLAY_PHASES, WINDOW_PHASES, write_action

PUZZLE_FILE = "puzzle.png"
"""The name of the attachment with the picture."""
_CONTROLS = Controls()
"""Controls without a table."""
_RIGHT, _WRONG = discord.Colour(0x2F6F4F), discord.Colour(0x8F3B3B)


def puzzle_game(puzzle: Puzzle, user_id: UserId, name: str, guild_id: GuildId) -> Game:
    """Return the position of a puzzle, with its reader on the seat and computers on the others."""
    match = puzzle.match
    chairs = [
        Chair(seat=seat, kind="person", user_id=user_id, name=name)
        if seat == puzzle.seat
        else Chair(seat=seat, kind="computer", name=COMPUTER_NAMES[seat])
        for seat in range(match.variant.chair_count(match.options))
    ]
    return game_without_table(match, chairs, guild_id)


def puzzle_scene(puzzle: Puzzle, game: Game, words: Speaker) -> HandScene:
    """Return the scene of the table and of the reader's hand."""
    in_order = partial(in_display_order, sorting=words.sorting)
    scene = hand_scene(game, puzzle.seat, words, in_order)
    assert scene is not None, "the reader has cards"
    return scene


def question_page(
    puzzle: Puzzle,
    game: Game,
    player: PuzzlePlayer,
    words: Speaker,
    *,
    repeats: bool = False,
    alt: str | None = None,
) -> Page:
    """Return the page with a position and its choices.

    `repeats` says that the reader has answered all puzzles. `alt` is the alternative text of the
    picture; if it is given, `PUZZLE_FILE` must be attached.
    """
    say, seat = words.say, puzzle.seat
    head = ["### 🧩 " + say("Puzzle"), f"-# {_standing(player, words)}"]
    if repeats:
        head.append("-# " + say("You've been through all puzzles, so they come again."))
    actions = in_offered_order(game, seat, [advice.action for advice in puzzle.advice])
    options = [choice_option(game, seat, action, words) for action in actions]
    task = _bomb_question(puzzle, game, words) or task_text(
        game, seat, game.situation(seat), words, cards=alt is None
    )
    return Page(
        text("\n".join(head)),
        line(),
        *_position(puzzle, game, words, alt),
        text(task),
        _CONTROLS.select(Verb.PUZZLE_ANSWER, say("What do you do?"), options, puzzle.name),
        accent=GOLD,
    )


def _bomb_question(puzzle: Puzzle, game: Game, words: Speaker) -> str:
    """Return the question of a puzzle in a bomb window; empty for all others."""
    public = game.views.public
    if public.phase not in WINDOW_PHASES or public.top is None:
        return ""
    return words.say(
        "**{name} plays: {combination}. Do you bomb?**",
        name=seat_name(game, public.top_seat, words),
        combination=f"{words.combination_within(public.top)} {words.combination_cards(public.top)}",
    )


def answer_page(
    puzzle: Puzzle,
    game: Game,
    answer: PuzzleAnswer,
    player: PuzzlePlayer,
    words: Speaker,
    *,
    before: Rating | None = None,
    alt: str | None = None,
) -> Page:
    """Return the page with the best choice and its reason, and what the answer has changed.

    `before` is the rating before the answer, if it has just been given; `alt` as for the question.
    """
    say = words.say
    colours = discord.ButtonStyle
    buttons = [
        _CONTROLS.button(Verb.PUZZLE, say("Next puzzle"), style=colours.primary),
        _CONTROLS.button(Verb.PUZZLE_PLAY, say("Play it out"), puzzle.name),
    ]
    return Page(
        text(f"### 🧩 {say('Puzzle')}"),
        *_position(puzzle, game, words, alt),
        line(),
        text(_verdict(puzzle, game, answer, words)),
        text(f"-# {_standing(player, words, before)}"),
        row(*buttons),
        accent=_RIGHT if answer.solved else _WRONG,
    )


def _verdict(puzzle: Puzzle, game: Game, answer: PuzzleAnswer, words: Speaker) -> str:
    """Return whether the answer was right, and the best choice with its reason."""
    say, seat = words.say, puzzle.seat
    ranked = sorted(puzzle.advice, key=lambda advice: -advice.points)
    lines = [
        "✅ " + say("**Right!**") if answer.solved else "❌ " + say("**Not the best choice.**")
    ]
    chosen = next((each for each in ranked if write_action(each.action) == answer.choice), None)
    if chosen is not None and not answer.solved:
        cost = max(1, round(ranked[0].points - chosen.points))
        own = action_text(game, seat, chosen.action, words)
        lines.append(
            say.many(
                # Translators: {choice} is an action such as “pass” or “pair of 8s”
                "You chose: {choice} – about {n} point less.",
                "You chose: {choice} – about {n} points less.",
                cost,
                choice=own,
            )
        )
    return "\n".join([*lines, hint_text(game, seat, ranked, words)])


def _standing(player: PuzzlePlayer, words: Speaker, before: Rating | None = None) -> str:
    """Return the reader's rating, with its change if any, and their streak."""
    say, rating = words.say, round(player.rating.mu)
    parts = [say("Puzzle rating: {rating}", rating=say.number(rating))]
    if before is not None and rating != round(before.mu):
        parts[0] += f" ({say.signed(rating - round(before.mu))})"
    if player.best_streak:
        parts.append(
            say(
                "Solved in a row: {now} (best {longest})",
                now=say.number(player.streak),
                longest=say.number(player.best_streak),
            )
        )
    return " · ".join(parts)


def _position(puzzle: Puzzle, game: Game, words: Speaker, alt: str | None) -> Iterator[Part]:
    """Yield the score, what was played, and the picture; or its facts in words."""
    say, seat, public = words.say, puzzle.seat, game.views.public
    lines = [status_lines(game, seat, words, shows_table=alt is not None)]
    if game.options.target is not None:  # the others have their length in the name of a round
        lines[0] = lines[0].replace("-# ", f"-# {length(game.options, say)} · ", 1)
    steps = chain(*(trick.steps for trick in public.past), public.trick)
    played = sum(step.combination.cards for step in steps if step.combination is not None)
    if played:
        # Translators: the ranks of all cards that were played in this round
        cards = ranks_of_cards(played, words)
        lines.append("-# " + say("Played so far: {cards}", cards=cards))
    lines += _exchange_lines(puzzle, game, words)
    yield text("\n".join(lines))
    if alt is not None:
        yield gallery(PUZZLE_FILE, alt)
        return
    hands = [(each, hand) for each, hand in game.situation(seat).current.hands if hand.size]
    for each, hand in hands:
        cards = " ".join(words.card(card) for card in in_display_order(hand.cards, words.sorting))
        name = say("Your hand") if each == seat else seat_name(game, each, words)
        yield text(f"## {cards}" if len(hands) == 1 else f"**{name}**\n## {cards}")


def _exchange_lines(puzzle: Puzzle, game: Game, words: Speaker) -> Iterator[str]:
    """Yield lines with the cards that the reader passed and received in the exchange."""
    say, seen = words.say, game.situation(puzzle.seat).current
    if seen.phase not in PLAY_PHASES:
        return
    if seen.given:
        gave = (
            say(
                "{cards} to {name}", cards=words.cards(cards), name=seat_name(game, receiver, words)
            )
            for receiver, cards in seen.given
        )
        # Translators: handed over in the exchange
        yield "-# " + say("You passed {cards}.", cards=say.join(gave))
    if seen.received:
        got = (
            say("{cards} from {name}", cards=words.cards(cards), name=seat_name(game, giver, words))
            for giver, cards in seen.received
        )
        yield "-# " + say("You received {cards}.", cards=say.join(got))
