"""kafka-broker-api-versions: what each broker serves, and which version this client would use."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from tidelog.cli.flags import Command, Options
from tidelog.cli.reader import AS_APACHE, ends_with_its_reader
from tidelog.cli.tool import BOOTSTRAP, COMMAND_CONFIG, client_settings, run_tool, to_stderr, with_admin

if TYPE_CHECKING:
    from tidelog.client.admin import Admin

COMMAND = Command(
    "kafka-broker-api-versions",
    "Shows which APIs and versions each broker serves.",
    [BOOTSTRAP, COMMAND_CONFIG],
)


@ends_with_its_reader(AS_APACHE)
def main() -> int:
    return run_tool(COMMAND, run, to_stderr)


def run(options: Options) -> int:
    options.require("bootstrap-server")

    async def work(admin: Admin) -> None:
        await show(admin)

    with_admin(client_settings(options), work)
    return 0


async def show(admin: Admin) -> None:
    for broker, answer in (await admin.brokers.api_versions()).items():
        node = f"{broker.host}:{broker.port} (id: {broker.node_id} rack: {broker.rack or 'null'} isFenced: false)"
        if isinstance(answer, Exception):
            print(f"{node} -> ERROR: {answer}")
        else:
            print(f"{node} -> (\n{version_lines(answer)}\n)")


def version_lines(answer: Any) -> str:
    """A line for every API that brokers of this release may serve, and for every other one the broker names."""
    from tidelog.protocol.messages import APIS

    served = {row.api_key: (row.min_version, row.max_version) for row in answer.api_keys}
    expected = [key for key, api in APIS.items() if api.on_broker]
    lines = []
    for key in sorted({*expected, *served}):
        api = APIS.get(key)
        name = f"{api.name}({key})" if api else f"UNKNOWN({key})"
        lines.append(f"\t{name}: {_range(served.get(key), api)}")
    return ",\n".join(lines)


def _range(served: tuple[int, int] | None, api: Any) -> str:
    if served is None:
        return "UNSUPPORTED"
    low, high = served
    text = str(low) if low == high else f"{low} to {high}"
    if api is None:
        return text
    usable = min(high, api.max_version)
    return f"{text} [usable: {usable}]" if usable >= max(low, api.min_version) else f"{text} [unusable: node too new]"


if __name__ == "__main__":
    sys.exit(main())
