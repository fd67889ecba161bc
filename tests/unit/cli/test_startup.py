"""Asking for help is quick because nothing heavy is imported."""

import subprocess
import sys
import time

import pytest

TOOLS = [
    "kafka_topics",
    "kafka_configs",
    "kafka_get_offsets",
    "kafka_dump_log",
    "kafka_delete_records",
    "kafka_log_dirs",
    "kafka_broker_api_versions",
    "kafka_console_producer",
    "kafka_console_consumer",
    "kafka_producer_perf_test",
    "kafka_consumer_perf_test",
    "kafka_storage",
    "kafka_server_start",
    "main",
    "up",
    "tide_topic",
    "tide_cluster",
    "tide_config",
    "tide_log",
    "tide_perf",
]
HEAVY = {"asyncio", "uvloop", "ssl", "socket", "logging", "dataclasses", "cramjam", "crc32c", "prometheus_client"}
OURS = ("tidelog.protocol", "tidelog.client", "tidelog.node", "tidelog.log", "tidelog.kernels", "tidelog.config")

SCRIPT = """
import sys, contextlib, io
from importlib import import_module
sys.argv = ["tool", "--help"]
module = import_module("tidelog.cli." + {name!r})
with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
    try:
        module.main()
    except SystemExit:
        pass
print(*sys.modules)
"""


@pytest.mark.parametrize("name", TOOLS)
def test_help_imports_nothing_heavy(name: str) -> None:
    began = time.perf_counter()
    done = subprocess.run([sys.executable, "-c", SCRIPT.format(name=name)], capture_output=True, text=True, check=True)
    print(f"{name}: {(time.perf_counter() - began) * 1000:.0f} ms")
    loaded = done.stdout.split()
    assert not HEAVY & set(loaded)
    assert not [module for module in loaded if module.startswith(OURS)]
