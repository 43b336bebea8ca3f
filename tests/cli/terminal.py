"""What a command prints on a terminal, for tests."""

import os
import threading

END = b"\0end"


def shown_on(master, terminal, process=None):
    """All that is written to a terminal until the process, if any, has ended. Closes the terminal only when all is
    read: when nobody has a terminal open any more, Linux may lose what was written last."""

    def end():
        if process is not None:
            process.wait()
        os.write(terminal, END)

    ending = threading.Thread(target=end)
    ending.start()
    shown = b""
    while not shown.endswith(END):
        shown += os.read(master, 65536)
    ending.join()
    os.close(terminal)
    return shown[:-len(END)]
