"""An initramfs that runs a list of commands and switches the machine off.

The archive is in the kernel's format (newc cpio, Documentation/driver-api/early-userspace/
buffer-format.rst), written here: no device nodes, no rights and no other tool are needed. It is not
compressed; unpacking costs a guest more than reading.

What the guest's init prints, each on a line of its own:
  @@ boot SECONDS       the guest's clock when init started
  @@ begin NUMBER       command NUMBER starts, from 0
  @@ end NUMBER STATUS  it ended with this exit status
  @@ off                the last line: nothing follows
"""

import stat
import subprocess
import sys
from pathlib import Path

FOLDERS = ["dev", "proc", "sys", "tmp", "bin", "lib", "usr", "usr/bin", "usr/lib"]

INIT = """#!/bin/busybox sh
export PATH=/bin:/usr/bin HOME=/tmp
/bin/busybox mount -t proc none /proc
/bin/busybox --install -s /bin
mount -t devtmpfs none /dev
mount -t sysfs none /sys
mount -t tmpfs none /tmp
exec </dev/null
read now idle </proc/uptime
echo "@@ boot $now"
%s
echo "@@ off"
poweroff -f
"""

STEP = """echo "@@ begin {number}"
({command})
echo "@@ end {number} $?"
"""


class Archive:
    """A newc cpio archive in memory."""

    def __init__(self):
        self.content = bytearray()
        self.names = set()

    def _add(self, name, mode, body):
        number = len(self.names) + 1
        encoded = name.encode() + b"\0"
        fields = [number, mode, 0, 0, 1, 0, len(body), 0, 0, 0, 0, len(encoded), 0]
        self.content += b"070701" + b"".join(b"%08X" % field for field in fields) + encoded
        self.content += bytes(-len(self.content) % 4) + body
        self.content += bytes(-len(self.content) % 4)
        self.names.add(name)

    def folder(self, name):
        """Adds a folder and those it lies in."""
        if name in ("", ".") or name in self.names:
            return
        self.folder(str(Path(name).parent))
        self._add(name, stat.S_IFDIR | 0o755, b"")

    def file(self, name, body, mode=0o755):
        if name not in self.names:
            self.folder(str(Path(name).parent))
            self._add(name, stat.S_IFREG | mode, body)

    def link(self, name, target):
        if name not in self.names:
            self.folder(str(Path(name).parent))
            self._add(name, stat.S_IFLNK | 0o777, target.encode())

    def finish(self):
        self._add("TRAILER!!!", 0, b"")
        return bytes(self.content)


def needed(file):
    """The shared libraries an ELF file names, and its dynamic linker."""
    said = subprocess.run(["readelf", "-d", "-l", "-W", file], text=True, check=True,
                          stdout=subprocess.PIPE).stdout
    names = [line.split("[")[1].split("]")[0] for line in said.splitlines() if "(NEEDED)" in line]
    linkers = [line.split(": ")[1].rstrip("]").lstrip("/") for line in said.splitlines()
               if "Requesting program interpreter" in line]
    return names, linkers


def find_library(name, sysroot):
    found = sorted(path for folder in ("lib", "usr/lib") for path in
                   (sysroot / folder).rglob(name))
    if not found:
        raise SystemExit(f"{sysroot}: no {name} in lib or usr/lib; fetch the package that has it "
                         "with scripts/fetch-armhf")
    return found[0]


def add_program(archive, name, file, sysroot):
    """A dynamic program of a sysroot with all the libraries it needs."""
    archive.file(name, file.read_bytes())
    queue, seen = [file], set()
    while queue:
        libraries, linkers = needed(queue.pop())
        for linker in linkers:
            archive.file(linker, find_library(Path(linker).name, sysroot).read_bytes())
        for library in set(libraries) - seen:
            seen.add(library)
            path = find_library(library, sysroot)
            archive.file("lib/" + library, path.read_bytes())
            queue.append(path)


def build(commands, programs, busybox, perf_sysroot=None):
    """The content of an initramfs.

    commands: lines for busybox' shell. programs: static Arm programs, by name in /bin.
    perf_sysroot: a folder of scripts/fetch-guest --perf, whose perf comes along, or None.
    """
    archive = Archive()
    for folder in FOLDERS:
        archive.folder(folder)
    archive.file("bin/busybox", Path(busybox).read_bytes())
    for name, file in programs.items():
        archive.file("bin/" + name, Path(file).read_bytes())
    if perf_sysroot is not None:
        perf = Path(perf_sysroot) / "usr/bin/perf"
        if not perf.exists():
            raise SystemExit(f"no {perf}; run scripts/fetch-guest --perf")
        add_program(archive, "usr/bin/perf", perf, Path(perf_sysroot))
    steps = "".join(STEP.format(number=number, command=command)
                    for number, command in enumerate(commands))
    archive.file("init", (INIT % steps).encode())
    return archive.finish()


if __name__ == "__main__":
    if len(sys.argv) < 3:
        raise SystemExit("usage: initramfs.py BUSYBOX COMMAND... >FILE")
    sys.stdout.buffer.write(build(sys.argv[2:], {}, sys.argv[1]))
