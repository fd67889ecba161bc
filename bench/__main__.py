"""`./dev bench`: run the figures and print ours beside Apache Kafka's."""

import argparse
import sys
from pathlib import Path

from confluent_kafka import KafkaException

from bench import ROOT, load, page, report, wire
from bench.figure import APACHE, OURS, Figure, Samples
from bench.figures import all_figures
from bench.lab import Lab
from bench.progress import Progress
from peer.jars import VERSION
from peer.toolchain import INSTALL, missing


def parse(figures: dict[str, Figure]) -> argparse.Namespace:
    listing = "\n".join(f"  {name:<14} {figure.title}" for name, figure in figures.items())
    parser = argparse.ArgumentParser(
        prog="./dev bench",
        description="Run the same loads on Apache Kafka and on our node, and print what each one cost.",
        epilog=f"figures:\n{listing}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("figures", nargs="*", metavar="FIGURE", help="which ones to run; all when none is named")
    parser.add_argument("--quick", action="store_true", help="a third of the load, once: under three minutes for all")
    parser.add_argument("--repeat", type=int, metavar="N", help="how often each load runs on each node (3; quick: 1)")
    parser.add_argument("--only", choices=(OURS, APACHE), help="leave the other node out")
    parser.add_argument("--json", type=Path, metavar="PATH", help="where the samples go (.cache/bench/last.json)")
    parser.add_argument("--write-docs", action="store_true", help="put this run's figures into docs/benchmarks.md")
    options = parser.parse_args()
    for name in options.figures:
        if name not in figures:
            parser.error(f"there is no figure '{name}'; ./dev bench --help lists them")
    return options


def nodes(only: str | None) -> tuple[str, ...]:
    """Which nodes run. Without Java or Maven ours runs alone, and says so."""
    if only == OURS:
        return (OURS,)
    absent = missing("java", "mvn")
    if absent:
        needed = " and ".join(INSTALL[name] for name in absent)
        print(f"Apache Kafka is left out: it needs {needed}.", file=sys.stderr)
        return (OURS,)
    return (APACHE,) if only == APACHE else (APACHE, OURS)


def measure(chosen: list[Figure], options: argparse.Namespace) -> dict[Figure, Samples]:
    repeats = options.repeat or (1 if options.quick else 3)
    progress = Progress(sum(figure.expected_s for figure in chosen) * (0.25 if options.quick else 1.0))
    lab = Lab(nodes(options.only), options.quick, repeats, progress)
    results: dict[Figure, Samples] = {}
    try:
        for figure in chosen:
            results[figure] = samples = Samples()
            try:
                figure.measure(lab, samples)
            except (RuntimeError, TimeoutError, KafkaException) as failure:
                samples.notes.append(f"not measured: {failure}")
    finally:
        lab.close()
        progress.close()
    return results


def main() -> int:
    figures = all_figures()
    options = parse(figures)
    wire.raise_file_limit()
    try:
        results = measure([figures[name] for name in options.figures or figures], options)
    except load.CannotMeasure as lack:
        print(lack, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("stopped", file=sys.stderr)
        return 130
    print(report.table(results))
    repeat = [f"--repeat {options.repeat}"] if options.repeat else []
    command = " ".join(["./dev bench", *options.figures, *(["--quick"] if options.quick else []), *repeat])
    about = report.facts(command, {"Apache Kafka": VERSION, "librdkafka": Path(load.librdkafka()).name})
    report.write_json(options.json or load.CACHE / "last.json", results, about)
    if options.write_docs:
        docs = ROOT / "docs" / "benchmarks.md"
        docs.write_text(page.page(docs.read_text(), figures.values(), results, about))
    print(report.verdict(results))
    return 0


if __name__ == "__main__":
    sys.exit(main())
