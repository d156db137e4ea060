"""Cards as text until Discord has all faces, then as pictures from the next edit."""

from __future__ import annotations

import re

from bot.art.emojis import Emojis
from cogs.pages.verbs import Verb
from tests.cogs.table_play import HandPlayer, seat_all
from tests.cogs.worlds import World

PICTURE, LETTERS = re.compile(r"<:(jade|sword|pagoda|star)_\w+:\d+>"), re.compile("[◎⚔🏯★]")


def looks(player: HandPlayer) -> tuple[bool, bool]:
    """Return whether a hand has cards as pictures, and cards as text."""
    return bool(PICTURE.search(player.text())), bool(LETTERS.search(player.text()))


async def test_hands_show_pictures_from_their_next_edit(world: World) -> None:
    pictures, world.bot.art = world.bot.art, Emojis.plain()
    players = await seat_all(world, world.people("Ada", "Ben", "Cai", "Dan"))
    assert [looks(player) for player in players] == [(False, True)] * 4
    world.bot.art = pictures
    assert [looks(player) for player in players] == [(False, True)] * 4, "nothing was edited"
    for player in players:
        await player.press_with(Verb.GRAND, "no")
    assert [looks(player) for player in players] == [(True, False)] * 4
