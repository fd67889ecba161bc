"""Ten thousand random logs, compacted again and again, against a model: `./dev soak compaction [--logs N] [--from N]`.

A failure names its seed; `--from SEED --logs 1` plays it again.
"""

from __future__ import annotations

import argparse
import sys

from support.compaction_model import play


def main() -> int:
    parser = argparse.ArgumentParser(prog="./dev soak compaction", description=__doc__.partition("\n")[0])
    parser.add_argument("--logs", type=int, default=10_000)
    parser.add_argument("--from", dest="first", type=int, default=0)
    given = parser.parse_args()
    for seed in range(given.first, given.first + given.logs):
        play(seed)
        if (seed + 1 - given.first) % 1000 == 0:
            print(f"{seed + 1 - given.first} logs as the model says", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
