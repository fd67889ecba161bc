"""The steps of the sink's protocol by name, so that a test can stop the world at each of them.

A program that sets TIDELOG_SPARK_STEPS to `module:function` has that function called with the name of every step, in
the process that reaches it. Without it a step costs one look-up.
"""

from __future__ import annotations

import os
from importlib import import_module

VARIABLE = "TIDELOG_SPARK_STEPS"
STEPS = (
    "driver taken over",
    "task taken over",
    "task wrote some",
    "task wrote all",
    "commit begins",
    "intent written",
    "offsets written",
    "decided",
    "one task ended",
    "all tasks ended",
)
LAKE_STEPS = ("lake staged", "lake committed")
"""Those of a lake table's commit, on the driver."""


def reached(name: str) -> None:
    hook = os.environ.get(VARIABLE)
    if hook:
        assert name in STEPS + LAKE_STEPS, name
        module, _, function = hook.partition(":")
        getattr(import_module(module), function)(name)
