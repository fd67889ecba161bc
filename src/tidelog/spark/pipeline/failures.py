"""The sentence inside Spark's exceptions: what a person needs, without the stack of two languages."""

from __future__ import annotations

import re

_RAISED = re.compile(r"^(?:[\w.]+\.)?(\w+(?:Error|Exception|Loss|NotReady|Undecodable)): (\S[^\n]*)", re.MULTILINE)
_CARRIERS = ("Py4JJavaError", "Py4JError", "SparkException", "StreamingQueryException", "PythonException")
_OURS = ("OptionError", "PipelineError", "ClientError", "SettingError", "DataLoss", "KafkaError", "NotReady")


def sentence(error: BaseException) -> str:
    """The innermost message: Python's last line in a worker, or the first line of what Spark says."""
    texts = [str(each) for each in _causes(error)]
    raised = [pair for text in texts for pair in _RAISED.findall(text) if pair[0] not in _CARRIERS]
    if raised:
        name, said = raised[-1]
        return str(said) if name in _OURS else f"{name}: {said}"
    for text in reversed(texts):
        lines = [line for line in text.splitlines() if line.strip() and not line.startswith("\tat ")]
        if len(lines) > 1 and lines[0].startswith("An error occurred while calling"):
            lines = [re.sub(r"^: (?:[\w.$]+: )?", "", lines[1])]
        if lines:
            return re.sub(r"^\[[A-Z0-9_.]+\] |\s*SQLSTATE: .*$", "", lines[0])
    return type(error).__name__


def is_worker_late(error: BaseException) -> bool:
    """Spark gives a Python process ten seconds to start, which a busy machine may not keep; nothing is wrong then."""
    return any("Python worker failed to connect back" in str(each) for each in _causes(error))


def _causes(error: BaseException) -> list[BaseException]:
    """From the outermost to the innermost, through the causes that Spark keeps of the JVM's exceptions."""
    found: list[BaseException] = []
    each: BaseException | None = error
    while each is not None and each not in found:
        found.append(each)
        each = getattr(each, "_cause", None) or each.__cause__
    return found
