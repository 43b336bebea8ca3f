"""Runs armpmu, sends it signals, and looks for leftover processes and files.

Every process of a run has a mark of its own in its environment: what still has it afterwards was left behind.
"""

import contextlib
import os
import resource
import signal
import subprocess
import tempfile
import time
import uuid
from pathlib import Path

ARMPMU = os.environ["ARMPMU"]
STEPS = os.environ["STEPS"]
PROGRAM = os.environ["PROGRAM"]
FIRMWARE = os.environ.get("FIRMWARE")
PATIENCE = 600  # seconds; a run that has not ended by then hangs
REPORT = "INST_RETIRED"
BEFORE = "came before there was anything to report"
NOTHING = "QEMU ended before its first report"


def as_in_a_terminal():
    """A shell starts what runs in the background with some signals ignored."""
    for number in (signal.SIGINT, signal.SIGQUIT, signal.SIGHUP, signal.SIGTERM):
        signal.signal(number, signal.SIG_DFL)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def state_of(pid):
    """The letter of /proc/PID/stat, None when it is gone."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return None


def name_of(pid):
    """The program's name in /proc/PID/comm, None when the process is gone."""
    try:
        return Path(f"/proc/{pid}/comm").read_text().strip()
    except (FileNotFoundError, ProcessLookupError):
        return None


class Run:
    """One armpmu, in a process group of its own."""

    def __init__(self, words, steps=None, prepare=as_in_a_terminal, **how):
        self.mark = f"ARMPMU_TEST_MARK={uuid.uuid4()}"
        name, _, value = self.mark.partition("=")
        self.tells, tells = os.pipe()
        os.set_blocking(self.tells, False)
        self.told, self.rows = b"", ""
        steps = {"STEPS_TELLS": str(tells)} | (steps or {})
        environment = os.environ | {name: value, "LD_PRELOAD": STEPS} | steps
        streams = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        self.process = subprocess.Popen([ARMPMU, *words], env=environment, text=True,
                                        process_group=0, preexec_fn=prepare, pass_fds=[tells],
                                        **(streams | how))
        os.close(tells)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for pid in self.left():
            os.kill(pid, signal.SIGKILL)
        self.process.kill()
        self.process.wait()
        os.close(self.tells)
        for stream in (self.process.stdout, self.process.stderr):
            if stream is not None:
                stream.close()

    def send(self, number):
        if self.process.poll() is None:
            self.process.send_signal(number)

    def ready(self):
        """Waits until the program says so; what it said before."""
        lines = []
        while not lines or lines[-1] != "ready\n":
            lines.append(self.process.stdout.readline())
            assert lines[-1] != "", f"it ended: {self.process.communicate()}"
        return lines[:-1]

    def wait_for_a_row(self):
        """Of -I: the machine runs, and is counted. What is read past the stream's own buffer is kept for ended."""
        while REPORT not in self.rows:
            self.rows += os.read(self.process.stderr.fileno(), 4096).decode("ascii", "replace")
            assert self.process.poll() is None, f"it ended: {self.rows}"

    def ended(self):
        """Its status and what it said on standard error."""
        said = self.process.communicate(timeout=PATIENCE)[1]
        return self.process.returncode, self.rows + said

    def has_told(self, letter):
        """What steps.c tells: c, it has begun to catch signals; s, the signal was sent."""
        try:
            self.told += os.read(self.tells, 16)
        except BlockingIOError:
            pass
        return letter in self.told

    def wait_until_it_catches(self):
        end = time.monotonic() + PATIENCE
        while not self.has_told(b"c"):
            assert time.monotonic() < end, "it catches no signals"
            assert self.process.poll() is None, f"it ended: {self.process.communicate()}"
            time.sleep(0.01)

    def left(self):
        """The processes of the run that live, armpmu aside."""
        found = []
        for folder in Path("/proc").glob("[0-9]*"):
            pid = int(folder.name)
            try:
                ours = self.mark.encode() in (folder / "environ").read_bytes().split(b"\0")
            except OSError:
                continue
            if ours and pid != self.process.pid and state_of(pid) not in (None, "Z", "X"):
                found.append(pid)
        return found

    def reaches(self, state, seconds=PATIENCE):
        """The state of armpmu's process when it is that one, or after so many seconds."""
        end = time.monotonic() + seconds
        while state_of(self.process.pid) != state and time.monotonic() < end:
            time.sleep(0.02)
        return state_of(self.process.pid)

    def has_left(self, n):
        """How many processes of the run live, armpmu aside, once they are n. It counts once: a process that executes a
        program has no environment for a moment, so that a second count may miss it."""
        end = time.monotonic() + PATIENCE
        while (found := len(self.left())) != n and time.monotonic() < end:
            time.sleep(0.02)
        return found

    def has_executed(self, name):
        """Waits until a process of the run, armpmu aside, has this program's name."""
        end = time.monotonic() + PATIENCE
        while not any(name_of(pid) == name for pid in self.left()):
            assert time.monotonic() < end, f"no process executes {name}"
            time.sleep(0.02)

    def insist(self, number):
        """Sends it until armpmu ends: on a busy computer two that are sent one after the other may arrive as one."""
        end = time.monotonic() + PATIENCE
        while self.process.poll() is None and time.monotonic() < end:
            self.send(number)
            time.sleep(0.5)

    def all_gone(self, seconds=PATIENCE):
        end = time.monotonic() + seconds
        while self.left() and time.monotonic() < end:
            time.sleep(0.02)
        return not self.left()


def stat(*words, program=PROGRAM, options=()):
    return ["stat", "-e", REPORT, *options, "--", program, *words]


def judge(run, number, own=()):
    """After a run to which this signal came: None, or what is wrong. own: statuses of the program's that
    ended by itself before the signal came."""
    try:
        status, said = run.ended()
    except subprocess.TimeoutExpired:
        return f"hangs, processes {run.left()}"
    caught = run.has_told(b"c")
    if not run.all_gone():
        return f"leaves processes {run.left()}"
    if status == -number and (BEFORE in said or not caught):
        return None
    if status in (128 + number, *own) and (REPORT in said or NOTHING in said):
        return None
    return f"status {status}, caught {caught}, says {said!r}"


@contextlib.contextmanager
def fifo():
    """The path of a FIFO that nobody writes to."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "fifo.ini")
        os.mkfifo(path)
        yield path
