"""Builds the hot loops: each file of `tidelog/kernels` compiled by Cython into `tidelog/_compiled`.

The same Python source serves as the fallback, so a machine without a C compiler gets a working, slower package.
"""

import fcntl
import shutil
from pathlib import Path

from setuptools import Extension, setup

KERNELS = Path("src/tidelog/kernels")
STAGING = Path("src/tidelog/_compiled")


def stage() -> list[str]:
    """Copies the kernels beside their compiled names, because Cython pairs a .py with the .pxd of the same package."""
    STAGING.mkdir(exist_ok=True)
    (STAGING / "__init__.py").write_text("")
    names = []
    for pxd in sorted(KERNELS.glob("*.pxd")):
        shutil.copy(pxd, STAGING / pxd.name)
        shutil.copy(pxd.with_suffix(".py"), STAGING / f"{pxd.stem}.py")
        names.append(pxd.stem)
    return names


def extensions() -> list[Extension]:
    try:
        from Cython.Build import cythonize
    except ImportError:
        return []
    found = [
        Extension(f"tidelog._compiled.{name}", [str(STAGING / f"{name}.py")], extra_compile_args=["-O3"], optional=True)
        for name in stage()
    ]
    directives = {
        "language_level": 3,
        "boundscheck": False,
        "wraparound": False,
        "cdivision": True,
        "initializedcheck": False,
        "annotation_typing": False,  # the .pxd says the types; annotations are for mypy
    }
    return cythonize(found, compiler_directives=directives, quiet=True) if found else []


STAGING.mkdir(exist_ok=True)
lock = (STAGING / ".lock").open("w")
fcntl.flock(lock, fcntl.LOCK_EX)  # two builds at once would take each other's staged files away
try:
    setup(ext_modules=extensions())
finally:  # also after a failure: a staged copy left behind would be imported as if it were compiled
    for leftover in STAGING.glob("*") if STAGING.exists() else ():
        if leftover.suffix in {".c", ".pxd"} or (leftover.suffix == ".py" and leftover.stem != "__init__"):
            leftover.unlink()
