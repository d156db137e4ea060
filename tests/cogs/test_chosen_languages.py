"""Language of a text: the chosen one, else that from Discord, else the default."""

from __future__ import annotations

import gettext
from collections.abc import Iterator
from pathlib import Path

import pytest

import bot.text
from bot.ids import GuildId, UserId, optional
from bot.runtime import settings as runtime_settings
from bot.text import SOURCE, speech
from cogs.delivery.message_languages import (
    private_words,
    server_language,
    words_without_interaction,
)
from cogs.pages.verbs import Verb
from engine import Phase
from tests.cogs.fast_forward import fast_forward, reached
from tests.cogs.forged_clicks import forge
from tests.cogs.history_pages import page
from tests.cogs.test_server_settings import manager, section
from tests.cogs.worlds import World, refusal
from tests.simcord_clicks import messages, requests_since, speak, text


class Marked(gettext.NullTranslations):
    """English with the name of a language before each message."""

    def __init__(self, language: str) -> None:
        super().__init__()
        self._language = language

    def gettext(self, message: str) -> str:
        """Return the marked message."""
        return f"{self._language}~{message}"


@pytest.fixture(autouse=True)
def languages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let the bot have English, German, Spanish and French."""
    for language in ("de", "es", "fr"):
        (tmp_path / language).mkdir()
    known = {language: Marked(language) for language in ("de", "es", "fr")}
    monkeypatch.setattr(runtime_settings, "LOCALES", tmp_path)
    monkeypatch.setattr(bot.text, "translations", known.get)
    speech.cache_clear()
    yield
    speech.cache_clear()


def spoken(words: str) -> str:
    """Return the only language of a text."""
    found = {language for language in ("de", "es", "fr") if f"{language}~" in words}
    assert len(found) < 2
    return found.pop() if found else SOURCE


def edited(world: World, cursor: int) -> int:
    """Return how often public messages were edited since then."""
    since = requests_since(world.env, cursor)
    return sum(sent.method == "PATCH" and "/channels/" in sent.path for sent in since)


async def test_uses_the_users_language_in_private_and_the_guilds_in_public(
    world: World,
) -> None:
    """A chosen language has priority and applies at once."""
    world.let_people_hurry()
    mo, (ada,) = manager(world), world.people("Ada")
    clients = {ada.id: "es-419", mo.id: "pl"}
    speak(world.env, clients)
    settings = world.bot.store.personal_settings
    of_server = world.bot.store.server_settings
    shown = page(await ada.slash("tichu settings"))
    assert spoken(text(shown)) == "es"
    await ada.choose(Verb.LANGUAGE, "de", on=shown)
    assert spoken(text(shown)) == "de"
    await ada.slash("tichu new")
    (lobby,) = messages(world.env, world.channel)
    assert spoken(text(lobby)) == "en"

    look = await section(mo, "look")
    assert spoken(text(look)) == "en", "nobody has translated it into Polish: that of the server"
    await mo.choose(Verb.SERVER_SET, "language.fr", args="language", on=look)
    assert of_server.get(GuildId(world.guild.id)).language == "fr"
    assert spoken(text(lobby)) == "fr", "the lobby of before"
    assert spoken(text(look)) == "fr"
    await mo.press(Verb.JOIN, "1", on=lobby)
    await mo.slash("tichu new", thread=True)
    assert [thread.name for thread in world.channel.threads] == ["fr~Tichu with Mo"]
    await ada.press(Verb.FILL, on=lobby)
    await ada.press(Verb.START, on=lobby)
    table, _ = world.newest_with(Verb.HAND)
    assert spoken(text(table)) == "fr"
    cursor = len(world.env.http_requests)
    await mo.choose(Verb.SERVER_SET, "language.usual", args="language", on=look)
    assert of_server.get(GuildId(world.guild.id)).language is None
    assert spoken(text(table)) == "en", "the table of before"
    await mo.choose(Verb.SERVER_SET, "language.en", args="language", on=look)
    assert edited(world, cursor) == 2, "the table and the lobby in the thread, once"
    await fast_forward(world, reached(Phase.ROUND_END))
    result, _ = world.newest_with(Verb.READY)
    assert spoken(text(result)) == "en"
    await mo.choose(Verb.SERVER_SET, "language.de", args="language", on=look)
    assert spoken(text(result)) == "de", "what is played on"

    for value in ("xx", "en-US", "../de", ""):
        refused = await forge(ada, shown, "s:language:", [value])
        assert refusal("unknown-button") in text(page(refused)).replace("de~", "")
    assert (await settings.get(UserId(ada.id))).language == "de"
    await ada.choose(Verb.LANGUAGE, "usual", on=shown)
    assert spoken(text(shown)) == "es"

    await ada.choose(Verb.LANGUAGE, "de", on=shown)
    world.let_people_hurry(0)
    settings.forget(UserId(ada.id))  # it is read again, as after a restart
    assert spoken(text(page(await ada.press(Verb.SETTINGS, on=shown)))) == "de"
    settings.forget(UserId(ada.id))
    assert spoken(text(page(await ada.slash("tichu settings")))) == "de"


async def test_direct_messages_use_the_language_of_the_last_click(
    world: World,
) -> None:
    """It is stored only for users who want such messages, as long as they do."""
    world.let_people_hurry()
    (ada,), clients = world.people("Ada"), dict[int, str]()
    speak(world.env, clients)
    clients[ada.id] = "fr"
    elsewhere = world.env.create_guild("Elsewhere", preferred_locale="es-ES").id

    async def seen() -> tuple[str | None, str]:
        """Return the stored language, and that of a direct message from a guild."""
        noted = await world.bot.store.personal_settings.get(UserId(ada.id))
        words = words_without_interaction(world.bot, UserId(ada.id), GuildId(elsewhere))
        return noted.seen_language, words.say.language

    shown = page(await ada.slash("tichu settings"))
    assert await seen() == (None, "es")
    await ada.press(Verb.NUDGES, on=shown)
    await ada.choose(Verb.NUDGE_WAY, "direct", on=shown)
    assert await seen() == ("fr", "fr")
    clients[ada.id] = "de"
    await ada.slash("tichu rules")
    await world.restart()
    assert await seen() == ("de", "de")
    await world.bot.store.personal_settings.switch_to_mentions(UserId(ada.id))
    assert await seen() == (None, "es")
    await ada.slash("tichu rules")
    assert await seen() == (None, "es")
    clients[ada.id] = "pl"
    await ada.choose(Verb.NUDGE_WAY, "direct", on=shown)
    assert await seen() == ("pl", "es"), "nobody has translated it into Polish"


async def test_guild_without_a_known_language_has_that_of_the_bot(world: World) -> None:
    """Discord reports American English for every guild that is no community.

    A language that the bot does not have counts as none, too.
    """
    other = GuildId(world.env.create_guild("Other", preferred_locale="fr").id)
    polish = world.env.create_guild("Polish", preferred_locale="pl").id
    british = world.env.create_guild("British", preferred_locale="en-GB").id
    world.bot.settings = world.bot.settings.model_copy(update={"default_language": "de"})
    guilds = (world.guild.id, other, 1, polish, british)
    found = [server_language(world.bot, GuildId(guild)) for guild in guilds]
    assert found == ["de", "fr", "de", "de", "en-GB"]
    readers = [
        private_words(world.bot, UserId(1), "pl", optional(GuildId, guild))
        for guild in (None, *guilds)
    ]
    assert [words.say.language for words in readers] == ["de", *("de", "fr", "de", "de", "en")]
    assert private_words(world.bot, UserId(1), "en-GB", other).say.language == "en"
    guild = world.bot.get_guild(world.guild.id)
    assert guild is not None
    guild.features = ["COMMUNITY"]
    assert server_language(world.bot, GuildId(world.guild.id)) == "en-US"
