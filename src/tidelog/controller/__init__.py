"""pure: commands in, metadata records and responses out."""
