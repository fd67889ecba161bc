"""Builds the hot loops: each file of `tidelog/kernels` compiled by Cython into `tidelog/_compiled`.

The same Python source serves as the fallback, so a machine without a C compiler gets a working, slower package.
"""

import shutil
import tempfile
from pathlib import Path

from setuptools import Extension, setup

KERNELS = Path("src/tidelog/kernels")
COMPILED = Path("src/tidelog/_compiled")
BUILD = Path("build")  # relative, as setuptools wants its sources
DIRECTIVES = {
    "language_level": 3,
    "boundscheck": False,
    "wraparound": False,
    "cdivision": True,
    "initializedcheck": False,
    "annotation_typing": False,  # the .pxd says the types; annotations are for mypy
}


def stage(folder: Path) -> list[Path]:
    """Copies the kernels to a place of the name `tidelog._compiled`, because Cython finds a .pxd by its package.

    The place is not the package itself: a copy left there would be imported as if it were compiled, and two builds at
    once would meet in it.
    """
    package = folder / "tidelog" / "_compiled"
    package.mkdir(parents=True)
    for init in (package, package.parent):
        (init / "__init__.py").touch()
    sources = []
    for pxd in sorted(KERNELS.glob("*.pxd")):
        shutil.copy(pxd, package)
        sources.append(Path(shutil.copy(pxd.with_suffix(".py"), package)))
    return sources


def extensions(folder: Path) -> list[Extension]:
    try:
        from Cython.Build import cythonize
    except ImportError:
        return []
    found = [
        Extension(f"tidelog._compiled.{source.stem}", [str(source)], extra_compile_args=["-O2", "-g0"])
        for source in stage(folder)
    ]
    built: list[Extension] = cythonize(found, compiler_directives=DIRECTIVES, include_path=[str(folder)], quiet=True)
    for extension in built:
        extension.optional = True  # set here because cythonize does not carry it over
    return built


COMPILED.mkdir(exist_ok=True)
(COMPILED / "__init__.py").touch()
BUILD.mkdir(exist_ok=True)
with tempfile.TemporaryDirectory(dir=BUILD, prefix="kernels-") as staging:
    setup(ext_modules=extensions(Path(staging)))
