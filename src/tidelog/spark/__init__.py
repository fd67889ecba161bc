"""Spark on Tidelog: `format("tidelog")` for any PySpark session.

`register(spark)` makes the format known to a session that you have; `session()` gives a local one.
"""

from __future__ import annotations

from tidelog.spark.java import NotReady
from tidelog.spark.session import check_ready, register, session

__all__ = ["NotReady", "check_ready", "register", "session"]
