"""Messages extracted from the code, cached because extraction takes half a second."""

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
    "test_commands": {"cogs/tichu.py", "cogs/solo_commands.py", "cogs/club_commands.py"},
    "test_sentences": {"bot/text/sentences.py", "bot/text/club_sentences.py"},
    "test_contents": {"bot/pictures/table/contents.py", "bot/pictures/table/scene_text.py"},
    "test_hand_scenes": {"bot/pictures/hand/contents.py", "bot/pictures/hand/hand_text.py"},
    "test_standings_contents": {
        "bot/pictures/standings/contents.py",
        "bot/pictures/standings/standings_text.py",
    },
    "test_result_card": {"cogs/pages/table/result_card.py"},
    "test_alt_texts": {
        "bot/pictures/alt_texts.py",
        "bot/pictures/descriptions.py",
        "bot/pictures/words.py",
    },
}
"""Files whose messages are tested elsewhere than on pages, by test.

Each of these tests covers all of its messages, and the test of pages all others, so every message
of the template is shown once in brackets.
"""


@cache
def template() -> Catalog:
    """Return the current messages of the code; callers must not change them."""
    return extracted()


@cache
def keys() -> dict[tuple[str, ...], frozenset[str]]:
    """Return all messages as their English text or two forms, with their files."""
    return {
        (message.id,) if isinstance(message.id, str) else tuple(message.id): frozenset(
            file for file, _ in message.locations
        )
        for message in template()
        if message.id
    }


def asked_in(test: str) -> set[tuple[str, ...]]:
    """Return the messages that a test has to cover."""
    return {key for key, files in keys().items() if files & ELSEWHERE[test]}


def asked_on_pages() -> set[tuple[str, ...]]:
    """Return the messages that no other test covers."""
    others = set[str]().union(*ELSEWHERE.values())
    return {key for key, files in keys().items() if not files & others}
