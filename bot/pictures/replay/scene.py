"""Content of the picture of a replay, which is sent to the drawing process as JSON.

`contents` computes scenes, `picture` draws them. Only finished rounds have replays.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from bot.pictures.table.scene import TableScene


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, hide_input_in_errors=True)


class ReplayScene(_Frozen):
    """Picture of one position."""

    kind: Literal["replay"] = "replay"
    table: TableScene
    """Table as its public view shows it, without open cards beside the seats."""
    hands: tuple[tuple[str, ...], ...]
    """Open hand of each seat of the table, in notation without copies; empty if hidden or out."""


class TrickAnimation(_Frozen):
    """Animation of the positions of one trick."""

    kind: Literal["trick"] = "trick"
    scenes: Annotated[tuple[ReplayScene, ...], Field(min_length=1)]
    """Pictures in order."""
