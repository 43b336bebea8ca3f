"""The programs that are measured, for each core: Debian's busybox where there is one, and C programs compiled here."""

import random
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

# What each core's programs are compiled with, run under, and counted on.
CORES = {
    "cortex-a8": ("arm-linux-gnueabihf-gcc", [], "qemu-arm", "cortex-a8"),
    "cortex-r4f": ("arm-linux-gnueabihf-gcc", [], "qemu-arm", "cortex-r4f"),
    "xscale1": ("arm-linux-gnueabi-gcc", ["-mcpu=xscale"], "qemu-arm", "pxa255"),
    "amuv1": ("aarch64-linux-gnu-gcc", [], "qemu-aarch64", "amuv1"),
    "neoverse-v1": ("aarch64-linux-gnu-gcc", [], "qemu-aarch64", "neoverse-v1"),
}

# Source, arguments. The last two miss the caches all the time.
PROGRAMS = {
    "matrix": ("examples/matrix.c", ["blocked", "256"]),
    "sort-numbers": ("examples/sort.c", ["random", "300000"]),
    "mixed": ("bench/mixed.c", ["8"]),
    "matrix naive": ("examples/matrix.c", ["naive", "256"]),
    "chase": ("examples/chase.c", ["512", "300"]),
}


# Busybox of Debian, below the build folder (scripts/fetch-armhf), where the core runs it.
BUSYBOX = {"cortex-a8": "armhf", "cortex-r4f": "armhf", "amuv1": "arm64", "neoverse-v1": "arm64"}
APPLETS = {
    "gzip": lambda text: ["gzip", "-c", text],
    "sort": lambda text: ["sort", text],
    "awk": lambda text: ["awk", "{ n[$2] += $1 } END { for (w in n) print w, n[w] }", text],
}


def compile_programs(core, folder):
    compiler, flags, _, _ = CORES[core]
    for source in {source for source, _ in PROGRAMS.values()}:
        subprocess.run([compiler, "-std=c11", "-O2", "-static", *flags, ROOT / source, "-o",
                        folder / Path(source).stem], check=True)


def write_text(path, size):
    """Lines of a number and eight words: the same on every machine."""
    source = random.Random(1)
    letters = "abcdefghijklmnopqrstuvwxyz"
    words = ["".join(source.choice(letters) for _ in range(source.randint(2, 9)))
             for _ in range(5000)]
    with open(path, "w", encoding="ascii") as out:
        while out.tell() < size:
            line = [words[min(int(source.expovariate(0.002)), 4999)] for _ in range(8)]
            print(source.randrange(100000), *line, file=out)


def commands_of(core, build, folder):
    """What is executed, by name; folder: where they were compiled, and where the text for busybox is written."""
    commands = {name: [folder / Path(source).stem, *arguments] for name, (source, arguments) in PROGRAMS.items()}
    busybox = build / BUSYBOX.get(core, "") / "bin/busybox"
    if core in BUSYBOX and busybox.exists():
        text = folder / "text"
        if not text.exists():
            write_text(text, 1 << 20)
        commands.update({name: [busybox, *words(text)] for name, words in APPLETS.items()})
    return commands
