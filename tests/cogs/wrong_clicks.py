"""Random clicks from wrong people and places, with wrong ids, values and fields.

They go through discord.py's parser of interactions and the bot's listener, one after the other and
without a network.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Sequence
from typing import Any, NamedTuple

import discord
from simcord import interactions
from simcord.backend import serializers
from simcord.backend.models import Message
from simcord.enums import InteractionType

from bot.ids import TableId
from bot.table.options import TableOptions
from bot.table.state import Game
from cogs.clicks.click import read_click
from cogs.pages.controls import read_id
from cogs.pages.verbs import Verb
from engine import card_text, indices
from tests.cogs.arena import Aim, Arena, Place
from tests.cogs.forged_clicks import ARGUMENTS, VALUES
from tests.simcord_clicks import Person

BUTTON, SELECT, PEOPLE, ROLES, CHANNELS = 2, 3, 5, 6, 8
KINDS = {"b": BUTTON, "s": SELECT, "u": PEOPLE, "c": CHANNELS, "r": ROLES, "m": SELECT}
UNKNOWN = 77
"""Number of a table that does not exist."""
_EPHEMERAL, _V2 = 1 << 6, 1 << 15
_NONSENSE = ("no-such-verb", "a", "join-", "-")
_WRONG_TYPES: tuple[Any, ...] = (None, 0, -1, 10**30, 1.5, True, [], ["0"], {}, {"id": "0"})
_ODD = {
    "to-member": "u",
    "invite": "u",
    "honours": "c",
    "server-channels": "c",
    "server-role": "r",
    "set-options": "m",
    "set-defaults": "m",
}
_SELECTS = (
    *("swap", "add-computer", "remove-computer", "option", "rules", "cards", "play", "bomb"),
    *("match", "replay-round", "save", "leaders", "sorting", "language", "turn-call", "quiet"),
    *("server-set", "server-default", "review-of"),
)


class WrongClick(NamedTuple):
    """A click before it is sent."""

    aim: Aim
    revision: int
    custom_id: str
    component_type: int
    data: dict[str, Any]
    """Interaction data of the control, without its id."""
    private: bool
    """True if the control is on a private message."""
    modal: bool = False
    """True if the interaction claims to be a submitted form."""

    def about(self, table_id: int) -> WrongClick:
        """Return the same click for another table."""
        kind, _, rest = self.custom_id.partition(":")
        _, _, ending = rest.partition(":")
        changed = f"{kind}:{table_id}:{ending}"
        aim = self.aim._replace(table_id=table_id)
        return self._replace(aim=aim, custom_id=changed)


def _meant(custom_id: str, aim: Aim) -> tuple[Aim, int]:
    """Return the aim that the id expresses, and its revision."""
    found = read_id(custom_id)
    if found is not None:
        seat = int(found["seat"]) if found["seat"] else None
        named = aim._replace(verb=found["verb"], table_id=int(found["table"] or 0), seat=seat)
        return named, int(found["revision"] or 0)
    return aim, 0


class Clicker:
    """Draws clicks and sends them."""

    def __init__(self, arena: Arena, seed: int) -> None:
        self.arena = arena
        self.rng = random.Random(seed)
        self._pages: dict[tuple[Place, int, bool], Message] = {}
        self._places = {person.id: arena.places_of(person) for person in arena.people}

    # --- drawing -------------------------------------------------------------------------------

    def draw(self) -> WrongClick:
        """Return a random click, often one that would be right from somebody else."""
        rng, tables = self.rng, self.arena.places
        verb: str = rng.choice(tuple(Verb)) if rng.random() < 0.97 else rng.choice(_NONSENSE)
        table_id = rng.choice([*tables, *tables, 0, UNKNOWN, 10**15 - 1])
        table = self.arena.world.bot.tables.find(TableId(table_id))
        near = [person for person in self.arena.people if self.arena.sits(person, table)]
        person = rng.choice(near if near and rng.random() < 0.4 else self.arena.people)
        place = rng.choice(self._places[person.id])
        if rng.random() < 0.4 and tables.get(table_id) in self._places[person.id]:
            place = tables[table_id]
        now = table.revision if table is not None else 0
        revision = rng.choice([now, now, now, max(0, now - 1), now + 1, 0, 10**9 - 1])
        seat = rng.choice([None, None, None, None, 0, 1, 2, 3, 5, 99])
        aim = Aim(person, place, verb, table_id, seat)
        kind = _ODD.get(verb, "s" if verb in _SELECTS and rng.random() < 0.7 else "b")
        if rng.random() < 0.1:
            kind = rng.choice("bsucrm")
        args = self._args(aim) if rng.random() < 0.6 else rng.choice(ARGUMENTS)
        acting = "" if seat is None else f"@{seat}"
        custom_id = f"{kind}:{table_id}:{revision}{acting}:{verb}:{args}"
        if rng.random() < 0.03:
            custom_id = self._mutated(custom_id)
            aim, revision = _meant(custom_id, aim)
        component_type = KINDS[kind] if rng.random() < 0.97 else rng.choice((*KINDS.values(), 7))
        data = self._data(component_type, aim, args)
        modal = rng.random() < (0.98 if custom_id.startswith("m:") else 0.02)
        return WrongClick(aim, revision, custom_id, component_type, data, rng.random() < 0.5, modal)

    def _mutated(self, custom_id: str) -> str:
        """Return an id with a random defect."""
        rng, place = self.rng, self.rng.randrange(len(custom_id))
        broken = rng.choice(["", ":", "@", "-1", "٣", "9" * 30, "\n", "é", " ", "\0"])
        return custom_id[:place] + broken + custom_id[place + rng.choice([0, 1, 5]) :]

    def _args(self, aim: Aim) -> str:
        """Return arguments as such a control has them, often with cards of somebody's hand."""
        rng, table = self.rng, self.arena.world.bot.tables.find(TableId(aim.table_id))
        number, verb = str(rng.randrange(5)), aim.verb
        if isinstance(table, Game) and verb in (
            *("play", "wish", "bomb", "bombs", "give", "pick", "cards", "do", "hint", "dog"),
        ):
            held = list(indices(rng.choice(table.round.hands).cards))
            cards = rng.sample(held, min(len(held), rng.choice([1, 1, 2, 3, 5])))
            named = ",".join(card_text(card) for card in cards).replace("#", "_")
            play = f"{sum(1 << card for card in cards):x}."
            return rng.choice([named, play, f"{play}>8", f"play>{play}", f"give>{named}", number])
        texts = {
            "join": number,
            "take-seat": number,
            "no-seat": number,
            "sit": number,
            "grand": rng.choice(["yes", "no"]),
            "withdraw": rng.choice(["yes", "no"]),
            "auto-pass": "on.1",
            "rules": "nanjing.tichu",
            "explain": "nanjing.wish",
            "history": f"0.{rng.choice(list(self.arena.places.values())).channel_id}.0.older",
            "replay": "1.0.open.trick.on",
            "replay-view": "1.0.open.trick.view",
            "animate": "1.9.open.trick.trick",
            "shared-replay": f"1.0.open.trick.on.{rng.choice(self.arena.people).id}",
            "share-replay": "1.0.open.trick.share",
            "tables": rng.choice(["here.0", "server.0", "mine.1"]),
            "proof": "1",
            "save": "1",
            "set-options": table.options.digest if table is not None else "",
            "set-defaults": TableOptions().digest,
            "profile": f"{rng.choice(self.arena.people).id}.",
            "achievements": f"{rng.choice(self.arena.people).id}.",
            "accuracy": f"{rng.choice(self.arena.people).id}.nanjing",
            "accuracy-list": f"{rng.choice(self.arena.people).id}.nanjing",
            "server": rng.choice(["tables", "defaults", "people", "look"]),
            "server-channels": "0",
            "server-role": rng.choice(["opener", "invitation"]),
            "server-set": rng.choice(["pictures.off", "nudge_s.20", "tables_each.2"]),
            "server-default": rng.choice(["target.500", "variant.trichu"]),
            "quiet": rng.choice(["from", "until"]),
            "share-profile": f"{rng.choice(self.arena.people).id}.nanjing",
        }
        switch = rng.choice(["on", "off", number, ""])
        return texts.get(verb, switch)

    def _data(self, component_type: int, aim: Aim, args: str) -> dict[str, Any]:
        """Return the values of a select, and the objects they stand for."""
        rng = self.rng
        if component_type == BUTTON:
            return {} if rng.random() < 0.95 else {"values": ["0"]}
        if component_type in (PEOPLE, ROLES, CHANNELS) and rng.random() < 0.7:
            return self._resolved(component_type)
        good = [str(table) for table in self.arena.places] if aim.verb == "match" else [args]
        good += {
            "option": ["target.500", "hints.on", "variant.trichu"],
            "set-options": ["target.500", "hints.on", "turn_limit_s.60"],
            "set-defaults": ["target.500", "computers.novice"],
            "swap": ["0", "1", "2"],
            "save": ["txt.round", "json.match"],
            "sorting": ["rank"],
            "language": ["en", "usual"],
            "turn-call": ["direct", "none"],
            "quiet": ["1320", "none"],
            "server-set": ["language.en", "nudge_s.20", "tables_each.2"],
            "server-default": ["target.500", "variant.trichu"],
        }.get(aim.verb, [])
        pool: Sequence[Any] = (*good * 8, *VALUES)
        values = [rng.choice(pool) for _ in range(rng.choice([0, 1, 1, 1, 2, 2, 25]))]
        if rng.random() < 0.1:
            values.append(rng.choice(_WRONG_TYPES))
        return {"values": values}

    def _resolved(self, component_type: int) -> dict[str, Any]:
        """Return members, roles or channels of any guild, as chosen in a select."""
        backend, rng = self.arena.world.env.backend, self.rng
        if component_type == PEOPLE:
            user = backend.get_user(rng.choice(self.arena.people).id)
            chosen = {str(user.id): dict(serializers.user_payload(user))}
            return {"values": list(chosen), "resolved": {"users": chosen}}
        if component_type == ROLES:
            guild = rng.choice(list(backend.guilds.values()))
            role = rng.choice(list(guild.roles.values()))
            chosen = {str(role.id): dict(serializers.role_payload(role))}
            return {"values": list(chosen), "resolved": {"roles": chosen}}
        channel = backend.get_channel(rng.choice(list(self.arena.places.values())).channel_id)
        payload = dict(serializers.channel_payload(backend, channel)) | {"permissions": "0"}
        return {"values": [str(channel.id)], "resolved": {"channels": {str(channel.id): payload}}}

    # --- sending -------------------------------------------------------------------------------

    async def send(self, click: WrongClick) -> int | None:
        """Let the bot handle a click; return the id of the interaction if it has to answer it.

        Like discord.py with an event of Discord, but nothing else runs meanwhile.
        """
        backend, bot = self.arena.world.env.backend, self.arena.world.bot
        person, place = click.aim.person, click.aim.place
        data = {"custom_id": click.custom_id, "component_type": click.component_type, **click.data}
        kind = InteractionType.MODAL_SUBMIT if click.modal else InteractionType.MESSAGE_COMPONENT
        record, payload = interactions.base_payload(
            backend,
            type=kind,
            channel_id=place.channel_id,
            guild_id=place.guild_id,
            user_id=person.id,
            data=data,
        )
        page = self._page(person, place, private=click.private)
        record.source_message_id = page.id
        payload["message"] = dict(serializers.message_payload(backend, page))
        control: dict[str, Any] = {"type": click.component_type, "custom_id": click.custom_id}
        if click.component_type == BUTTON:
            control |= {"style": 2, "label": "?"}
        if click.component_type == SELECT:
            control["options"] = [{"label": "?", "value": "0"}]
        payload["message"]["components"] = [{"type": 1, "components": [control]}]
        state = bot._connection
        with self.arena.world.env._bot_scope():
            if click.modal:
                values = click.data.get("values", [])
                data["components"] = [{"type": 18, "component": {"type": 3, "values": values}}]
            interaction = discord.Interaction(data=payload, state=state)  # type: ignore[arg-type]
            if read_click(interaction) is not None:
                listeners = bot.cogs["Listeners"]
                handling = listeners.on_interaction(interaction)  # type: ignore[attr-defined]
                await asyncio.create_task(handling)  # each click has a task of its own
                return record.id
        del backend.interactions[record.id]  # it is not the bot's
        return None

    def _page(self, person: Person, place: Place, *, private: bool) -> Message:
        """Return a message of the bot there; a private one belongs to this user."""
        key = (place, person.id if private else 0, private)
        backend = self.arena.world.env.backend
        known = self._pages.get(key)
        if known is None or known.id not in backend.messages[place.channel_id]:
            self._pages[key] = backend.create_message(
                place.channel_id,
                backend.bot_user.id,
                "",
                flags=_V2 | (_EPHEMERAL if private else 0),
                components=[{"type": 10, "content": "A page"}],
            )
        return self._pages[key]
