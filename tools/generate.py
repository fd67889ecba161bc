"""Runs every generator of the repository; `--check` fails when a generated file is stale instead of writing it.

A generator is a module of `tools/generators` with `outputs() -> dict[path relative to the root, content]`.
"""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))


def outputs() -> dict[str, str]:
    found: dict[str, str] = {}
    for path in sorted((ROOT / "tools" / "generators").glob("[a-z]*.py")):
        found |= importlib.import_module(f"tools.generators.{path.stem}").outputs()
    return found


def main() -> int:
    check = "--check" in sys.argv
    stale = []
    for name, content in outputs().items():
        path = ROOT / name
        if path.exists() and path.read_text() == content:
            continue
        stale.append(name)
        if not check:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content)
    if check and stale:
        print("stale: " + ", ".join(stale[:10]) + "; run ./dev gen and commit the result")
        return 1
    print("generated files are fresh" if not stale else f"wrote {len(stale)} files")
    return 0


if __name__ == "__main__":
    sys.exit(main())
