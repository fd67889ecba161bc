"""The message language of `schemas/`, and what writes Python from it."""
