"""How the Expert's inner loops are compiled: by numba, once for each change of the sources.

Compiled code is kept beside the sources, or in `NUMBA_CACHE_DIR` when that is set. Numba looks only
at the file of each function, so the folder is named after the sources of all of them.

`COMPILED_AHEAD` names a folder with code that was compiled beforehand, in a Docker image for
example. It is copied from there, as numba only reads code from where it can also write. Where that
variable is set the code is made for any processor of the kind, not only for the one at hand.
"""

from __future__ import annotations

import hashlib
import os
import platform
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
from llvmlite import ir
from numba.extending import intrinsic

_Function = TypeVar("_Function", bound=Callable[..., Any])
_HERE = Path(__file__).parent
_KEPT = 2
"""The number of folders of older sources that are kept."""
_ANY_PROCESSOR = {"x86_64": "x86-64-v2", "AMD64": "x86-64-v2"}
"""What code for any processor may use, by kind; other kinds: what all of them have."""


def cache_folder() -> str:
    """A folder for the code of these sources that can be written to; empty if there is none."""
    digest = hashlib.sha256(numba.__version__.encode())
    for source in sorted(_HERE.glob("*.py")):
        digest.update(source.read_bytes())
    name = f"tichu-{digest.hexdigest()[:16]}"
    chosen = os.environ.get("NUMBA_CACHE_DIR")
    bases = [Path(chosen)] if chosen else [_HERE / "__pycache__", Path(tempfile.gettempdir())]
    for base in bases:
        folder = base / name
        try:
            _take_over(name, folder)
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError:
            continue
        if os.access(folder, os.W_OK) and _own(folder):
            _sweep(base, folder)
            return str(folder)
    return ""


def _take_over(name: str, folder: Path) -> None:
    """Copy what was compiled beforehand, if there is such code and none in this folder."""
    ahead = os.environ.get("COMPILED_AHEAD")
    if not ahead or folder.exists() or not Path(ahead, name).is_dir():
        return
    folder.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent, prefix="new-") as unfinished:
        shutil.copytree(Path(ahead, name), Path(unfinished, name))
        Path(unfinished, name).chmod(0o700)
        Path(unfinished, name).rename(folder)


def _sweep(base: Path, current: Path) -> None:
    """Remove what was compiled from sources of long ago; the last few may still be in use."""
    others = [folder for folder in base.glob("tichu-*") if folder != current and _own(folder)]
    for old in sorted(others, key=lambda folder: folder.stat().st_mtime)[:-_KEPT]:
        shutil.rmtree(old, ignore_errors=True)


def _own(folder: Path) -> bool:
    """Whether nobody else can have put code there: what is read from it is run."""
    return not hasattr(os, "getuid") or folder.stat().st_uid == os.getuid()


_config: Any = numba.config
_FOLDER = cache_folder()
if os.environ.get("COMPILED_AHEAD"):
    _config.CPU_NAME = _ANY_PROCESSOR.get(platform.machine(), "generic")
    _config.CPU_FEATURES = ""


def compiled(function: _Function) -> _Function:
    """The function in machine code; compiled when first called, then kept on disk.

    It must not make arrays, nor call what does: such code does not compile (`compiled_with_arrays`
    is for that). In return numba does not count who uses the arrays passed to it, which makes the
    Expert a quarter faster.
    """
    return _compiled(function, _nrt=False)


def compiled_with_arrays(function: _Function) -> _Function:
    """As `compiled`, for functions that make arrays or call what does."""
    return _compiled(function)


def _compiled(function: _Function, **settings: Any) -> _Function:
    _config.CACHE_DIR = _FOLDER  # another player in this process may have set its own
    settings |= {"cache": bool(_FOLDER), "error_model": "numpy", "no_cfunc_wrapper": True}
    made: Any = numba.njit(**settings)(function)
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


@compiled
def count(bits: int) -> int:
    """The number of bits set."""
    return _count(bits)


@compiled
def lowest(bits: int) -> int:
    """The number of the lowest bit set; 64 if there is none."""
    return _lowest(bits)
