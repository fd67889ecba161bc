"""Our node as a real process, started by the command that people use."""

import sys
from collections.abc import Mapping
from pathlib import Path

from peer.apache import ONE_NODE
from peer.process import NodeProcess, write_properties


class OurNode(NodeProcess):
    """`tide up` with one node. `properties` go on top of what any single node for tests wants."""

    name = "ours"

    def __init__(
        self,
        folder: Path,
        properties: Mapping[str, str] | None = None,
        port: int | None = None,
        data: Path | None = None,
    ) -> None:
        super().__init__(folder, data, port)
        self.file = write_properties(folder / "server.properties", {**ONE_NODE, **(properties or {})})

    def command(self) -> list[str]:
        up = ["up", "--nodes", "1", "--data", str(self.data), "--port", str(self.port), "--properties", str(self.file)]
        return [sys.executable, "-m", "tidelog.cli.main", *up]

    def serves(self, output: str) -> bool:
        # The address is the advertised one, which may be another than where it listens.
        return any(line.startswith("ready ") for line in output.split("\n")[:-1])
