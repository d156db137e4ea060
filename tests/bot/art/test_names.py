"""Names of pictures and the plain text that replaces each."""

from __future__ import annotations

import re

import pytest

from bot.art import names


@pytest.mark.parametrize(
    "card,name,plain",
    [
        ("S8", "sword_8", "8⚔\ufe0e"),
        ("J10", "jade_10", "10◎\ufe0e"),
        ("JJ", "jade_J", "J◎\ufe0e"),
        ("P2", "pagoda_2", "2🏯"),
        ("TA", "star_A", "A★\ufe0e"),
        ("MAHJONG", "mah_jong", "1🐦"),
        ("DOG", "dog", "🐶"),
        ("PHOENIX", "phoenix", "🔥"),
        ("DRAGON", "dragon", "🐲"),
    ],
)
def test_names_a_card_and_its_second_copy(card: str, name: str, plain: str) -> None:
    for copy in (card, f"{card}#2"):
        assert names.card_name(copy) == name
        assert names.card_plain(copy) == plain
        assert names.card_file(copy) == names.card_file(card)


def test_a_deck_has_56_faces() -> None:
    assert len(names.CARDS) == len(set(names.CARDS)) == 56


@pytest.mark.parametrize("text", ["", "8", "S1", "S11", "X8", "s8", "8S", "S8#", "#2", "TURN"])
def test_refuses_an_unknown_card(text: str) -> None:
    for ask in (names.card_name, names.card_plain, names.card_file):
        with pytest.raises(ValueError, match="no such card"):
            ask(text)


def test_refuses_an_unknown_icon() -> None:
    for ask in (names.icon_name, names.icon_plain, names.icon_file):
        with pytest.raises(ValueError, match="no such icon"):
            ask("S8")


def test_emoji_names_are_valid_and_unique() -> None:
    full = list(names.pictures())
    assert len(full) == len({name.lower() for name in full}) == 56 + len(names.ICONS)
    for name in full:
        assert re.fullmatch(r"[A-Za-z0-9_]{2,32}", f"{name}_a1b2"), "also with a version"


def test_emoji_names_are_readable_words() -> None:
    for name in names.pictures():
        words = name.split("_")
        assert all(re.fullmatch(r"[a-z]{3,}", word) for word in words[:-1])
        assert re.fullmatch(r"[a-z]{3,}|10|[2-9JQKA]", words[-1])


def test_plain_texts_are_unique_and_hold_no_words() -> None:
    plain = [names.card_plain(card) for card in names.CARDS]
    plain += [names.icon_plain(icon) for icon in names.ICONS]
    assert len(plain) == len(set(plain))
    assert not any(re.search(r"[a-zA-Z]{2,}", text) for text in plain)
