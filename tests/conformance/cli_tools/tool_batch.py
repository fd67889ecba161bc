"""Runs many of our commands, each in a process forked from this one, which has done the imports already.

Input and output are those of ToolBatch.java: module, file for stdin and arguments separated by U+001F; then a line
"exit CODE STDOUT_BYTES STDERR_BYTES" and those bytes.
"""

import asyncio  # noqa: F401  only so that the children need not
import os
import sys
import tempfile
import traceback
from importlib import import_module

import uvloop  # noqa: F401


def main() -> None:
    for line in sys.stdin:
        module, stdin, *arguments = line.rstrip("\n").split("\x1f")
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
            child = os.fork()
            if child == 0:
                become(module, arguments, stdin, out.fileno(), err.fileno())
            _, status = os.waitpid(child, 0)
            out.seek(0)
            err.seek(0)
            texts = out.read(), err.read()
        head = f"exit {os.waitstatus_to_exitcode(status)} {len(texts[0])} {len(texts[1])}\n"
        sys.stdout.buffer.write(head.encode() + texts[0] + texts[1])
        sys.stdout.buffer.flush()


def become(module: str, arguments: list[str], stdin: str, out: int, err: int) -> None:
    """The command, in the child; never returns."""
    os.dup2(os.open(stdin, os.O_RDONLY), 0)
    os.dup2(out, 1)
    os.dup2(err, 2)
    sys.stdin = open(0, encoding="utf-8")  # noqa: SIM115
    sys.argv = [module, *arguments]
    try:
        code = import_module(module).main()
    except SystemExit as end:
        code = end.code
    except BaseException:
        traceback.print_exc()
        code = 1
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code or 0)


if __name__ == "__main__":
    main()
