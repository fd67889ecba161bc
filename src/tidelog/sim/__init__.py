"""The ports again, under control of a test: virtual, seeded, and able to fail in every way the real ones can."""
