"""The daemon that forks Spark's Python workers."""

import subprocess
import sys

HANGS_UP = """
import os, pyspark.worker, socket
from tidelog.spark import daemon

ours, theirs = socket.socketpair()

def work(infile, outfile):
    theirs.close()
    outfile.write(bytes(1000))

pyspark.worker.main = work
os.environ["PYTHON_DAEMON_KILL_WORKER_ON_FLUSH_FAILURE"] = "1"
print(daemon.worker(ours, True))
"""


def test_a_query_that_has_enough_rows_leaves_no_traceback() -> None:
    done = subprocess.run([sys.executable, "-c", HANGS_UP], capture_output=True, text=True, timeout=60)
    assert (done.stdout, done.stderr) == ("1\n", "")
