"""Seeds of the tiered storage story; `python -m tidelog.sim.tier_story 0-4999` plays more of them."""

import logging
from collections.abc import Iterator

import pytest

from tidelog.sim.tier_story import Story, play

# Seeds 10 and 24 once found a defect; the others are as good as any.
SEEDS = [0, 1, 2, 3, 10, 24]


@pytest.fixture(autouse=True)
def quiet() -> Iterator[None]:
    logging.disable(logging.CRITICAL)
    yield
    logging.disable(logging.NOTSET)


@pytest.mark.parametrize("seed", SEEDS)
def test_every_record_stays_readable(seed: int) -> None:
    story = play(seed)
    assert story.reads


def test_a_seed_tells_the_same_story_twice() -> None:
    first, second = play(3), play(3)
    assert first.topic.values == second.topic.values
    assert first.store.objects == second.store.objects


def test_the_story_notices_a_store_that_is_trusted_blindly(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without reading back what was stored, altered bytes replace the local copy for good."""
    failed = 0
    for seed in range(200, 230):
        story = Story(seed)
        story.store.faults = story.store.faults._replace(altered_put=0.3)
        monkeypatch.setattr("tidelog.sim.tier_story._faults", lambda random: story.store.faults)  # noqa: B023
        monkeypatch.setattr("tidelog.tier.upload.Uploader._prove", _trusting)
        try:
            story.loop.run_until_complete(story.run())
        except AssertionError:
            failed += 1
            break
    assert failed


async def _trusting(*_: object) -> None:
    pass
