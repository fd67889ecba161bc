"""TLS as the settings describe it: whom to trust, who we are, and whether names are compared."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tidelog.client.errors import SettingError
from tidelog.client.settings import ClientSettings

if TYPE_CHECKING:
    import ssl


def tls_context(settings: ClientSettings) -> ssl.SSLContext | None:
    """None when the protocol is not over TLS. Stores are PEM files: Java's own formats cannot be read here."""
    if not settings["security.protocol"].endswith("ssl"):
        return None
    import ssl

    for store in ("ssl.truststore", "ssl.keystore"):
        if settings[f"{store}.location"] and settings[f"{store}.type"] != "pem":
            raise SettingError(
                f"{store}.location is read as PEM alone; set {store}.type to PEM, and make such a file with "
                "keytool -exportcert -rfc or openssl pkcs12"
            )
    trusted = settings["ssl.truststore.location"] or settings["ssl.ca.location"]
    try:
        context = ssl.create_default_context(
            cafile=trusted or None, cadata=settings["ssl.truststore.certificates"] or None
        )
        if settings["ssl.keystore.location"]:
            context.load_cert_chain(settings["ssl.keystore.location"], password=settings["ssl.key.password"] or None)
    except (OSError, ssl.SSLError) as error:
        raise SettingError(f"The certificates cannot be used ({error}); check the ssl settings") from None
    context.check_hostname = bool(settings["ssl.endpoint.identification.algorithm"])
    return context
