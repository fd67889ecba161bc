"""Properties files as settings for clients and tools."""

from __future__ import annotations

from pathlib import Path

from tidelog.client.errors import SettingError
from tidelog.config.properties import parse_properties


def read_properties(path: str) -> dict[str, str]:
    try:
        return parse_properties(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        reason = (error.strerror or "unreadable").lower()
        raise SettingError(f"The properties file {path} cannot be read ({reason}); check the path") from None
    except ValueError as error:
        raise SettingError(f"The properties file {path} cannot be read: {error}") from None
