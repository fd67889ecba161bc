"""Apache's tools of the quorum, and ours beside them, on controllers of ours: describe, add and remove voters, and the
metadata log read by the dump tool and the shell."""

import asyncio
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from conformance.tools import ApacheTools, OurTools
from peer.toolchain import needs
from support.quorum import Quorum
from tidelog.model.uuids import to_text

pytestmark = pytest.mark.apache
QUORUM = "kafka-metadata-quorum"
SHELL = "kafka-metadata-shell"
APACHE, OURS = 0, 1
TIMES = re.compile(r"\d{13}|(?<=MaxFollowerLagTimeMs:   )-?\d+")


class Tools:
    """Apache's tools and ours, each kind in one process."""

    def __init__(self) -> None:
        self.kinds = (ApacheTools(), OurTools())

    async def run(self, kind: int, tool: str, *args: str) -> str:
        done = await asyncio.to_thread(self.kinds[kind].run, tool, *args)
        assert done.code == 0, done.out + done.err
        return done.out

    async def both(self, tool: str, *args: str) -> str:
        """What Apache's tool prints; ours prints the same, up to times."""
        theirs = await self.run(APACHE, tool, *args)
        mine = await self.run(OURS, tool, *args)
        assert TIMES.sub("TIME", mine) == TIMES.sub("TIME", theirs)
        return theirs

    async def apaches_shell_says(self, expected: str, *args: str) -> bool:
        """Asked some times: it may run a command before it has published all that it read, and then shows less."""
        for _ in range(5):
            if (await asyncio.to_thread(self.kinds[APACHE].run, SHELL, *args)).out == expected:
                return True
        return False

    def close(self) -> None:
        for each in self.kinds:
            each.close()


@pytest.fixture
def tools() -> Iterator[Tools]:
    needs("java")
    found = Tools()
    yield found
    found.close()


def written(quorum: Quorum, node_id: int) -> str:
    path = quorum.folder / f"{node_id}.properties"
    lines = [f"{name}={text}\n" for name, text in quorum.config(node_id).static.items()]
    path.write_text("".join(lines))
    return str(path)


def test_apaches_tools_show_and_change_our_quorum(tmp_path: Path, tools: Tools) -> None:
    async def story() -> None:
        async with Quorum(tmp_path, voters=1, others=1, dynamic=True) as quorum:
            await quorum.start(1, roles="broker,controller")
            await quorum.start(2)
            await quorum.agreed()
            broker = ["--bootstrap-server", quorum.nodes[1].address]
            controller = ["--bootstrap-controller", f"127.0.0.1:{quorum.ports[1]}"]
            own = to_text(quorum.nodes[2].metadata.quorum.settings.node.directory_id)
            shown = await tools.both(QUORUM, *broker, "describe", "--status")
            assert '"id": 1' in shown.partition("CurrentObservers")[0]
            assert f'"directoryId": "{own}"' in shown.partition("CurrentObservers")[2]

            settings = ["--command-config", written(quorum, 2)]
            await tools.both(QUORUM, *settings, *controller, "add-controller", "--dry-run")
            added = await tools.run(APACHE, QUORUM, *settings, *controller, "add-controller")
            assert added.startswith(f"Added controller 2 with directory id {own}")
            await quorum.agreed()
            assert [each.id for each in quorum.nodes[2].metadata.quorum.voters] == [1, 2]
            shown = await tools.both(QUORUM, *broker, "describe", "--replication")
            assert [line.split()[-1] for line in shown.splitlines()[1:]] == ["Leader", "Follower"]

            await tools.both("kafka-cluster", "list-endpoints", *controller)
            await tools.both("kafka-cluster", "list-endpoints", *broker)
            named = ["--controller-id", "2", "--controller-directory-id", own]
            await tools.both(QUORUM, *broker, "remove-controller", *named, "--dry-run")
            await tools.run(OURS, QUORUM, *controller, "remove-controller", *named)
            assert [each.id for each in quorum.nodes[1].metadata.quorum.voters] == [1]
        await reads(tools, tmp_path / "1" / "__cluster_metadata-0" / "00000000000000000000.log")

    asyncio.run(story())


def test_apaches_tool_moves_our_voters_into_the_log(tmp_path: Path, tools: Tools) -> None:
    """kraft.version 0 to 1, as it does with its own controllers; the dump tool finds what it would write itself."""

    async def story() -> None:
        async with Quorum(tmp_path, voters=1) as quorum:
            await quorum.start(1, roles="broker,controller")
            await quorum.agreed()
            broker = ["--bootstrap-server", quorum.nodes[1].address]
            upgrade = [*broker, "upgrade", "--feature", "kraft.version=1"]
            await tools.both("kafka-features", *upgrade, "--dry-run")
            assert await tools.run(APACHE, "kafka-features", *upgrade) == "kraft.version was upgraded to 1.\n"
            shown = await tools.both("kafka-features", *broker, "describe")
            level = next(line for line in shown.splitlines() if "kraft.version" in line)
            assert level.split()[7] == "1"
            own = to_text(quorum.nodes[1].metadata.quorum.settings.node.directory_id)
            assert f'"directoryId": "{own}"' in await tools.both(QUORUM, *broker, "describe", "--status")
        log = tmp_path / "1" / "__cluster_metadata-0" / "00000000000000000000.log"
        dumped = await tools.both("kafka-dump-log", "--cluster-metadata-decoder", "--files", str(log))
        assert 'KRaftVersion {"version":0,"kRaftVersion":1}' in dumped
        assert f'"voterDirectoryId":"{own}"' in dumped

    asyncio.run(story())


async def reads(tools: Tools, log: Path) -> None:
    dumped = await tools.run(APACHE, "kafka-dump-log", "--cluster-metadata-decoder", "--files", str(log))
    assert dumped.count("KRaftVoters") == 3, "the first voters, one added, one removed"
    for command in (["tree", "/image"], ["find", "/image/topics"], ["cat", "/image/features/metadataVersion"]):
        mine = await tools.run(OURS, SHELL, "--snapshot", str(log), *command)
        assert await tools.apaches_shell_says(mine, "--snapshot", str(log), *command)
