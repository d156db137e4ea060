"""How the Expert's inner loops are compiled: by numba, once for each change of the sources.

Compiled code is kept beside the sources, or in `NUMBA_CACHE_DIR` when that is set. Numba looks only
at the file of each function, so the folder is named after the sources of all of them.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
from llvmlite import ir
from numba.extending import intrinsic

_Function = TypeVar("_Function", bound=Callable[..., Any])
_HERE = Path(__file__).parent


def _cache_folder() -> str:
    """A folder for these sources that can be written to."""
    digest = hashlib.sha256(numba.__version__.encode())
    for source in sorted(_HERE.glob("*.py")):
        digest.update(source.read_bytes())
    chosen = os.environ.get("NUMBA_CACHE_DIR")
    bases = [Path(chosen)] if chosen else [_HERE / "__pycache__", Path(tempfile.gettempdir())]
    for base in bases:
        folder = base / f"expert-2026-11-{digest.hexdigest()[:16]}"
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError:
            continue
        if os.access(folder, os.W_OK) and _own(folder):
            return str(folder)
    return ""


def _own(folder: Path) -> bool:
    """Whether nobody else can have put code there: what is read from it is run."""
    return not hasattr(os, "getuid") or folder.stat().st_uid == os.getuid()


_config: Any = numba.config
_FOLDER = _cache_folder()


def compiled(function: _Function) -> _Function:
    """The function in machine code; compiled when first called, then kept on disk."""
    _config.CACHE_DIR = _FOLDER  # the Expert of today has another one in the same process
    keep = bool(_FOLDER)
    settings: dict[str, Any] = {"error_model": "numpy", "no_cfunc_wrapper": True}
    made: Any = numba.njit(cache=keep, **settings)(function)
    return cast(_Function, made)


def _instruction(name: str, *flags: int) -> Any:
    """A function of a 64-bit number that is one instruction of the processor."""

    def typed(_: Any, bits: Any) -> Any:
        def code(_: Any, builder: Any, __: Any, numbers: Any) -> Any:
            given = [ir.Constant(ir.IntType(1), flag) for flag in flags]
            return getattr(builder, name)(numbers[0], *given)

        return bits(bits), code

    return intrinsic(typed)


_count = _instruction("ctpop")
_lowest = _instruction("cttz", 0)
_leading = _instruction("ctlz", 0)


@compiled
def count(bits: int) -> int:
    """The number of bits set."""
    return _count(bits)


@compiled
def lowest(bits: int) -> int:
    """The number of the lowest bit set; 64 if there is none."""
    return _lowest(bits)


@compiled
def highest(bits: int) -> int:
    """The number of the highest bit set; -1 if there is none."""
    return 63 - _leading(bits)
