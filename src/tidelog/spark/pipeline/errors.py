"""What a person did wrong in a pipeline, as a sentence that says what to do."""

from __future__ import annotations

from tidelog.client.errors import ClientError


class PipelineError(ClientError):
    """A pipeline that cannot be what its author wanted."""
