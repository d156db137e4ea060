"""Tables shown by a picture, and the content of their message."""

from __future__ import annotations

from simcord import ResponseMessage

from bot.pictures.table.contents import table_scene
from bot.pictures.table.scene_text import scene_text
from bot.table.state import Lobby, OpenTable
from bot.text.cards import Speaker
from cogs.delivery.table_pictures import QUIET_S
from cogs.delivery.uploads import PATIENCE_S
from cogs.pages.table.lobby import lobby_page
from cogs.pages.table.page import table_page
from cogs.pages.verbs import Verb
from engine import Match, Phase
from tests.cogs.delivery.uploads import (
    files_of,
    gallery_items,
    same_text,
)
from tests.cogs.fast_forward import fast_forward, reached
from tests.cogs.table_painters import TablesSlowly, picture_of
from tests.cogs.table_play import always_asked, sit_down
from tests.cogs.worlds import SAY, World
from tests.simcord_clicks import messages

PEOPLE = ("Ada", "Ben", "Cai", "Dan")


async def begin(world: World) -> None:
    """Let four people join and play up to the first lead."""
    ada, *others = world.people(*PEOPLE)
    await always_asked(world, ada, *others)
    await ada.slash("tichu new", target=5000)
    await world.env.advance_time(PATIENCE_S)
    await sit_down(world, others)
    await world.env.advance_time(PATIENCE_S)
    await ada.press(Verb.START)
    await world.env.advance_time(PATIENCE_S)
    await fast_forward(world, reached(Phase.LEAD))


async def all_ready(world: World, painter: TablesSlowly) -> None:
    """Let everything be drawn, until the newest picture is ready."""
    await world.env.advance_time(PATIENCE_S)
    while painter.at_work:
        painter.finish()
        await world.env.settle()
        await world.env.advance_time(QUIET_S)


async def change(world: World) -> None:
    """Let time pass until the next play is on the table."""
    seq = world.game().seq

    def played(match: Match) -> bool:
        return match.phase is Phase.ROUND_END or len(_plays(match)) > before

    before = len(_plays(world.game().match))
    await fast_forward(world, played)
    assert world.game().seq > seq


def _plays(match: Match) -> list[object]:
    """Return the plays of this round, without passes."""
    assert match.round is not None
    past = [step for trick in match.round.past for step in trick.steps]
    return [step for step in (*past, *match.round.trick) if step.combination is not None]


def deal_words(world: World) -> Speaker:
    """Return the speaker of public messages."""
    return Speaker(SAY, world.bot.art)


def table_message(world: World) -> ResponseMessage:
    """Return the message that shows the table."""
    wanted = world.game().messages.table
    (found,) = [m for m in messages(world.env, world.channel) if m.id == wanted]
    return found


def shows_picture(world: World, message: ResponseMessage, state: OpenTable) -> bool:
    """Return whether the message shows the picture of this state and no other."""
    scene = table_scene(state, deal_words(world))
    return (
        [data for _, data in files_of(message)] == [picture_of(scene)]
        and [item["media"]["url"].rpartition("/")[2] for item in gallery_items(message)]
        == [name for name, _ in files_of(message)]
        and [item["description"] for item in gallery_items(message)]
        == [scene_text(scene, deal_words(world))]
    )


def shows_words(world: World, message: ResponseMessage) -> bool:
    """Return whether the message shows the table in text alone."""
    table, words = world.table(), deal_words(world)
    page = lobby_page(table, words) if isinstance(table, Lobby) else table_page(table, words)
    return (files_of(message), gallery_items(message)) == ([], []) and same_text(message, page)


def edits(world: World, since: int) -> int:
    """Return how often messages of the channel were edited since then."""
    return sum(
        request.method == "PATCH" and request.path.startswith("/channels/")
        for request in world.env.http_requests[since:]
    )
