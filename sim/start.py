"""Where the program starts: Ctrl-C is heard while it is still loading, too."""

import sys


def main() -> None:
    """Load the command line and run it."""
    try:
        from sim.cli import main as run  # noqa: PLC0415 - what takes long enough to be interrupted
    except KeyboardInterrupt:
        sys.stderr.write("interrupted\n")
        sys.exit(130)
    run()
