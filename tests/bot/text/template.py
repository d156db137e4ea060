"""What extraction finds in the code; found once, because that takes half a second."""

from __future__ import annotations

from functools import cache

from babel.messages.catalog import Catalog

from tools.messages import extracted

ELSEWHERE = {
    "test_whole_bot": {
        "cogs/clicks/context.py",
        "cogs/clicks/lessons.py",
        "cogs/clicks/lobby.py",
        "cogs/clicks/opening.py",
        "cogs/clicks/seats.py",
        "cogs/clicks/table.py",
        "cogs/clicks/table_actions.py",
        "cogs/delivery/channel_permissions.py",
    },
    "test_commands": {"cogs/tichu.py"},
    "test_sentences": {"bot/text/sentences.py"},
    "test_contents": {"bot/pictures/table/contents.py", "bot/pictures/table/scene_text.py"},
    "test_hand_scenes": {"bot/pictures/hand/contents.py", "bot/pictures/hand/hand_text.py"},
    "test_alt_texts": {
        "bot/pictures/alt_texts.py",
        "bot/pictures/descriptions.py",
        "bot/pictures/words.py",
    },
}
"""The files whose messages are asked for in other tests than those of pages, by the test.

Each of these tests asks for all of its messages, and the test of pages for all that are left: so
every message of the template is shown in one of them with brackets around its words.
"""


@cache
def template() -> Catalog:
    """The messages of the code as they are now; not to be changed."""
    return extracted()


@cache
def keys() -> dict[tuple[str, ...], frozenset[str]]:
    """All messages, each as its English text or as its two forms, with the files they are in."""
    return {
        (message.id,) if isinstance(message.id, str) else tuple(message.id): frozenset(
            file for file, _ in message.locations
        )
        for message in template()
        if message.id
    }


def asked_in(test: str) -> set[tuple[str, ...]]:
    """The messages that a test has to ask for."""
    return {key for key, files in keys().items() if files & ELSEWHERE[test]}


def asked_on_pages() -> set[tuple[str, ...]]:
    """The messages that no other test has to ask for."""
    others = set[str]().union(*ELSEWHERE.values())
    return {key for key, files in keys().items() if not files & others}
