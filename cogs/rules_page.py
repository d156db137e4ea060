"""The rules in short, by topic, for ``/tichu rules`` and the button at the table."""

from __future__ import annotations

from bot.text.cards import Speaker
from bot.text.rules import TOPICS
from cogs.controls import Controls, Page, option, text


def rules_page(to: Speaker, topic: str) -> Page:
    """One topic, and a select for the others."""
    say = to.say
    chosen = TOPICS.get(topic) or TOPICS["game"]
    options = [
        option(entry.title(say), name, default=entry is chosen) for name, entry in TOPICS.items()
    ]
    return Page(
        text("### " + chosen.title(say)),
        text(chosen.text(say)),
        Controls(0, 0).select("rules", say("Another topic…"), options),
    )
