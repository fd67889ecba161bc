"""Lake tables, Delta and Iceberg, through their Python libraries: a batch is committed once.

A place is a directory for Delta (`lake/clicks`), and for Iceberg a directory with a SQLite catalog, a namespace and a
name (`lake/shop.clicks`: catalog and data in `lake`, table `shop.clicks`).
"""
