"""Real peers for tests: Apache Kafka from its Maven jars, our own node as a process, clients in other languages."""
