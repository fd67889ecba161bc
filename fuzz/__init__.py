"""Fuzz targets: `python -m fuzz.records --seconds 60`. A fixed share of each runs among the tests."""
