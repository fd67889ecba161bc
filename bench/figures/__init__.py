"""The figures, found by looking: a file here that defines a `Figure` is one more benchmark, in the order of `ORDER`."""

from importlib import import_module
from pkgutil import iter_modules

from bench.figure import Figure

ORDER = (
    "start",
    "memory",
    "produce",
    "consume",
    "requests",
    "latency",
    "segments",
    "connections",
    "commits",
    "transactions",
    "rebalance",
    "groups",
    "record_check",
    "sendfile",
    "tiered",
)


def all_figures() -> dict[str, Figure]:
    """Every figure by its name: the known ones first, then any other file of this folder."""
    names = sorted(module.name for module in iter_modules(__path__))
    names.sort(key=lambda name: ORDER.index(name) if name in ORDER else len(ORDER))
    found: dict[str, Figure] = {}
    for name in names:
        module = import_module(f"{__name__}.{name}")
        figure = module.FIGURE
        assert isinstance(figure, Figure)
        found[figure.name] = figure
    return found
