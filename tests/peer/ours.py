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
        return f"ready 127.0.0.1:{self.port}\n" in output or f"ready localhost:{self.port}\n" in output
