"""Tidelog: a distributed, replicated, append-only log that speaks Kafka."""

__version__ = "0.1.0"
