"""A bounded, repeatable share of the fuzz target."""

import tracemalloc

from fuzz.decode import run


def test_mutated_messages_are_refused_or_read() -> None:
    tried, accepted = run(runs=15_000, seed=20_240)
    # A mutation may leave a message behind, for instance in the bytes of a string; most do not.
    assert 0 < accepted < tried // 2


def test_refusing_allocates_little() -> None:
    """The inputs are at most some ten kilobytes; a length that is believed before it is checked would show."""
    run(runs=200, seed=1)
    tracemalloc.start()
    try:
        run(runs=1_000, seed=2)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 8 << 20
