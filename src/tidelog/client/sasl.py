"""Who the client says it is: PLAIN and SCRAM, as conversations of bytes that a connection carries. No I/O here.

`conversation` yields what to send and takes what came back; it ends when nothing is left to say.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import re
import secrets
from collections.abc import Generator
from typing import NamedTuple

from tidelog.client.errors import ClientError, SettingError
from tidelog.client.settings import ClientSettings

HASHES = {"SCRAM-SHA-256": "sha256", "SCRAM-SHA-512": "sha512"}
MECHANISMS = ("PLAIN", *HASHES)
_JAAS = re.compile(r'(\w+)\s*=\s*"((?:[^"\\]|\\.)*)"')


class NotAccepted(ClientError):
    """The broker does not take the client for who it says it is, or the other way round."""


class Credentials(NamedTuple):
    mechanism: str
    username: str
    password: str

    @classmethod
    def read(cls, settings: ClientSettings) -> Credentials:
        """From sasl.mechanism, and sasl.username with sasl.password or the options inside sasl.jaas.config."""
        mechanism = settings["sasl.mechanism"].upper()
        if mechanism not in MECHANISMS:
            raise SettingError(f"sasl.mechanism must be one of {', '.join(MECHANISMS)}, not '{mechanism}'; set it")
        found = {
            name: value.replace('\\"', '"').replace("\\\\", "\\")
            for name, value in _JAAS.findall(settings["sasl.jaas.config"])
        }
        username = settings["sasl.username"] or found.get("username", "")
        password = settings["sasl.password"] or found.get("password", "")
        if not username:
            raise SettingError(
                "security.protocol asks for SASL and there is no user; set sasl.username and sasl.password, or "
                "sasl.jaas.config with username=\"…\" and password=\"…\""
            )  # fmt: skip
        return cls(mechanism, username, password)


def conversation(who: Credentials, nonce: str = "") -> Generator[bytes, bytes, None]:
    if who.mechanism == "PLAIN":
        yield b"\0" + who.username.encode() + b"\0" + who.password.encode()
        return
    yield from _scram(who, nonce or secrets.token_urlsafe(24))


def _scram(who: Credentials, nonce: str) -> Generator[bytes, bytes, None]:
    """RFC 5802 without channel binding."""
    name = HASHES[who.mechanism]
    first = f"n={who.username.replace('=', '=3D').replace(',', '=2C')},r={nonce}"
    server_first = (yield f"n,,{first}".encode()).decode()
    fields = _fields(server_first)
    if not fields.get("r", "").startswith(nonce):
        raise NotAccepted("The broker's SCRAM answer is not to this client's question; is something between them?")
    salted = hashlib.pbkdf2_hmac(name, who.password.encode(), base64.b64decode(fields["s"]), int(fields["i"]))
    final = f"c=biws,r={fields['r']}"
    told = f"{first},{server_first},{final}".encode()
    client_key = hmac.digest(salted, b"Client Key", name)
    signature = hmac.digest(hashlib.new(name, client_key).digest(), told, name)
    proof = bytes(left ^ right for left, right in zip(client_key, signature, strict=True))
    server_final = _fields((yield f"{final},p={base64.b64encode(proof).decode()}".encode()).decode())
    expected = hmac.digest(hmac.digest(salted, b"Server Key", name), told, name)
    if not hmac.compare_digest(base64.b64decode(server_final.get("v", "")), expected):
        raise NotAccepted("The broker does not know the user's password, so it is not the one it claims to be")


def _fields(text: str) -> dict[str, str]:
    """`r=abc,s=def,i=4096`"""
    return {part[:1]: part[2:] for part in text.split(",") if part[1:2] == "="}
