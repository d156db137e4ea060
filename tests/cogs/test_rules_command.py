"""`/tichu rules` and the Rules button of a table, by clicks in all games."""

from __future__ import annotations

from dataclasses import replace

import pytest
from simcord import InteractionResult, ResponseMessage

from bot.table.options import TableOptions
from bot.text.cards import variant_name
from bot.text.rules import FIRST_TOPIC, GAMES, TITLES
from cogs.pages.verbs import Verb
from engine import Options
from tests.cogs.forged_clicks import VALUES, forge
from tests.cogs.table_play import seat_without_hands
from tests.cogs.worlds import SAY, World
from tests.simcord_clicks import Control, Person, has, text, with_verb

PEOPLE = ("Ada", "Ben", "Cai", "Dan")


def page(result: InteractionResult) -> ResponseMessage:
    """Return the private page that was the answer."""
    assert result.response is not None
    assert result.response.ephemeral
    return result.response


def is_at(message: ResponseMessage, game: str, topic: str = FIRST_TOPIC) -> bool:
    """Return whether a page shows this topic of this game."""
    head, title, *_ = text(message).split("\n")
    return (head, title) == (f"-# {variant_name(SAY, game)}", f"### {TITLES[topic](SAY)}")


def topics(message: ResponseMessage) -> Control:
    """Return the select for the other topics."""
    (select,) = (control for control in with_verb(message, Verb.RULES) if control.is_select)
    return select


async def to_game(person: Person, message: ResponseMessage, game: str) -> ResponseMessage:
    """Press the button of another game."""
    (button,) = (
        control
        for control in with_verb(message, Verb.RULES)
        if not control.is_select and control.args.startswith(game + ".")
    )
    return page(await person.member.click(message, custom_id=button.custom_id))


async def test_opens_every_topic_of_a_game(world: World, subtests: pytest.Subtests) -> None:
    world.let_people_hurry()
    (ada,) = world.people("Ada")
    for game, names in GAMES.items():
        with subtests.test(game=game):
            shown = page(await ada.slash("tichu rules", variant=game))
            assert is_at(shown, game)
            select = topics(shown)
            assert len(select.options) <= 25
            assert [option.value for option in select.options] == [f"{game}.{at}" for at in names]
            for topic in names:
                value = f"{game}.{topic}"
                result = await ada.member.select(shown, [value], custom_id=topics(shown).custom_id)
                assert page(result).id == shown.id
                assert is_at(shown, game, topic)
                asked = page(await ada.slash("tichu rules", variant=game, topic=topic))
                assert is_at(asked, game, topic)


async def test_opens_every_game_from_any_other(world: World) -> None:
    (ada,) = world.people("Ada")
    shown = page(await ada.slash("tichu rules", topic="scoring"))
    assert is_at(shown, "nanjing", "scoring")
    for game in ("trichu", "tientsin", "grandseigneur", "nanjing"):
        assert (await to_game(ada, shown, game)).id == shown.id
        # Grand Seigneur has no scoring, so the first topic follows
        topic = "scoring" if game in ("trichu", "tientsin") else FIRST_TOPIC
        assert is_at(shown, game, topic)


async def test_opens_a_game_that_has_the_topic(world: World) -> None:
    (ada,) = world.people("Ada")
    shown = page(await ada.slash("tichu rules", topic="titles"))
    assert is_at(shown, "grandseigneur", "titles")  # the first game that has it
    shown = page(await ada.slash("tichu rules", topic="table", variant="grandseigneur"))
    assert is_at(shown, "grandseigneur")


async def test_opens_the_game_of_the_channels_table(
    world: World, monkeypatch: pytest.MonkeyPatch, subtests: pytest.Subtests
) -> None:
    world.let_people_hurry()
    (ada,) = world.people("Ada")
    other = Person(world.env, ada.member, world.guild.create_text_channel("other"))
    await ada.slash("tichu new")
    table = world.table()
    for game in GAMES:
        with subtests.test(game=game):
            here = replace(table, options=TableOptions(rules=Options(variant=game)))
            find = {world.channel.id: here}.get
            monkeypatch.setattr(world.bot.tables, "in_channel", find)
            assert is_at(page(await ada.slash("tichu rules")), game)
            assert is_at(page(await ada.slash("tichu rules", topic="bombs")), game, "bombs")
            assert is_at(page(await ada.slash("tichu rules", variant="trichu")), "trichu")
            assert is_at(page(await other.slash("tichu rules")), "nanjing")


async def test_button_of_a_table_opens_its_game(world: World) -> None:
    people = world.people(*PEOPLE)
    await seat_without_hands(world, people)
    await people[0].press(Verb.MORE)
    assert is_at(page(await people[0].press(Verb.RULES)), "nanjing")
    private = people[0].private()[-1]
    await people[0].choose(Verb.RULES, "nanjing.bombs", on=private)
    await people[0].press(Verb.MORE, on=private)
    assert has(private, Verb.LAST_TRICK, Verb.FAIR_DEAL)
    message, button = world.newest_with(Verb.MORE)
    for game in GAMES:
        custom_id = button.custom_id.replace("more:", f"rules:{game}")
        assert is_at(page(await forge(people[1], message, custom_id)), game)


async def test_topic_opens_beside_a_hand(world: World) -> None:
    """The hand stays on the screen."""
    people = world.people(*PEOPLE)
    await seat_without_hands(world, people)
    ada = people[0]
    hand = page(await ada.press(Verb.HAND))
    before = text(hand)
    assert is_at(page(await ada.press(Verb.EXPLAIN, on=hand)), "nanjing", "tichu")
    for topic in ("tichu", "wish", "bombs"):
        shown = page(await forge(ada, hand, f"b:explain:nanjing.{topic}"))
        assert is_at(shown, "nanjing", topic)
        assert shown.id != hand.id
    assert text(hand) == before


async def test_forged_choices_open_the_first_topic(world: World) -> None:
    world.let_people_hurry()
    (ada,) = world.people("Ada")
    for values in [[value] for value in (*VALUES, "poker.titles", "nanjing.titles")] + [[]]:
        shown = page(await ada.slash("tichu rules", topic="bombs", variant="trichu"))
        await forge(ada, shown, topics(shown).custom_id, values)
        assert is_at(shown, "nanjing"), values
