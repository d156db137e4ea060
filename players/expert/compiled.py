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
import re
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
MARKER = "compiled-by-tichu-bot"
"""File in each cache folder that this module has made. Folders without it are never removed."""
_NAME = re.compile(r"tichu-[0-9a-f]{16}")
_OLD_CACHES = 2
"""Number of cache folders of older sources to keep, as these may be in use."""
_ANY_PROCESSOR = {"x86_64": "x86-64-v2", "AMD64": "x86-64-v2"}
"""Target of code compiled ahead, by kind of machine; for other machines it is generic."""


def cache_folder() -> str:
    """Return the cache folder for these sources, or an empty string if none is writable."""
    digest = hashlib.sha256(numba.__version__.encode())
    for source in sorted(_HERE.rglob("*.py")):
        digest.update(source.read_bytes())
    name = f"tichu-{digest.hexdigest()[:16]}"
    configured = os.environ.get("NUMBA_CACHE_DIR")
    bases = (
        [Path(configured)] if configured else [_HERE / "__pycache__", Path(tempfile.gettempdir())]
    )
    for base in bases:
        folder = base / name
        try:
            _copy_precompiled(name, folder)
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            if os.access(folder, os.W_OK) and _is_own(folder):
                (folder / MARKER).touch()
                _remove_old_caches(base, folder)
                return str(folder)
        except OSError:
            continue
    return ""


def _copy_precompiled(name: str, folder: Path) -> None:
    """Create the cache folder from code that was compiled ahead, if there is such code."""
    ahead = os.environ.get("COMPILED_AHEAD")
    if not ahead or folder.exists() or not Path(ahead, name).is_dir():
        return
    folder.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    # Renamed only when complete, so that no other process reads half of it.
    with tempfile.TemporaryDirectory(dir=folder.parent, prefix="new-") as temporary:
        shutil.copytree(Path(ahead, name), Path(temporary, name))
        Path(temporary, name).chmod(0o700)
        Path(temporary, name).rename(folder)


def _remove_old_caches(base: Path, current: Path) -> None:
    """Remove the cache folders of older sources, except the newest ones."""
    others = [
        folder
        for folder in base.iterdir()
        if _NAME.fullmatch(folder.name)
        and folder != current
        and _is_own(folder)
        and (folder / MARKER).is_file()
    ]
    for old in sorted(others, key=lambda folder: folder.stat().st_mtime)[:-_OLD_CACHES]:
        shutil.rmtree(old, ignore_errors=True)


def _is_own(folder: Path) -> bool:
    """Return whether the folder belongs to this user; code in others' folders must not be run."""
    return not hasattr(os, "getuid") or folder.lstat().st_uid == os.getuid()


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
    return _jit(function, _nrt=False)


def compiled_with_arrays(function: _Function) -> _Function:
    """Compile the decorated function like `compiled`, but let it make arrays."""
    return _jit(function)


def _jit(function: _Function, **settings: Any) -> _Function:
    """Decorate a function with numba's just-in-time compiler."""
    _config.CACHE_DIR = _FOLDER  # another player in this process may have changed it
    settings |= {"cache": bool(_FOLDER), "error_model": "numpy", "no_cfunc_wrapper": True}
    machine_code: Any = numba.njit(**settings)(function)
    add_function(
        lambda: bool(machine_code.overloads),
        lambda: bool(_FOLDER and machine_code.stats.cache_misses),
    )
    return cast(_Function, machine_code)


def _instruction(name: str, *flags: int) -> Any:
    """Return a function of a 64-bit number that compiles to one instruction of LLVM.

    `flags` are the further operands of the instruction.
    """

    def signature_and_code(_: Any, bits: Any) -> Any:
        def code(_: Any, builder: Any, __: Any, arguments: Any) -> Any:
            operands = [ir.Constant(ir.IntType(1), flag) for flag in flags]
            return getattr(builder, name)(arguments[0], *operands)

        return bits(bits), code

    return intrinsic(signature_and_code)


_count = _instruction("ctpop")
_lowest = _instruction("cttz", 0)  # 0: the result for 0 is defined


@compiled
def count(bits: int) -> int:
    """Return the number of bits set."""
    return _count(bits)


@compiled
def lowest(bits: int) -> int:
    """Return the number of the lowest bit set; 64 if there is none."""
    return _lowest(bits)
