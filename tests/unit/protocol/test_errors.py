"""The error table's own promises; that it is Apache's table is checked in the conformance tests."""

from tidelog.protocol.errors import ErrorCode, KafkaError


def test_codes_have_no_gap_and_each_a_sentence() -> None:
    assert [code.value for code in ErrorCode] == list(range(-1, len(ErrorCode) - 1))
    assert len({code.message for code in ErrorCode}) == len(ErrorCode)
    assert all(code.message.endswith(".") for code in ErrorCode)


def test_a_code_is_an_int_of_the_wire() -> None:
    assert ErrorCode.NOT_COORDINATOR == 16
    assert ErrorCode.of(16) is ErrorCode.NOT_COORDINATOR
    assert ErrorCode.of(30_000) is ErrorCode.UNKNOWN_SERVER_ERROR


def test_an_error_says_what_the_code_means_unless_told_better() -> None:
    assert str(KafkaError(ErrorCode.NOT_CONTROLLER)) == ErrorCode.NOT_CONTROLLER.message
    error = KafkaError(ErrorCode.INVALID_CONFIG, "retention.ms must be at least -1")
    assert error.code is ErrorCode.INVALID_CONFIG
    assert "retention.ms" in str(error)
