"""Players by name for a tournament's command line, with optional settings.

`PLAYERS` lists them. Any other class with the method `choose(view, rng)` can be named by its dotted
path. A name with a commit, such as `expert@b095a39:480`, is the player of that commit
(`bench.commits`).
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Protocol, cast, runtime_checkable

from bench.commits import CommitPlayer
from bench.rounds import Contestant, Player, RandomPlayer
from engine import Action, View
from players.levels import Level, choose, prepare
from players.manners import TASTES, Manner

SECONDS = 0.2
"""The default time limit of the Expert for each decision in seconds."""


@runtime_checkable
class Prepared(Protocol):
    """A player that has to load or compile something first."""

    def prepare(self) -> None:
        """Load and compile it."""


class OfLevel:
    """A computer player of one of the levels that people can choose."""

    def __init__(
        self,
        level: Level,
        seconds: float,
        playouts: int | None = None,
        manner: Manner = "steady",
    ) -> None:
        self.level: Level = level
        self.manner: Manner = manner
        self.seconds = seconds
        self.playouts = playouts

    def prepare(self) -> None:
        """Load and compile the code of this level."""
        prepare(self.level)

    def choose(self, view: View, rng: random.Random) -> Action | None:
        """Return the action of this level; its seed is one number drawn from `rng`."""
        seed = rng.getrandbits(32)
        return choose(self.level, view, seed, self.seconds, self.playouts, manner=self.manner)


class _Computer:
    """A computer of boards."""

    def choose(self, view: View, rng: random.Random) -> Action | None:
        """Return the action of a seat that has to decide; its seed is drawn from `rng`."""
        from players.solo import computer_choice

        return computer_choice(view, rng.randbytes(32))


def _board(setting: str) -> Player:
    _no(setting)
    return _Computer()


def _random(setting: str) -> Player:
    _no(setting)
    return RandomPlayer()


def _novice(setting: str) -> Player:
    """Return the Novice: `novice:bold` has that manner."""
    rest, manner = _mannered(setting)
    _no(rest)
    return OfLevel("novice", 0.0, manner=manner)


def _regular(setting: str) -> Player:
    """Return the Regular: `regular:80` uses 80 playouts, `regular:bold` has that manner."""
    rest, manner = _mannered(setting)
    return OfLevel("regular", 0.0, int(rest) if rest else None, manner)


def _expert(setting: str) -> Player:
    """Return the Expert: `expert:0.05` thinks for 0.05 s a decision, `expert:400` 400 playouts.

    Only a number of playouts makes runs repeatable. `expert:400:bold` has that manner.
    """
    rest, manner = _mannered(setting)
    if rest.isdigit():
        return OfLevel("expert", 0.0, int(rest), manner)
    return OfLevel("expert", float(rest or SECONDS), manner=manner)


def _mannered(setting: str) -> tuple[str, Manner]:
    """Split the manner off the end of a setting, if it has one."""
    rest, _, last = setting.rpartition(":")
    for manner in TASTES:
        if last == manner:
            return rest, manner
    return setting, "steady"


def _quick(setting: str) -> Player:
    """Return the quick policy, which the Expert uses in playouts, as a player.

    `quick:old.json` has the weights of that file.
    """
    from bench.tuning.quick_policy import Quick
    from players.expert.weights import read_weights

    return Quick(read_weights(Path(setting))) if setting else Quick()


def _expert_with(setting: str) -> Player:
    """Return the Expert with other weights: `expert-with:old.json:150` for 150 playouts."""
    from bench.tuning.quick_policy import ExpertWith
    from players.expert.weights import read_weights

    file, _, playouts = setting.rpartition(":")
    return ExpertWith(read_weights(Path(file)), int(playouts))


PLAYERS: Mapping[str, Callable[[str], Player]] = {
    "random": _random,
    "novice": _novice,
    "regular": _regular,
    "board": _board,
    "quick": _quick,
    "expert": _expert,
    "expert-with": _expert_with,
}


def contestant(text: str) -> Contestant:
    """Return the player of this name; raise `ValueError` with a message if there is none."""
    name, _, setting = text.partition(":")
    level, at, commit = name.partition("@")
    if at:
        return _of_commit(f"{level}:{setting}".rstrip(":"), commit)
    if name in PLAYERS:
        return PLAYERS[name](setting)
    module, _, kind = name.rpartition(".")
    if not module:
        raise ValueError(f"there is no player {name!r}, but {', '.join(PLAYERS)}")
    _no(setting)
    return cast(Player, getattr(import_module(module), kind)())


_of_commit = cache(CommitPlayer)
"""Returns the player of another commit; cached, because its process starts slowly."""


def prepare_contestant(text: str) -> None:
    """Load and compile the code of a player, so that its first decision is quick.

    Raises as `contestant` does.
    """
    player = contestant(text)
    if isinstance(player, Prepared):
        player.prepare()


def _no(setting: str) -> None:
    """Raise `ValueError` if there is a setting, for players without any."""
    if setting:
        raise ValueError(f"this player has no settings, hence no {setting!r}")
