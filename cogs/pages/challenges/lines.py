"""Lines about a challenge: names, results, and how it ended."""

from __future__ import annotations

from bot.board_records import SoloResult
from bot.boards.challenge import ChallengeComparison
from bot.challenge_records import Challenge
from bot.ids import UserId, is_pseudonym
from bot.text.boards import result_text
from bot.text.cards import Speaker
from bot.text.people import mention, unnamed


def name_of(user_id: UserId, words: Speaker) -> str:
    """Return a mention of a person, or the placeholder for an erased one."""
    return unnamed(words.say, user_id) if is_pseudonym(user_id) else mention(user_id)


def end_line(challenge: Challenge, words: Speaker) -> str:
    """Return the line on why a challenge ended early; empty if both have played all deals."""
    say = words.say
    name, other = (name_of(each, words) for each in challenge.people)
    if challenge.status == "finished":
        return ""
    if not challenge.was_played:
        return say("{name} challenged {other} – maybe another time.", name=name, other=other)
    if challenge.status == "left":
        return say("The challenge of {name} and {other} ended early.", name=name, other=other)
    if challenge.status == "expired":
        return say("The challenge of {name} and {other}: time's up.", name=name, other=other)
    return say(
        "The challenge of {name} and {other} ended early, because the computers were updated.",
        name=name,
        other=other,
    )


def verdict_line(comparison: ChallengeComparison, user_id: UserId, words: Speaker) -> str:
    """Return the result of the deals that both have played; empty without any.

    Only a finished challenge has a winner. `user_id` is the person whose points come first.
    """
    say, challenge, number = words.say, comparison.challenge, comparison.number
    if not number:
        return ""
    names = [name_of(each, words) for each in (user_id, challenge.other(user_id))]
    totals = [say.signed(each) for each in comparison.totals]
    if comparison.difference < 0:
        names.reverse()
        totals.reverse()
    first, second = names
    if challenge.status != "finished":
        return say.many(
            "On the {n} deal that both played: {first} {points} · {second} {others}",
            "On the {n} deals that both played: {first} {points} · {second} {others}",
            number,
            first=first,
            second=second,
            points=totals[0],
            others=totals[1],
        )
    if not comparison.difference:
        return say(
            "{first} and {second} are level: {points} each, over the same four deals.",
            first=first,
            second=second,
            points=totals[0],
        )
    return say(
        "{first} wins against {second}: {points} to {others}, over the same four deals.",
        first=first,
        second=second,
        points=totals[0],
        others=totals[1],
    )


def chance_line(comparison: ChallengeComparison, words: Speaker) -> str:
    """Return the line that the difference may be chance; empty if it is too large for that."""
    if not comparison.number or not comparison.within_chance:
        return ""
    return "-# " + words.say.many(
        "That's within chance: over {n} deal, two equally strong players differ by up to {points} "
        "in 19 of 20 cases.",
        "That's within chance: over {n} deals, two equally strong players differ by up to {points} "
        "in 19 of 20 cases.",
        comparison.number,
        points=words.say.number(comparison.chance_limit),
    )


def deal_result(result: SoloResult | None, words: Speaker) -> str:
    """Return points and call of a deal, or that it was not finished."""
    return words.say("not finished") if result is None else result_text(result, words)
