"""How the Expert's inner loops are compiled: by numba, once for each change of the sources.

Compiled code is kept beside the sources, or in `NUMBA_CACHE_DIR` when that is set. Its folder is
named after a digest of all sources, because numba itself only notices a change in the file of the
function, not in the functions that it calls.

`COMPILED_AHEAD` names a folder with code that was compiled beforehand, in a Docker image for
example. The code is copied from there, because numba only reads from where it can also write. When
that variable is set, code is compiled for all processors of this kind, not only for this one.
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

from players.preparation import can_be_compiled

_Function = TypeVar("_Function", bound=Callable[..., Any])
_HERE = Path(__file__).parent
_KEPT = 2
"""The number of folders of older sources that are kept."""
_ANY_PROCESSOR = {"x86_64": "x86-64-v2", "AMD64": "x86-64-v2"}
"""The processor that such code is compiled for, by kind of machine; others: a generic one."""


def cache_folder() -> str:
    """The folder for the compiled code of these sources; empty if none can be written to."""
    digest = hashlib.sha256(numba.__version__.encode())
    for source in sorted(_HERE.rglob("*.py")):
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
    """Remove compiled code of older sources, but for the newest folders: they may be in use."""
    others = [folder for folder in base.glob("tichu-*") if folder != current and _own(folder)]
    for old in sorted(others, key=lambda folder: folder.stat().st_mtime)[:-_KEPT]:
        shutil.rmtree(old, ignore_errors=True)


def _own(folder: Path) -> bool:
    """Whether the folder is this user's, so that nobody else can have put code there to be run."""
    return not hasattr(os, "getuid") or folder.stat().st_uid == os.getuid()


_config: Any = numba.config
_FOLDER = cache_folder()
if os.environ.get("COMPILED_AHEAD"):
    _config.CPU_NAME = _ANY_PROCESSOR.get(platform.machine(), "generic")
    _config.CPU_FEATURES = ""


def compiled(function: _Function) -> _Function:
    """Decorator: the function is compiled when it is first called, then kept on disk.

    The function must not make arrays, nor call one that does, or it does not compile; for those
    there is `compiled_with_arrays`. In return numba does not count references to the arrays that it
    is given, which makes the Expert a quarter faster.
    """
    return _compiled(function, _nrt=False)


def compiled_with_arrays(function: _Function) -> _Function:
    """Decorator: as `compiled`, for functions that make arrays or call functions that do."""
    return _compiled(function)


def _compiled(function: _Function, **settings: Any) -> _Function:
    _config.CACHE_DIR = _FOLDER  # another player in this process may have set its own
    settings |= {"cache": bool(_FOLDER), "error_model": "numpy", "no_cfunc_wrapper": True}
    machine_code: Any = numba.njit(**settings)(function)
    can_be_compiled(lambda: bool(machine_code.overloads))
    return cast(_Function, machine_code)


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
