"""Texts about computer players: their manners, and explanations of hints."""

from __future__ import annotations

from collections.abc import Iterator

from bot.table.computer_names import manner_of
from bot.table.state import TableState
from bot.text import Say
from players.reasons import Cause, Explanation


def explanation_text(explanation: Explanation, name: str, say: Say) -> str:
    """Return an explanation as a sentence; `name` is the displayed name of its seat."""
    match explanation.cause:
        case Cause.POINTS:
            return say.many(
                "There is {n} point in the trick.",
                "There are {n} points in the trick.",
                explanation.number,
            )
        case Cause.MANY_CARDS:
            return say.many(
                "That gets rid of {n} card at once.",
                "That gets rid of {n} cards at once.",
                explanation.number,
            )
        case Cause.PARTNERS_TRICK:
            return say("Your partner {name} is already winning this trick.", name=name)
        case Cause.ONE_CARD:
            return say("{name} has only one card left.", name=name)
        case Cause.CALLED:
            return say("{name} has called – stop them while you can.", name=name)
        case Cause.LEAD_TO_PARTNER:
            return say("That gives {name} the lead.", name=name)
        case Cause.CHANCE:
            return say(
                "With a hand like this, about {percent} of calls succeed.",
                percent=say.percent(explanation.number / 100),
            )
        case Cause.HIGH_TO_PARTNER:
            return say("Your partner {name} gets a high card.", name=name)
        case Cause.WISH_FOR_GIFT:
            return say("You passed {name} one in the exchange.", name=name)
    return {
        Cause.LOW_TO_OTHERS: say("Your opponents get only low cards."),
        Cause.OUT: say("With that you're out."),
        Cause.TEAM_OUT: say("Then your whole team is out first."),
        Cause.OWN_TRICK: say("The trick is already yours."),
        Cause.KEEPS_BOMB: say("Keep your bomb for later."),
        Cause.KEEPS_DRAGON: say("Keep the Dragon for later."),
        Cause.KEEPS_PHOENIX: say("Keep the Phoenix for later."),
        Cause.KEEPS_ACE: say("Keep your ace for later."),
        Cause.HIGHEST: say("Only a bomb can beat that."),
        Cause.KEEPS_TOGETHER: say("That keeps cards together that you can play together."),
        Cause.KEEPS_HIGHER: say("Keep your higher cards for later."),
        Cause.HARDER_TO_BEAT: say("That's harder to beat."),
        Cause.LIKELY: say("That probably wins the trick."),
        Cause.LOW_CARDS: say("Low cards go best while you have the lead."),
        Cause.MOST_CARDS: say("They have the most cards left."),
    }[explanation.cause]


def manners(table: TableState, say: Say) -> Iterator[str]:
    """Yield the manner of each computer player of a table, except steady ones."""
    for chair in table.chairs:
        if chair.kind != "computer":
            continue
        name, manner = chair.name, manner_of(chair.name)
        if manner == "bold":
            yield say("{name} plays boldly", name=name)
        elif manner == "careful":
            yield say("{name} plays carefully", name=name)
        elif manner == "helpful" and table.options.teams:
            # Translators: of a computer player, who gives good cards to the partner and leaves
            # tricks to them
            yield say("{name} plays for the team", name=name)
