"""A fixed share of the record fuzzer; `python -m fuzz.records` runs it for as long as wanted."""

import pytest
from fuzz.records import run

from support.kernels import BOTH, use_kernels


@pytest.mark.parametrize("form", BOTH)
@pytest.mark.parametrize("seed", range(3))
def test_nothing_that_is_read_from_strangers_does_harm(seed: int, form: str, monkeypatch: pytest.MonkeyPatch) -> None:
    use_kernels(monkeypatch, form)
    run(seed, 700)
