"""Boots Debian's unmodified kernel in a QEMU machine and runs commands in it.

usage: boot.py [--machine virt|cubieboard] [--armpmu FILE] [--plugin FILE[,ARGUMENT...]]
               [--program FILE]... [--perf] [--icount N] [--seconds N] [--log FILE] COMMAND...

The folders come from the environment: BUILD, in which scripts/fetch-guest, scripts/fetch-armhf and
scripts/with-qemu11 keep what they fetched. Prints what the commands printed, then a line with the boot's
times. Exit status: 0 when all commands ran, whatever their own status; 1 when the boot failed.
"""

import argparse
import os
import re
import resource
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

import initramfs

SOURCE = Path(__file__).resolve().parents[2]
SECONDS = 1200  # of a boot, and of its end: against hangs alone
MARKER = re.compile(r"^@@ (boot|begin|end|off)\b(.*)$")


@dataclass(frozen=True)
class Board:
    """A QEMU machine. armpmu_dtb: the options that give its tree the PMU, None where the kernel's own
    tree of the board has it. irq: the plugin's word for the interrupt, None without one."""
    machine: str
    options: list
    dump: str  # for the machine, while its tree is dumped
    console: str
    tree: str | None
    armpmu_dtb: list | None
    irq: str | None
    exits: bool  # whether switching off ends QEMU


BOARDS = {
    # The overflow interrupt is SPI 100 of the GIC, which is its interrupt 132.
    "virt": Board("virt", ["-cpu", "cortex-a15", "-m", "256", "-smp", "1"],
                  "dtb-randomness=off,", "ttyAMA0", None,
                  ["--core", "cortex-a8", "--irq", "spi:100"], "irq=gic:132", True),
    # A real Cortex-A8. Nothing can set an interrupt of its controller pending from outside.
    "cubieboard": Board("cubieboard", ["-m", "512"], "", "ttyS0", "sun4i-a10-cubieboard.dtb", None,
                        None, False),
}


def plugin_options(board, plugin, report):
    """How QEMU loads the plugin; arguments that are named are all there are. Without any, its report goes to a file:
    CI shows the last lines of a failed test, which are to be the complaint."""
    if plugin is None:
        return []
    if "," not in plugin:
        plugin += f",machine=cortex-a8,report={report}"
        if board.irq is not None:
            plugin += "," + board.irq
    return ["-plugin", plugin]


def icount_options(icount):
    """A machine whose clock is its own instruction count, and nothing of the host's."""
    return [] if icount is None else ["-icount", f"shift={icount},sleep=off", "-rtc",
                                      "base=2026-01-01,clock=vm", "-seed", "1"]


class BootFailed(Exception):
    """The guest did not run all its commands. The message ends with the last lines of the console."""


@dataclass
class Command:
    line: str
    output: list = field(default_factory=list)
    status: int | None = None


@dataclass
class Boot:
    commands: list
    console: list  # all lines
    init_seconds: float = 0.0  # guest clock when init began
    seconds: float = 0.0  # host clock, from the start of QEMU to its end
    processor_seconds: float = 0.0  # what QEMU used of the host's processors


def with_qemu(*words):
    return [str(SOURCE / "scripts/with-qemu11"), *map(str, words)]


def fetched(script, *words):
    """Runs a script that fetches and prints its folder."""
    run = subprocess.run([SOURCE / "scripts" / script, *words], text=True, check=False,
                         stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
    if run.returncode:
        raise BootFailed(f"scripts/{script} failed; see above")
    return Path(run.stdout.splitlines()[-1])


def make_tree(board, guest, armpmu, folder):
    """The device tree of the machine, with the PMU in it."""
    if board.armpmu_dtb is None:
        return guest / "dtb" / board.tree
    dumped, tree = folder / "qemu.dtb", folder / "guest.dtb"
    for words in (with_qemu("qemu-system-arm", "-M", f"{board.machine},{board.dump}dumpdtb={dumped}",
                            *board.options, "-nographic"),
                  [armpmu, "dtb", dumped, tree, *board.armpmu_dtb]):
        run = subprocess.run(words, text=True, check=False, stdin=subprocess.DEVNULL,
                             capture_output=True)
        if run.returncode:
            raise BootFailed(f"{' '.join(map(str, words))}: {run.stderr.strip()}")
    return tree


class Console:
    """Reads a guest's console line by line and finds the markers in it."""

    def __init__(self, commands):
        self.boot = Boot([Command(line) for line in commands], [])
        self.current = None
        self.is_off = False

    def take(self, line):
        line = line.rstrip("\r\n")
        self.boot.console.append(line)
        marker = MARKER.match(line)
        if marker is None:
            if self.current is not None:
                self.current.output.append(line)
            return
        kind, words = marker[1], marker[2].split()
        if kind == "boot":
            self.boot.init_seconds = float(words[0])
        elif kind == "begin":
            self.current = self.boot.commands[int(words[0])]
        elif kind == "end":
            self.boot.commands[int(words[0])].status = int(words[1])
            self.current = None
        else:
            self.is_off = True

    def complain(self, reason):
        unfinished = [command.line for command in self.boot.commands if command.status is None]
        tail = "\n  ".join(self.boot.console[-12:])
        return BootFailed(f"{reason}; not finished: {'; '.join(unfinished) or 'nothing'}; the "
                          f"console ends with\n  {tail}")


def follow(qemu, console, deadline, log):
    """Reads the console until QEMU or the guest ends. Returns whether there was time enough."""
    os.set_blocking(qemu.stdout.fileno(), False)
    rest = ""
    while not console.is_off:
        if time.monotonic() > deadline:
            return False
        piece = qemu.stdout.read()
        if piece is None:  # nothing yet
            if qemu.poll() is not None:
                return True
            time.sleep(0.02)
            continue
        if piece == b"":
            return True
        log.write(piece)
        log.flush()
        *lines, rest = (rest + piece.decode(errors="replace")).split("\n")
        for line in lines:
            console.take(line)
    return True


def end(qemu, board):
    """Ends QEMU as its user would: the plugin gets to say its last words, and `armpmu record` to write its profile."""
    if not board.exits:
        qemu.terminate()
    try:
        qemu.wait(timeout=SECONDS)
    except subprocess.TimeoutExpired:
        qemu.kill()
        qemu.wait()


def children_seconds():
    """Processor time of all children so far that were waited for."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def watch(words, commands, board, seconds, log):
    """Runs a QEMU whose guest runs the commands. Returns a Boot; raises BootFailed."""
    console = Console(commands)
    began, used = time.monotonic(), children_seconds()
    with open(log or os.devnull, "wb") as log_file, \
            subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE) as qemu:
        in_time = follow(qemu, console, began + seconds, log_file)
        if not in_time:
            qemu.terminate()
        end(qemu, board)
    if not in_time:
        raise console.complain(f"{board.machine}: not done after {seconds} seconds")
    if not console.is_off:
        raise console.complain(f"{board.machine}: QEMU ended with status {qemu.returncode} before "
                               "the guest switched off")
    console.boot.seconds = time.monotonic() - began
    console.boot.processor_seconds = children_seconds() - used
    return console.boot


def run(commands, machine="virt", armpmu="armpmu", plugin=None, programs=(), perf=False,
        icount=None, seconds=SECONDS, log=None, under=()):
    """Boots, runs the commands, switches off. Returns a Boot; raises BootFailed. under: the command that runs
    QEMU."""
    board = BOARDS[machine]
    guest = fetched("fetch-guest", *(["--perf"] if perf else []))
    armhf = fetched("fetch-armhf", "busybox-static")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        tree = make_tree(board, guest, armpmu, folder)
        image = folder / "initramfs.cpio"
        image.write_bytes(initramfs.build(commands, {Path(file).name: file for file in programs},
                                          armhf / "bin/busybox", armhf if perf else None))
        words = with_qemu(*under, "qemu-system-arm", "-M", board.machine, *board.options, "-nographic",
                          "-no-reboot", "-monitor", "none", "-serial", "stdio", "-kernel",
                          guest / "vmlinuz", "-initrd", image, "-dtb", tree, "-append",
                          f"console={board.console} quiet panic=-1 cryptomgr.notests")
        words += plugin_options(board, plugin, folder / "report") + icount_options(icount)
        return watch(words, commands, board, seconds, log)


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("\n\n")[1].removeprefix("usage: "))
    parser.add_argument("--machine", choices=BOARDS, default="virt")
    parser.add_argument("--armpmu", default="armpmu")
    parser.add_argument("--plugin")
    parser.add_argument("--program", action="append", default=[])
    parser.add_argument("--perf", action="store_true")
    parser.add_argument("--icount", type=int)
    parser.add_argument("--seconds", type=float, default=SECONDS)
    parser.add_argument("--log")
    parser.add_argument("commands", nargs="+", metavar="COMMAND")
    o = parser.parse_args()
    try:
        boot = run(o.commands, o.machine, o.armpmu, o.plugin, o.program, o.perf, o.icount,
                   o.seconds, o.log)
    except BootFailed as failure:
        print(f"boot.py: {failure}", file=sys.stderr)
        return 1
    for command in boot.commands:
        print(f"# {command.line} -> {command.status}", *command.output, sep="\n")
    print(f"# {o.machine}: init after {boot.init_seconds:.2f} s of the guest, "
          f"{boot.seconds:.2f} s in all")
    return 0


if __name__ == "__main__":
    sys.exit(main())
