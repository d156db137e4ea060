"""Lines about results on a daily board: all others, the Expert's, and the reader's streak."""

from __future__ import annotations

from bot.board_records import Comparison, SoloResult, Streak
from bot.text.boards import result_text
from bot.text.cards import Speaker


def comparison_text(comparison: Comparison, words: Speaker, *, over: bool) -> str:
    """Return how many others did worse: as a share, or as numbers if there are only a few.

    `over` is true if nobody can play the deal any more.
    """
    say = words.say
    if comparison.share is not None:
        return say.many(
            # Translators: the reader's result on the same deal; {share} is in percent
            "better than {share} of {n} other",
            "better than {share} of {n} others",
            comparison.others,
            share=say.percent(comparison.share),
        )
    if over and not comparison.others:
        return say("nobody else played this deal")
    if not comparison.others:
        return say("you're the first to finish")
    parts = [
        say.many(
            "{worse} of {n} other did worse",
            "{worse} of {n} others did worse",
            comparison.others,
            worse=say.number(comparison.worse),
        )
    ]
    if comparison.equal:
        # Translators: after “2 of 3 others did worse”: other people with as many points
        parts.append(say.many("{n} got the same", "{n} got the same", comparison.equal))
    return ", ".join(parts)


def expert_line(expert: SoloResult | None, words: Speaker) -> str:
    """Return the line about the Expert, who plays the reader's cards."""
    say = words.say
    if expert is None:
        return "🤖 " + say("An Expert is still playing your hand.")
    label = say("An Expert with your hand")
    return "🤖 " + say.labelled(f"**{label}**", result_text(expert, words))


def streak_line(streak: Streak, words: Speaker) -> str:
    """Return the line on the reader's days in a row."""
    return "🔥 " + words.say.many(
        "{n} day in a row (best {longest})",
        "{n} days in a row (best {longest})",
        streak.days,
        longest=words.say.number(streak.longest),
    )
