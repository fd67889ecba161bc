"""Values of records to columns and back: JSON, Avro, Protobuf, text, raw bytes; what does not decode has an error."""
