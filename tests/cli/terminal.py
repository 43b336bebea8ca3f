"""What a command prints on a terminal, for tests."""

import os


def shown_on(master):
    """All that was written to a terminal whose other end is closed by everybody."""
    shown = b""
    try:
        while chunk := os.read(master, 65536):
            shown += chunk
    except OSError:
        pass  # how Linux says that nobody can write any more
    return shown
