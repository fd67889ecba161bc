"""A bounded share of the exactly-once soak: real workers, a real node, real kills, an independent judge."""

from pathlib import Path

from soak.exactly_once import Soak


def test_nothing_is_lost_doubled_torn_or_seen_after_an_abort(tmp_path: Path) -> None:
    soak = Soak(tmp_path, records=2_000, workers=2, seed=7, abort=0.1, batch=5)
    assert soak.run(kill_every_s=60, quiet=True, rounds=4) == []
    assert soak.kills["worker"] + soak.kills["node"] >= 3
