"""Side-by-side benchmarks: our node and Apache Kafka in one run, the same loads, printed as ratios."""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))  # `peer`: Apache Kafka and our node as processes
