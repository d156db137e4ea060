"""Parts of the hand page of a private game, and the page at its end."""

from __future__ import annotations

from collections.abc import Iterator

from bot.ids import Revision
from bot.table.private_game import Attempt, PrivateGame
from bot.text.cards import Speaker
from cogs.pages.controls import Controls, Page, Part, row, text
from cogs.pages.table.score_lines import comparison_table, round_story, round_summary
from cogs.pages.verbs import Verb

_CONTROLS = Controls()
"""Controls without a table, for puzzles."""


def private_line(state: PrivateGame, words: Speaker) -> Part:
    """Return the line that says that nothing counts."""
    if state.of_puzzle:
        return text("-# " + words.say("You're playing out a puzzle – this doesn't count."))
    if state.attempt is not None:
        return text("-# " + words.say("Another try from a review – this doesn't count."))
    return text("-# " + words.say("You're playing on from a replay – this doesn't count."))


def way_back_row(state: PrivateGame, words: Speaker) -> Part:
    """Return the buttons back to the replay, review or puzzle, and for another attempt."""
    say = words.say
    if state.of_puzzle:
        return row(
            _CONTROLS.button(
                Verb.PUZZLE_BACK, say("Back to the puzzle"), state.position, emoji="↩️"
            ),
            _CONTROLS.button(Verb.PUZZLE_PLAY, say("Try again"), state.position, emoji="🔁"),
        )
    controls = Controls(state.replayed, Revision(0))
    if state.attempt is not None:
        mark = state.attempt.mark
        return row(
            controls.button(Verb.REVIEW_BACK, say("Back to the review"), mark, emoji="↩️"),
            controls.button(Verb.TRY_AGAIN, say("Try again"), mark, emoji="🔁"),
        )
    return row(
        controls.button(Verb.REPLAY_BACK, say("Back to the replay"), state.position, emoji="↩️"),
        controls.button(Verb.REPLAY_PLAY, say("Try again"), state.position, emoji="🔁"),
    )


def private_result_page(state: PrivateGame, words: Speaker) -> Page:
    """Return the page of a game whose round is over, with its result."""
    result = [round_summary(state, words)]
    if state.attempt is not None:
        result = list(_comparison(state, state.attempt, words))
    return Page(
        text(words.say("The round is over.")),
        *map(text, result),
        private_line(state, words),
        way_back_row(state, words),
    )


def _comparison(state: PrivateGame, attempt: Attempt, words: Speaker) -> Iterator[str]:
    """Yield the story of the round, both results, and the difference for the person's side."""
    say, now = words.say, state.match.results[-1]
    yield round_story(state, now, words)
    yield comparison_table(state, attempt.result, words)
    seat = state.seat_of(state.host_id)
    assert seat is not None, "the person of a private game sits there"
    column = state.match.variant.column(state.round, seat)
    difference = now.score[column] - attempt.result.score[column]
    if difference > 0:
        better = say.many("{n} point more than before!", "{n} points more than before!", difference)
        yield f"🎉 **{better}**"
    elif difference < 0:
        yield say.many("{n} point less than before.", "{n} points less than before.", -difference)
    else:
        yield say("As many points as before.")
