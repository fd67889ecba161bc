"""The log on disk: segments, sparse indexes, checkpoints, recovery, retention, and the directories that hold them."""
