"""What can go wrong when inflating bytes that somebody sent."""

from __future__ import annotations


class DecompressionFailed(ValueError):
    """The bytes are not what their codec says they are."""


class DecompressionTooLarge(DecompressionFailed):
    """Inflating would pass the caller's bound."""

    def __init__(self, codec: str, max_bytes: int) -> None:
        super().__init__(f"{codec} data inflates to more than the {max_bytes} bytes allowed")
