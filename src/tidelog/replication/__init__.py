"""pure: one partition's high watermark, leader epochs, producer state, last stable offset."""
