"""One node for all tests of a file."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from support.node import RunningNode, Wire, running


@pytest.fixture(scope="module")
def node(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningNode]:
    with running(tmp_path_factory.mktemp("node")) as found:
        yield found


@pytest.fixture
def wire(node: RunningNode) -> Iterator[Wire]:
    with node.connect() as found:
        yield found
