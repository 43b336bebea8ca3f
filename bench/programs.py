"""The programs that are measured, for each core: Debian's, where there are packages for it, and C programs compiled here."""

import itertools
import json
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


# Where scripts/fetch-armhf unpacks Debian's packages, below the build folder.
SYSROOTS = {"cortex-a8": "armhf", "cortex-r4f": "armhf", "neoverse-v1": "arm64"}
QUERY = """with recursive n(i) as (select 1 union all select i + 1 from n where i < 10000)
select count(*), sum(a.i % 7) from n a join n b on b.i = a.i * 3 % 10000 where a.i % 2;"""
SCRIPT = """local words = {}
for word in io.open(arg[1]):read("a"):gmatch("%a+") do words[word] = (words[word] or 0) + 1 end
local list = {}
for word in pairs(words) do list[#list + 1] = word end
table.sort(list, function(a, b) return words[a] > words[b] or words[a] == words[b] and a < b end)
print(list[1], words[list[1]])"""
# The package, the program and its arguments. text: the file of write_text; json: its lines as objects.
DEBIAN = {
    "gzip": ("gzip", "bin/gzip", ["-c", "{text}"]),
    "xz": ("xz-utils", "usr/bin/xz", ["-1", "-c", "{text}"]),
    "sort": ("coreutils", "usr/bin/sort", ["{text}"]),
    "sqlite3": ("sqlite3", "usr/bin/sqlite3", [":memory:", QUERY]),
    "jq": ("jq", "usr/bin/jq", ["-n", "[inputs | .number] | add", "{json}"]),
    "lua": ("lua5.4", "usr/bin/lua5.4", ["{folder}/words.lua", "{text}"]),
    "openssl": ("openssl", "usr/bin/openssl", ["enc", "-camellia-128-cbc", "-K", "0" * 32, "-iv", "0" * 32, "-in", "{text}"]),
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


def write_inputs(folder):
    write_text(folder / "text", 1 << 19)
    with open(folder / "text", encoding="ascii") as lines, open(folder / "json", "w", encoding="ascii") as out:
        for line in itertools.islice(lines, 2500):
            number, *words = line.split()
            print(json.dumps({"number": int(number), "words": words}), file=out)
    (folder / "words.lua").write_text(SCRIPT + "\n", encoding="ascii")


def sysroot_of(core, build):
    """Where the libraries of the core's programs of Debian are; None without programs."""
    root = build / SYSROOTS[core] if core in SYSROOTS else None
    return root if root is not None and all((root / path).exists() for _, path, _ in DEBIAN.values()) else None


def compiled_commands(folder):
    """The compiled programs by name; folder: where they are."""
    return {name: [folder / Path(source).stem, *arguments] for name, (source, arguments) in PROGRAMS.items()}


def commands_of(core, build, folder):
    """All programs by name; folder: where some were compiled, and where the inputs of Debian's are written."""
    commands = compiled_commands(folder)
    root = sysroot_of(core, build)
    if root is not None:
        if not (folder / "text").exists():
            write_inputs(folder)
        places = {name: folder / name for name in ("text", "json")} | {"folder": folder}
        for name, (_, path, arguments) in DEBIAN.items():
            commands[name] = [root / path, *(word if word == QUERY else word.format(**places) for word in arguments)]
    return commands
