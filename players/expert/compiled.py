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
from typing import Any, TypeVar

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
        folder = base / f"tichu-{digest.hexdigest()[:16]}"
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError:
            continue
        if os.access(folder, os.W_OK):
            return str(folder)
    return ""


numba.config.CACHE_DIR = _cache_folder()


def compiled(function: _Function) -> _Function:
    """The function in machine code; compiled when first called, then kept on disk."""
    keep = bool(numba.config.CACHE_DIR)
    return numba.njit(cache=keep, error_model="numpy", no_cfunc_wrapper=True)(function)


@intrinsic
def _count(_: Any, bits: Any) -> Any:
    def code(_: Any, builder: Any, __: Any, args: Any) -> Any:
        return builder.ctpop(args[0])

    return bits(bits), code


@intrinsic
def _lowest(_: Any, bits: Any) -> Any:
    def code(_: Any, builder: Any, __: Any, args: Any) -> Any:
        return builder.cttz(args[0], ir.Constant(ir.IntType(1), 0))

    return bits(bits), code


@intrinsic
def _leading(_: Any, bits: Any) -> Any:
    def code(_: Any, builder: Any, __: Any, args: Any) -> Any:
        return builder.ctlz(args[0], ir.Constant(ir.IntType(1), 0))

    return bits(bits), code


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
