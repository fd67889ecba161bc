"""The source with Kafka's own security settings, against an Apache Kafka that insists on them."""

import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from confluent_kafka import Producer
from confluent_kafka.admin import (
    AdminClient,
    NewTopic,
    ScramCredentialInfo,
    ScramMechanism,
    UserScramCredentialUpsertion,
)
from pyspark.sql.types import BinaryType, StructField, StructType

from peer.apache import ApacheNode
from peer.process import free_port
from peer.toolchain import needs
from tidelog.client.sasl import NotAccepted
from tidelog.spark.datasource import TidelogDataSource
from tidelog.spark.options import OptionError

JAAS = "org.apache.kafka.common.security.{}.{}LoginModule required"
SCRAM = {"SCRAM-SHA-256": ScramMechanism.SCRAM_SHA_256, "SCRAM-SHA-512": ScramMechanism.SCRAM_SHA_512}


class SecureNode(ApacheNode):
    """Beside its plain listener it has one with SASL, one with TLS and one with both."""

    def __init__(self, folder: Path) -> None:
        self.sasl, self.tls, self.both = (free_port() for _ in range(3))
        self.pem = folder / "node.pem"
        super().__init__(folder)

    def _settings(self, properties: Mapping[str, str]) -> dict[str, str]:
        found = super()._settings(properties)
        more = f",SASL://127.0.0.1:{self.sasl},TLS://127.0.0.1:{self.tls},BOTH://127.0.0.1:{self.both}"
        plain = JAAS.format("plain", "Plain") + ' username="node" password="n" user_ann="a \\\\"secret\\\\"";'
        logins = {
            f"listener.name.{listener}.{mechanism}.sasl.jaas.config": text
            for listener in ("sasl", "both")
            for mechanism, text in (
                ("plain", plain),
                ("scram-sha-256", JAAS.format("scram", "Scram") + ";"),
                ("scram-sha-512", JAAS.format("scram", "Scram") + ";"),
            )
        }
        return {
            **found,
            "listeners": found["listeners"] + more,
            "advertised.listeners": found["advertised.listeners"] + more,
            "listener.security.protocol.map": found["listener.security.protocol.map"]
            + ",SASL:SASL_PLAINTEXT,TLS:SSL,BOTH:SASL_SSL",
            "sasl.enabled.mechanisms": "PLAIN,SCRAM-SHA-256,SCRAM-SHA-512",
            "ssl.keystore.type": "PEM",
            "ssl.keystore.location": str(self.pem),
            **logins,
        }


@pytest.fixture(scope="module")
def node(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SecureNode]:
    needs("java", "mvn", "openssl")
    found = SecureNode(tmp_path_factory.mktemp("secure"))
    make_certificate(found.pem)
    found.start()
    try:
        admin = AdminClient({"bootstrap.servers": found.address})
        for future in admin.create_topics([NewTopic("secured", 1, 1)]).values():
            future.result(60)
        for each in SCRAM.values():
            user = UserScramCredentialUpsertion("ann", ScramCredentialInfo(each, 4096), b'a "secret"')
            admin.alter_user_scram_credentials([user])["ann"].result(60)
        producer = Producer({"bootstrap.servers": found.address})
        producer.produce("secured", b"seen")
        assert producer.flush(60) == 0
        yield found
    finally:
        found.close()


def make_certificate(pem: Path) -> None:
    key, certificate = pem.with_suffix(".key"), pem.with_suffix(".crt")
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=node"]
    command += ["-addext", "subjectAltName=IP:127.0.0.1", "-keyout", str(key), "-out", str(certificate)]
    subprocess.run(command, check=True, capture_output=True)
    pem.write_text(key.read_text() + certificate.read_text())


def read(port: int, **options: str) -> list[bytes]:
    given = {f"kafka.{name.replace('_', '.')}": value for name, value in options.items()}
    found = TidelogDataSource({"kafka.bootstrap.servers": f"127.0.0.1:{port}", "subscribe": "secured", **given})
    reader = found.reader(StructType([StructField("value", BinaryType())]))
    return [
        value
        for partition in reader.partitions()
        for batch in reader.read(partition)
        for value in batch.column("value").to_pylist()
    ]


def jaas(password: str = 'a \\"secret\\"') -> str:
    return JAAS.format("plain", "Plain") + f' username="ann" password="{password}";'


@pytest.mark.parametrize("mechanism", ["PLAIN", *SCRAM])
def test_users_by_password(node: SecureNode, mechanism: str) -> None:
    given = {"security_protocol": "SASL_PLAINTEXT", "sasl_mechanism": mechanism}
    assert read(node.sasl, **given, sasl_jaas_config=jaas()) == [b"seen"]
    assert read(node.sasl, **given, sasl_username="ann", sasl_password='a "secret"') == [b"seen"]
    with pytest.raises(NotAccepted, match=r"does not accept the user 'ann' .*check the user and the password"):
        read(node.sasl, **given, sasl_jaas_config=jaas("wrong"))


def test_certificates(node: SecureNode) -> None:
    trusted = str(node.pem.with_suffix(".crt"))
    given = {"security_protocol": "SSL", "ssl_truststore_type": "PEM"}
    assert read(node.tls, **given, ssl_truststore_location=trusted) == [b"seen"]
    text = Path(trusted).read_text()
    assert read(node.tls, **given, ssl_truststore_certificates=text) == [b"seen"]
    both = {**given, "security_protocol": "SASL_SSL", "sasl_mechanism": "PLAIN", "sasl_jaas_config": jaas()}
    assert read(node.both, **both, ssl_truststore_location=trusted) == [b"seen"]
    with pytest.raises(NotAccepted, match=r"do not agree on TLS \(self-signed certificate\); check security.protocol"):
        read(node.tls, **given)
    with pytest.raises(OptionError, match=r"is read as PEM alone; set ssl.truststore.type to PEM"):
        read(node.tls, security_protocol="SSL", ssl_truststore_location="/trust.jks")


def test_a_mechanism_that_is_not_offered(node: SecureNode) -> None:
    with pytest.raises(OptionError, match=r"sasl.mechanism must be one of PLAIN, SCRAM-SHA-256, SCRAM-SHA-512"):
        read(node.sasl, security_protocol="SASL_PLAINTEXT", sasl_mechanism="GSSAPI", sasl_jaas_config=jaas())
