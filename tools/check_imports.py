"""Checks that imports inside `tidelog` go one way, and that pure packages import nothing that touches the world."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent / "src" / "tidelog"

# A package may import from its own level's earlier entries and from every earlier level.
LEVELS = [
    {"model"},
    {"kernels"},
    {"ports", "protocol", "config", "security", "metrics"},
    {"raft", "metadata", "replication"},
    {"controller", "coordinator"},
    {"log", "tier"},
    {"runtime"},
    {"broker"},
    {"api"},
    {"server"},
    {"io", "client"},
    {"node", "sim", "spark", "cli", "console", "testing"},
]
LEVEL_OF = {name: level for level, names in enumerate(LEVELS) for name in names}
PURE = {"model", "kernels", "protocol", "raft", "metadata", "replication", "controller", "coordinator"}
WORLD = {"asyncio", "socket", "time", "random", "threading", "subprocess", "uvloop", "select", "shutil", "tempfile"}


def imported(tree: ast.AST) -> list[tuple[int, str]]:
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found += [(node.lineno, alias.name) for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            if node.module == "tidelog":
                found += [(node.lineno, f"tidelog.{alias.name}") for alias in node.names]
            else:
                found.append((node.lineno, node.module))
    return found


def complaints(path: Path) -> list[str]:
    relative = path.relative_to(ROOT)
    package = relative.parts[0].removesuffix(".py")
    if package in {"__init__", "_compiled", "__main__"}:
        return []
    if package not in LEVEL_OF:
        return [f"src/tidelog/{relative}: package '{package}' has no place in tools/check_imports.py; give it one"]
    found = []
    for line, name in imported(ast.parse(path.read_text())):
        place = f"src/tidelog/{relative}:{line}"
        head, _, rest = name.partition(".")
        if head == "tidelog" and rest:
            target = rest.split(".")[0]
            if target not in {package, "_compiled"} and LEVEL_OF.get(target, -1) > LEVEL_OF[package]:
                found.append(f"{place}: '{package}' must not import '{target}', which stands above it")
        elif package in PURE and head in WORLD:
            found.append(f"{place}: '{package}' is pure and must not import '{head}'")
    return found


def main() -> int:
    found = [line for path in sorted(ROOT.rglob("*.py")) for line in complaints(path)]
    print("\n".join(found) or "imports go one way")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
