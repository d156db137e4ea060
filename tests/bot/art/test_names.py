"""The names of pictures, and the plain text that replaces each."""

from __future__ import annotations

import re

import pytest

from bot.art import names
from bot.art.uploads import versions


@pytest.mark.parametrize(
    "card,name,plain",
    [
        ("S8", "tichu_s8", "8♠\ufe0e"),
        ("J10", "tichu_j10", "10♣\ufe0e"),
        ("JJ", "tichu_jj", "J♣\ufe0e"),
        ("P2", "tichu_p2", "2♦\ufe0e"),
        ("TA", "tichu_ta", "A♥\ufe0e"),
        ("MAHJONG", "tichu_mahjong", "🀄"),
        ("DOG", "tichu_dog", "🐕"),
        ("PHOENIX", "tichu_phoenix", "🔥"),
        ("DRAGON", "tichu_dragon", "🐉"),
    ],
)
def test_a_card_and_its_second_copy(card: str, name: str, plain: str) -> None:
    for copy in (card, f"{card}#2"):
        assert names.card_name(copy) == name
        assert names.card_plain(copy) == plain
        assert names.card_file(copy) == names.card_file(card)


def test_a_deck_has_56_faces() -> None:
    assert len(names.CARDS) == len(set(names.CARDS)) == 56


@pytest.mark.parametrize("text", ["", "8", "S1", "S11", "X8", "s8", "8S", "S8#", "#2", "TURN"])
def test_what_is_no_card_is_refused(text: str) -> None:
    for ask in (names.card_name, names.card_plain, names.card_file):
        with pytest.raises(ValueError, match="no such card"):
            ask(text)


def test_what_is_no_icon_is_refused() -> None:
    for ask in (names.icon_name, names.icon_plain, names.icon_file):
        with pytest.raises(ValueError, match="no such icon"):
            ask("S8")


def test_emoji_names_suit_discord_and_are_unique() -> None:
    full = list(versions().values())
    assert len(full) == len({name.lower() for name in full}) == 56 + len(names.ICONS)
    for name in full:
        assert re.fullmatch(r"[A-Za-z0-9_]{2,32}", name)


def test_plain_texts_are_unique_and_no_words() -> None:
    plain = [names.card_plain(card) for card in names.CARDS]
    plain += [names.icon_plain(icon) for icon in names.ICONS]
    assert len(plain) == len(set(plain))
    assert not any(re.search(r"[a-zA-Z]{2,}", text) for text in plain)
