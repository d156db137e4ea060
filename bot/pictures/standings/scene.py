"""Content of a picture of standings, which is sent to the drawing process as JSON."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from bot.pictures.descriptions import Name


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, hide_input_in_errors=True)


class Slot(_Frozen):
    """Place of a pair in a match of a bracket."""

    names: tuple[Name, ...] = ()
    """Names of the pair; none if it is not known yet."""
    total: str = ""
    """Points of the pair in the match, if it was played."""
    outcome: Literal["open", "won", "lost"] = "open"
    """Result of the match for the pair."""


Tree = Annotated[tuple[tuple[Slot | None, ...], ...], Field(min_length=2)]
"""Slots of each round from top to bottom, each round half as many, and the winner at the end.

Two neighbouring slots are a match, whose winner has the slot of the next round. A slot without an
opponent, because of a bye, has `None` in its place.
"""


class Bracket(_Frozen):
    """Matches of a knock-out."""

    kind: Literal["bracket"] = "bracket"
    title: Name
    """Title of the tournament."""
    round: str
    """Name of the round."""
    tree: Tree
    """Matches that lead to the first place."""
    third_place: str
    """Heading of the match for the third place."""
    third: Tree | None = None
    """Match for the third place, once it is drawn."""


class Column(_Frozen):
    """Column of values in a table."""

    sign: str
    """Heading, which is short and the same in all languages."""
    word: str
    """Meaning of the heading."""


class Row(_Frozen):
    """Row of a table."""

    place: str
    names: tuple[Name, ...]
    """Names of the pair."""
    values: tuple[str, ...]
    """Value in each column."""
    won: bool = False
    """True for winners of the tournament."""
    withdrawn: bool = False
    """True if the pair plays no more rounds."""
    cells: tuple[str, ...] = ()
    """Score against the pair of each row; empty without a match, and if there is no cross table."""


class StandingsTable(_Frozen):
    """Table of a tournament, and for few pairs also the cross table."""

    kind: Literal["standings"] = "standings"
    title: Name
    """Title of the tournament."""
    round: str
    """Name of the round."""
    columns: tuple[Column, ...]
    """Columns of values, the most important first."""
    rows: Annotated[tuple[Row, ...], Field(min_length=1)]
    """Rows, best first."""
    more: str = ""
    """Text about the pairs without a row, if there are any."""


Standings = Bracket | StandingsTable
