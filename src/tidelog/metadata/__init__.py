"""pure: metadata records, image, delta, snapshot."""
