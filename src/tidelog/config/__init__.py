"""Settings: one row each, with its type, default, bounds, scope and a sentence of documentation.

Parsing, validation, DescribeConfigs and `docs/configs.md` all read the same rows.
"""
