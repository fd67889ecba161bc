"""The same steps against our node and against Apache Kafka, and a comparison of what each answered."""
