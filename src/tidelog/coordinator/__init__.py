"""pure: group and transaction coordinators over their own topics."""
