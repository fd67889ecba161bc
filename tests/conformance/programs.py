"""Runs a client program at both brokers side by side and keeps what each of its steps gave."""

import uuid
from pathlib import Path

from conformance.brokers import Both
from conformance.compare import differences, plain
from peer.programs import Running

CLIENTS = Path(__file__).parent / "clients"


class Results:
    """The steps of one program at both brokers."""

    def __init__(self, both: Both, command: list[str], *groups: str) -> None:
        prefix = f"p-{uuid.uuid4().hex[:8]}"
        running = [Running(command, broker.address, prefix, *groups) for broker in (both.ours, both.apache)]
        self.ours, self.apache = (plain(each.results()) for each in running)

    def check(self, group: str, minimum: int) -> None:
        """Both went through all steps of a group, no step failed at Apache, and every step gave the same at ours."""
        theirs = self.apache.get(group, {})
        broken = {name: step for name, step in theirs.items() if isinstance(step, dict) and "error" in step}
        assert not broken, f"steps that fail at Apache too test nothing: {broken}"
        assert len(theirs) >= minimum, f"{len(theirs)} steps; {self.apache.get('end')}"
        found = list(differences(self.ours.get(group, {}), theirs))
        if "end" in self.ours:
            found.append(str(self.ours["end"]))
        assert not found, f"{len(found)} differences:\n" + "\n".join(found[:60])
