"""Lines about results on a board: the reader's own, all others, and the Expert's."""

from __future__ import annotations

from bot.board_records import Comparison, MemberResult, SoloResult, SoloRound, Streak
from bot.text.cards import Speaker
from engine import Call

_CALLS = {"tichu": Call.TICHU, "grand": Call.GRAND}


def comparison_text(comparison: Comparison, words: Speaker) -> str:
    """Return how many others did worse: as a share, or as numbers if there are only a few."""
    say = words.say
    if comparison.share is not None:
        return say.many(
            # Translators: the reader's result on the same deal; {share} is in percent
            "better than {share} of {n} other",
            "better than {share} of {n} others",
            comparison.others,
            share=say.percent(comparison.share),
        )
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


def result_text(result: SoloRound | SoloResult | MemberResult, words: Speaker) -> str:
    """Return points and call of a finished round, such as “+185 · Tichu ✓”."""
    assert result.points is not None, "the round is over"
    parts = [words.say.signed(result.points)]
    if result.call is not None:
        parts.append(f"{words.call(_CALLS[result.call])} {'✓' if result.call_made else '✗'}")
    return " · ".join(parts)


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
