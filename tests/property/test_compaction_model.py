"""Random logs, compacted again and again, against a model; `./dev soak compaction` plays ten thousand."""

from __future__ import annotations

import pytest

from support.compaction_model import play


@pytest.mark.parametrize("first", range(0, 300, 50))
def test_random_logs_become_what_the_model_says(first: int) -> None:
    for seed in range(first, first + 50):
        play(seed)
