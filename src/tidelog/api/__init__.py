"""ported: one file per Kafka API, named by its key."""
