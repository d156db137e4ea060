"""Short rules: completeness for each game, navigation, and forbidden content."""

from __future__ import annotations

import gettext
from collections.abc import Iterator

import pytest

from bot.art.emojis import Emojis
from bot.art.names import CARDS, card_plain
from bot.text import Say
from bot.text.cards import Speaker, variant_name
from bot.text.rules import FIRST_GAME, FIRST_TOPIC, GAMES, TITLES
from cogs.pages.controls import Page, row
from cogs.pages.hand.page import hand_page
from cogs.pages.rules import read_rules_choice, rules_button, rules_page
from cogs.pages.table.more import more_page
from engine import VARIANTS, Match, Options
from tests.bot.positions import begun
from tests.bot.states import state
from tests.bot.text.pages import BUTTON, SELECT, parts, words
from tests.engine.positions import after, dealt, table

SAY = Say("en", gettext.NullTranslations())
TO = Speaker(SAY, Emojis.plain())
LONGEST = 900
"""Characters that are readable on a phone without much scrolling."""
LONGEST_POINT = 150
"""Characters of one list item: two or three lines on a phone."""
WITHOUT_CARDS = {"table", "tichu", "titles"}
"""Topics that mention no card."""
ALL = {(game, topic) for game, texts in GAMES.items() for topic in texts}


def whole(game: str) -> str:
    """Return all texts of a game."""
    return "\n".join(text(TO) for text in GAMES[game].values())


def offered(page: Page) -> Iterator[str]:
    """Yield the arguments of the page's enabled controls."""
    for part in parts(page):
        if part["type"] == SELECT:
            yield from (option["value"] for option in part["options"])
        elif part["type"] == BUTTON and not part["disabled"]:
            yield part["custom_id"].split(":", 2)[2]


def shown(page: Page) -> tuple[str, str]:
    """Return the game and the text on a page."""
    head, body, *_ = words(page)
    return head.split("\n")[0].removeprefix("-# "), body


def told(game: str, topic: str = FIRST_TOPIC) -> tuple[str, str]:
    """Return the name of the game and the text that a page of this topic shows."""
    return variant_name(SAY, game), GAMES[game][topic](TO)


def test_topics_have_the_same_order_in_every_game() -> None:
    assert set(VARIANTS) <= set(GAMES)
    for texts in GAMES.values():
        assert next(iter(texts)) == FIRST_TOPIC
        assert list(texts) == [topic for topic in TITLES if topic in texts]
    assert {topic for _, topic in ALL} == set(TITLES)
    assert len({variant_name(SAY, game) for game in GAMES}) == len(GAMES)


@pytest.mark.parametrize("game, topic", sorted(ALL))
def test_texts_are_short_and_complete(game: str, topic: str) -> None:
    text = GAMES[game][topic](TO)
    assert 100 < len(text) <= LONGEST
    assert text.endswith(".")
    assert "  " not in text
    assert text.count("**") % 2 == 0


@pytest.mark.parametrize("game", GAMES)
async def test_every_topic_is_reachable_from_every_page(game: str) -> None:
    found, left = set(), [(game, FIRST_TOPIC)]
    while left:
        at = left.pop()
        if at not in found:
            found.add(at)
            left += map(read_rules_choice, offered(rules_page(TO, at[1], at[0])))
    assert found >= ALL
    known = {shown(rules_page(TO, topic, name)) for name, topic in found}
    assert known == {(TO.variant(name), GAMES[name][topic](TO)) for name, topic in ALL}


async def test_button_leads_to_a_topic() -> None:
    for game, topic in sorted(ALL):
        (button,) = (
            part for part in parts(Page(row(rules_button(TO, game, topic)))) if "custom_id" in part
        )
        assert read_rules_choice(button["custom_id"].split(":", 2)[2]) == (game, topic)


@pytest.mark.parametrize("game", GAMES)
def test_aim_comes_first_and_list_items_are_short(game: str) -> None:
    assert GAMES[game][FIRST_TOPIC](TO).startswith("- **Aim:**")
    points = [point for topic in GAMES[game] for point in GAMES[game][topic](TO).split("\n")]
    assert [point for point in points if len(point) > LONGEST_POINT] == []


@pytest.mark.parametrize("game, topic", sorted(ALL))
async def test_cards_are_shown_and_suits_explained(game: str, topic: str) -> None:
    shown = [card for card in CARDS if card_plain(card) in GAMES[game][topic](TO)]
    assert bool(shown) == (topic not in WITHOUT_CARDS)
    assert "jade" in "".join(words(rules_page(TO, topic, game)))


def test_every_game_has_a_legend_of_the_suits() -> None:
    """Suits in plain text are the signs of cards in plain text."""
    for game in GAMES:
        legend = GAMES[game]["cards"](TO).replace("\u00a0", " ")
        for card, suit in (("J8", "jade"), ("S8", "sword"), ("P8", "pagoda"), ("T8", "star")):
            assert f"{suit} {card_plain(card).removeprefix('8')}" in legend


async def test_another_game_opens_at_the_same_topic_if_possible() -> None:
    assert "tientsin.deal" in set(offered(rules_page(TO, "deal", "trichu")))
    assert shown(rules_page(TO, "table", "tientsin"))[1] == GAMES["tientsin"][FIRST_TOPIC](TO)


@pytest.mark.parametrize(
    "said",
    ["", ".", "deal", "poker.titles", "nanjing", "nanjing.", "nanjing.decks", "..", "x" * 100],
)
async def test_unknown_values_open_the_first_topic(said: str) -> None:
    game, topic = read_rules_choice(said)
    assert shown(rules_page(TO, topic, game)) == (
        variant_name(SAY, FIRST_GAME),
        GAMES[FIRST_GAME][FIRST_TOPIC](TO),
    )


async def test_keeps_the_topic_of_an_unknown_game() -> None:
    assert shown(rules_page(TO, "deal", "poker")) == (
        TO.variant("nanjing"),
        GAMES["nanjing"]["deal"](TO),
    )


async def test_keeps_the_game_of_an_unknown_topic() -> None:
    for said in ("trichu", "trichu.", "trichu.titles", "trichu.deal.deal"):
        game, topic = read_rules_choice(said)
        assert shown(rules_page(TO, topic, game)) == (
            TO.variant("trichu"),
            GAMES["trichu"][FIRST_TOPIC](TO),
        )


async def test_button_of_a_table_opens_its_game() -> None:
    for game in GAMES:
        at = state(begun(Options(variant=game)))
        ids = [
            part.get("custom_id", "")
            for part in parts(more_page(at, TO, seated=True, moderator=False))
        ]
        (said,) = (name.split(":", 4)[4] for name in ids if ":rules:" in name)
        assert read_rules_choice(said) == (game, ""), game


@pytest.mark.parametrize(
    "topic, situation",
    [
        ("tichu", dealt()),
        ("deal", after(dealt(), *(f"{seat} grand:no" for seat in "ABCD"))),
        ("wish", table("TURN A", trick="D MAHJONG wish=8", wish="8", hands={"A": "S9 +5"})),
        ("bombs", table("WINDOW B", trick="D S9", hands={"A": "+5"})),
        ("specials", table("GIFT A", trick="A DRAGON | B pass | C pass | D pass")),
    ],
)
async def test_hand_leads_to_the_relevant_topic(topic: str, situation: Match) -> None:
    page = hand_page(state(situation), 0, TO)
    (said,) = (
        part["custom_id"] for part in parts(page) if ":explain:" in part.get("custom_id", "")
    )
    assert read_rules_choice(said.split(":", 2)[2]) == ("nanjing", topic)


def test_games_do_not_mention_rules_of_others() -> None:
    for game in ("nanjing", "trichu", "tientsin"):
        for word in ("Wretch", "Lord", "decks", "put away"):
            assert word not in whole(game), game
    for word in ("partner", "opponent", "Tichu", "Table", "1,000", "−25", "+25", "count 10"):
        assert word not in whole("grandseigneur")
    for game in ("nanjing", "tientsin"):
        assert "the Table" not in whole(game)
        assert "1,000" in whole(game)
        assert "divisible by three" not in whole(game)
    assert "1,000" not in whole("trichu")
    assert "target" not in whole("trichu")
    assert "eight cards" not in whole("tientsin")
