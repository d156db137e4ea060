"""Compilation of the Expert's inner loops by numba.

Compiled code is cached beside the sources, or in `NUMBA_CACHE_DIR` if that is set. Its folder is
named after a digest of all sources, because numba only notices a change in the file of a function,
not in the functions that it calls.

`COMPILED_AHEAD` names a folder with code that was compiled beforehand, for example in a Docker
image. The code is copied from there, because numba reads only from folders that it can write to. If
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

from players.preparation import add_function

_Function = TypeVar("_Function", bound=Callable[..., Any])
_HERE = Path(__file__).parent
_KEPT = 2
"""Number of cache folders of older sources to keep."""
_ANY_PROCESSOR = {"x86_64": "x86-64-v2", "AMD64": "x86-64-v2"}
"""Target processor of such code by kind of machine; a generic one for others."""


def cache_folder() -> str:
    """Return the cache folder of these sources; empty if none is writable."""
    digest = hashlib.sha256(numba.__version__.encode())
    for source in sorted(_HERE.rglob("*.py")):
        digest.update(source.read_bytes())
    name = f"tichu-{digest.hexdigest()[:16]}"
    chosen = os.environ.get("NUMBA_CACHE_DIR")
    bases = [Path(chosen)] if chosen else [_HERE / "__pycache__", Path(tempfile.gettempdir())]
    for base in bases:
        folder = base / name
        try:
            _copy_precompiled(name, folder)
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError:
            continue
        if os.access(folder, os.W_OK) and _is_own(folder):
            _remove_old_caches(base, folder)
            return str(folder)
    return ""


def _copy_precompiled(name: str, folder: Path) -> None:
    """Copy code that was compiled beforehand, if there is any and the folder is missing."""
    ahead = os.environ.get("COMPILED_AHEAD")
    if not ahead or folder.exists() or not Path(ahead, name).is_dir():
        return
    folder.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent, prefix="new-") as unfinished:
        shutil.copytree(Path(ahead, name), Path(unfinished, name))
        Path(unfinished, name).chmod(0o700)
        Path(unfinished, name).rename(folder)


def _remove_old_caches(base: Path, current: Path) -> None:
    """Remove caches of older sources, except the newest, which may be in use."""
    others = [folder for folder in base.glob("tichu-*") if folder != current and _is_own(folder)]
    for old in sorted(others, key=lambda folder: folder.stat().st_mtime)[:-_KEPT]:
        shutil.rmtree(old, ignore_errors=True)


def _is_own(folder: Path) -> bool:
    """Return whether the folder belongs to this user.

    Otherwise another user could have put code there to be run.
    """
    return not hasattr(os, "getuid") or folder.stat().st_uid == os.getuid()


_config: Any = numba.config
_FOLDER = cache_folder()
if os.environ.get("COMPILED_AHEAD"):
    _config.CPU_NAME = _ANY_PROCESSOR.get(platform.machine(), "generic")
    _config.CPU_FEATURES = ""


def compiled(function: _Function) -> _Function:
    """Compile the decorated function on its first call, and cache the code on disk.

    The function must not make arrays or call a function that does, or it does not compile;
    `compiled_with_arrays` is for those. Without arrays numba needs no reference counts, which makes
    the Expert a quarter faster.
    """
    return _compiled(function, _nrt=False)


def compiled_with_arrays(function: _Function) -> _Function:
    """Compile the decorated function like `compiled`, but let it make arrays."""
    return _compiled(function)


def _compiled(function: _Function, **settings: Any) -> _Function:
    _config.CACHE_DIR = _FOLDER  # another player in this process may have changed it
    settings |= {"cache": bool(_FOLDER), "error_model": "numpy", "no_cfunc_wrapper": True}
    machine_code: Any = numba.njit(**settings)(function)
    add_function(lambda: bool(machine_code.overloads))
    return cast(_Function, machine_code)


def _instruction(name: str, *flags: int) -> Any:
    """Return a function of a 64-bit number that is one processor instruction."""

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
    """Return the number of bits set."""
    return _count(bits)


@compiled
def lowest(bits: int) -> int:
    """Return the number of the lowest bit set; 64 if there is none."""
    return _lowest(bits)
