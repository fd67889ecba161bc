"""The lines that scripts parse."""

from tidelog.cli.kafka_consumer_perf_test import Figures, header, java_date, progress_line, total_line
from tidelog.cli.perf_stats import PerfStats, Throttle


class Clock:
    def __init__(self) -> None:
        self.ms = 1000

    def __call__(self) -> int:
        return self.ms


def test_the_total_line() -> None:
    clock = Clock()
    stats = PerfStats(4, 5000, clock)
    clock.ms += 2000
    stats.record([10, 20, 30, 40], 4 * 1024 * 1024)
    assert stats.total_line() == (
        "4 records sent, 2.000000 records/sec (2.00 MB/sec), 25.00 ms avg latency, 40.00 ms max latency, "
        "30 ms 50th, 40 ms 95th, 40 ms 99th, 40 ms 99.9th."
    )


def test_a_window_line_when_the_interval_is_over(capsys: object) -> None:
    clock = Clock()
    stats = PerfStats(100, 500, clock)
    stats.record([5], 1024)
    clock.ms += 500
    stats.record([15], 1024)
    shown = capsys.readouterr().out  # type: ignore[attr-defined]
    assert shown == "2 records sent, 4.0 records/sec (0.00 MB/sec), 10.0 ms avg latency, 15.0 ms max latency.\n"


def test_latencies_are_sampled_when_there_are_many() -> None:
    stats = PerfStats(5_000_000, 0, Clock())
    for _ in range(10):
        stats.record(list(range(1000)), 1)
    assert len(stats._samples) == 1000


def test_the_throttle_rests_only_when_it_is_ahead() -> None:
    throttle = Throttle(100, 10.0)
    assert throttle.delay(50, 10.25) == 0.25
    assert throttle.delay(50, 11.0) == 0.0
    assert Throttle(-1, 0.0).delay(1000, 0.0) == 0.0


def test_consumer_lines() -> None:
    figures = Figures(1_700_000_000_000)
    figures.records, figures.bytes, figures.join_ms = 1000, 2 * 1024 * 1024, 500
    fields = total_line(figures, 1_700_000_002_000, "yyyy").split(", ")
    assert len(fields) == len(header(False).split(", "))
    assert fields[2:] == ["2.0000", "1.0000", "1000", "500.0000", "500", "1500", "1.3333", "666.6667"]
    assert len(progress_line(figures, 1_700_000_001_000, "yyyy").split(", ")) == len(header(True).split(", "))


def test_java_dates() -> None:
    assert java_date(1_700_000_000_123, "SSS 'at' yyyy") == "123 at 2023"
