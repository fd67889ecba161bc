"""Errors as Apache's tools print them: the class of the Java exception, which scripts look for, then a sentence."""

from __future__ import annotations

from tidelog.protocol.errors import ErrorCode, KafkaError

# Most classes are named after the error code; these are not.
_IRREGULAR = {
    ErrorCode.KAFKA_STORAGE_ERROR: "KafkaStorage",
    ErrorCode.NON_EMPTY_GROUP: "GroupNotEmpty",
    ErrorCode.REQUEST_TIMED_OUT: "Timeout",
    ErrorCode.MESSAGE_TOO_LARGE: "RecordTooLarge",
    ErrorCode.UNKNOWN_SERVER_ERROR: "UnknownServer",
    ErrorCode.INVALID_TOPIC_EXCEPTION: "InvalidTopic",
    ErrorCode.TOPIC_ALREADY_EXISTS: "TopicExists",
}


def java_error(error: KafkaError) -> str:
    """`org.apache.kafka.common.errors.GroupNotEmptyException: the sentence`."""
    return f"{java_class(error.code)}: {error.message}"


def java_class(code: ErrorCode) -> str:
    name = _IRREGULAR.get(code) or "".join(word.capitalize() for word in code.name.split("_"))
    return f"org.apache.kafka.common.errors.{name}Exception"
