"""Packages are fetched as pinned in scripts/pins, whatever the system's apt would accept, and unpack into
plain files.

The packages are made here. apt-get is a stand-in that delivers them, but for the test of what the real one accepts,
which reads a repository in a folder.
"""

import hashlib
import io
import os
import shutil
import stat
import subprocess
import tarfile
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).parents[2]
KEYRING = Path("/usr/share/keyrings/debian-archive-keyring.gpg")
SUITE = "bookworm"
APT = """#!/bin/sh
for word; do
    case $word in
    Dir::Cache=*) cache=${word#*=} ;;
    install) cp "$DEBS"/*.deb "$cache/archives/" ;;
    download) for package; do :; done; cp "$DEBS/$package"_*.deb . ;;
    esac
done
"""


def tar(files, **how):
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as archive:
        for name, content in files.items():
            member = tarfile.TarInfo(name)
            member.mode, member.uid, member.gid = 0o644, 0, 0
            if content is None:
                member.type, member.mode = tarfile.DIRTYPE, 0o2775
            else:
                member.size = len(content)
            for key, value in how.items():
                if content is not None:
                    setattr(member, key, value)
            archive.addfile(member, io.BytesIO(content or b""))
    return out.getvalue()


def write_deb(folder, package, version, content=b"program", **how):
    control = f"Package: {package}\nVersion: {version}\nArchitecture: armhf\nMaintainer: nobody\nDescription: none\n"
    parts = {"debian-binary": b"2.0\n", "control.tar": tar({"./control": control.encode()}),
             "data.tar": tar({"./usr": None, f"./usr/{package}": content}, **how)}
    path = Path(folder, f"{package}_{version.replace(':', '%3a')}_armhf.deb")
    with open(path, "wb") as out:
        out.write(b"!<arch>\n")
        for name, data in parts.items():
            out.write(f"{name:<16}{0:<12}{0:<6}{0:<6}{100644:<8}{len(data):<10}`\n".encode())
            out.write(data + b"\n" * (len(data) % 2))
    return path, hashlib.sha256(path.read_bytes()).hexdigest()


@unittest.skipUnless(shutil.which("dpkg-deb") and shutil.which("apt-config") and KEYRING.exists(), "no Debian system")
class Fetch(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory(prefix="armpmu-")
        self.addCleanup(scratch.cleanup)
        self.scratch = Path(scratch.name)
        self.debs, self.pins = self.scratch / "debs", self.scratch / "pins"
        tools = self.scratch / "tools"
        for folder in (self.debs, tools):
            folder.mkdir()
        (tools / "apt-get").write_text(APT, encoding="ascii")
        (tools / "apt-get").chmod(0o755)
        self.pins.write_text("# none\n", encoding="ascii")
        self.environment = {**os.environ, "PATH": f"{tools}:{os.environ['PATH']}", "BUILD": str(self.scratch / "build"),
                            "DEBS": str(self.debs), "ARMPMU_PINS": str(self.pins),
                            "ARMPMU_DEBIAN_MIRROR": "http://localhost/debian"}
        for name in ("STRICT_PINS", "PINS_OUT", "APT_CONFIG"):
            self.environment.pop(name, None)

    def pin(self, package, version, digest, suite=SUITE):
        with open(self.pins, "a", encoding="ascii") as table:
            table.write(f"{suite}/armhf {package} {version} {digest}\n")

    def fetch(self, package="tool", *options, **environment):
        shutil.rmtree(self.scratch / "build", ignore_errors=True)
        done = subprocess.run([ROOT / "scripts/fetch-armhf", *options, package], env={**self.environment, **environment},
                              text=True, check=False, stdin=subprocess.DEVNULL, capture_output=True)
        return done.returncode, done.stderr

    def taken(self, package="tool"):
        path = self.scratch / "build/armhf/usr" / package
        return path.read_bytes() if path.exists() else None


class Pins(Fetch):
    def test_what_is_pinned_is_taken_without_a_word(self):
        _, digest = write_deb(self.debs, "tool", "1:1.2-3")
        self.pin("other", "7", "0" * 64)
        self.pin("tool", "1:1.2-3", digest)
        for strict in ("0", "1"):
            self.assertEqual(self.fetch(STRICT_PINS=strict), (0, "scripts/fetch-armhf: tool_1%3a1.2-3_armhf.deb\n"))
            self.assertEqual(self.taken(), b"program")

    def test_an_archive_that_moved_on_is_taken_with_a_warning(self):
        write_deb(self.debs, "tool", "1.10")
        self.pin("tool", "1.9", "0" * 64)
        status, err = self.fetch()
        self.assertEqual((status, self.taken()), (0, b"program"))
        self.assertIn(f"WARNING: the archive of Debian ({SUITE}/armhf) has moved on:\n"
                      "    tool 1.9 is pinned, the archive has 1.10\n", err)
        self.assertIn("scripts/update-pins writes a table of what the archive has now", err)

    def test_strict_pins_take_nothing_else(self):
        write_deb(self.debs, "tool", "1.10")
        self.pin("tool", "1.9", "0" * 64)
        status, err = self.fetch(STRICT_PINS="1")
        self.assertEqual((status, self.taken()), (1, None))
        self.assertIn("tool 1.9 is pinned, the archive has 1.10\nSTRICT_PINS=1 takes none of it. Without, what Debian "
                      "has signed is taken; scripts/update-pins writes", err)

    def test_what_is_not_pinned_is_named(self):
        write_deb(self.debs, "tool", "5")
        status, err = self.fetch()
        self.assertEqual((status, self.taken()), (0, b"program"))
        self.assertIn(f"not in scripts/pins ({SUITE}/armhf):\n    tool 5\n", err)
        self.assertEqual(self.fetch(STRICT_PINS="1")[0], 1)

    def test_another_content_of_the_same_version_is_never_taken(self):
        _, digest = write_deb(self.debs, "tool", "1.9", b"other")
        self.pin("tool", "1.9", "0" * 64)
        status, err = self.fetch()
        self.assertEqual((status, self.taken()), (1, None))
        self.assertIn(f"tool 1.9 is not the one in scripts/pins: its SHA256 is {digest} there should be 000", err)

    def test_an_older_version_is_never_taken(self):
        write_deb(self.debs, "tool", "1.9")
        self.pin("tool", "1.10", "0" * 64)
        status, err = self.fetch()
        self.assertEqual((status, self.taken()), (1, None))
        self.assertIn("tool 1.9 is older than 1.10 in scripts/pins: an archive does not go back", err)

    def test_backports_have_pins_of_their_own(self):
        _, digest = write_deb(self.debs, "tool", "1.9")
        self.pin("tool", "1.9", digest)
        self.pin("tool", "1.10", "0" * 64, f"{SUITE}-backports")
        self.assertEqual((self.fetch(STRICT_PINS="1")[0], self.taken()), (0, b"program"))
        status, err = self.fetch("tool", "--backports")
        self.assertEqual((status, self.taken()), (1, None))
        self.assertIn("tool 1.9 is older than 1.10 in scripts/pins", err)

    def test_nothing_is_unpacked_before_all_is_compared(self):
        _, digest = write_deb(self.debs, "aaa", "1")
        write_deb(self.debs, "tool", "1")
        self.pin("aaa", "1", digest)
        self.pin("tool", "1", "0" * 64)
        self.assertEqual(self.fetch()[0], 1)
        self.assertEqual((self.taken("aaa"), self.taken()), (None, None))

    def test_rows_are_written_instead(self):
        _, digest = write_deb(self.debs, "tool", "1.9")
        self.pin("tool", "2", "0" * 64)
        self.assertEqual(self.fetch(PINS_OUT=str(self.scratch / "rows"))[0], 0)
        self.assertEqual((self.scratch / "rows").read_text("ascii"), f"{SUITE}/armhf tool 1.9 {digest}\n")

    def test_the_table_is_whole(self):
        rows = [line.split() for line in (ROOT / "scripts/pins").read_text("ascii").splitlines() if line[0] != "#"]
        self.assertEqual(len({(row[0], row[1]) for row in rows}), len(rows))
        self.assertTrue(all(len(row) == 4 and len(row[3]) == 64 for row in rows))
        names = {(row[0], row[1]) for row in rows}
        for row in (("bookworm/armhf", "busybox-static"), ("bookworm/armhf", "linux-image-armmp"),
                    ("bookworm/armhf", "linux-perf"), ("bookworm/arm64", "linux-image-arm64"),
                    ("bookworm/arm64", "busybox-static"), ("trixie/amd64", "qemu-system-arm"), ("trixie/source", "qemu")):
            self.assertIn(row, names)


class Update(unittest.TestCase):
    """scripts/update-pins, with stand-ins for what fetches."""

    def setUp(self):
        scratch = tempfile.TemporaryDirectory(prefix="armpmu-")
        self.addCleanup(scratch.cleanup)
        self.scripts = Path(scratch.name, "scripts")
        self.scripts.mkdir()
        shutil.copy(ROOT / "scripts/update-pins", self.scripts)
        shutil.copy(ROOT / "scripts/help.sh", self.scripts)
        self.table = self.scripts / "pins"
        self.table.write_text("# first\na/armhf gone 1 11\na/armhf tool 1 22\nb/arm64 emulator 1 33\n",
                              encoding="ascii")

    def script(self, name, body):
        (self.scripts / name).write_text(f"#!/bin/sh\n{body}\n", encoding="ascii")
        (self.scripts / name).chmod(0o755)

    def update(self):
        run = subprocess.run([self.scripts / "update-pins"], check=False, stdout=subprocess.PIPE, text=True)
        return run.returncode, run.stdout

    def test_rows_of_what_was_fetched_are_new_and_others_stay(self):
        for name, row in (("fetch-armhf", "a/armhf tool 2 aa"), ("fetch-guest", "a/armhf kernel 3 bb"),
                          ("with-qemu11", "b/amd64 emulator 4 cc"), ("build-qemu", "b/source emulator 5 dd")):
            self.script(name, f'echo "{row}" >>"$PINS_OUT"')
        for said in ("+a/armhf tool 2 aa\n", "nothing has changed"):
            status, out = self.update()
            self.assertEqual(status, 0)
            self.assertIn(said, out)
            self.assertEqual(self.table.read_text("ascii"), "# first\na/armhf kernel 3 bb\na/armhf tool 2 aa\n"
                             "b/amd64 emulator 4 cc\nb/arm64 emulator 1 33\nb/source emulator 5 dd\n")

    def test_a_fetch_that_fails_leaves_the_table(self):
        before = self.table.read_text("ascii")
        self.script("fetch-armhf", "exit 1")
        self.assertEqual(self.update(), (1, ""))
        self.assertEqual(self.table.read_text("ascii"), before)


class Unpack(Fetch):
    def test_files_are_plain_and_the_callers(self):
        _, digest = write_deb(self.debs, "tool", "1", mode=0o6755, uid=12345, gid=12345)
        self.pin("tool", "1", digest)
        self.assertEqual(self.fetch()[0], 0)
        for path in (self.scratch / "build/armhf/usr", self.scratch / "build/armhf/usr/tool"):
            about = path.stat()
            self.assertEqual(about.st_mode & (stat.S_ISUID | stat.S_ISGID), 0, path)
            self.assertEqual((about.st_uid, about.st_gid), (os.getuid(), os.getgid()))
        self.assertTrue(os.access(self.scratch / "build/armhf/usr/tool", os.X_OK))


class Signatures(Fetch):
    """The real apt-get, as a system's settings would have it take anything."""

    def repository(self):
        folder = self.scratch / "debian"
        (folder / "pool").mkdir(parents=True)
        deb, digest = write_deb(folder / "pool", "tool", "1")
        lists = folder / "dists" / SUITE / "main/binary-armhf"
        lists.mkdir(parents=True)
        packages = (f"Package: tool\nVersion: 1\nArchitecture: armhf\nMaintainer: nobody\nFilename: pool/{deb.name}\n"
                    f"Size: {deb.stat().st_size}\nSHA256: {digest}\nDescription: none\n\n").encode()
        (lists / "Packages").write_bytes(packages)
        (lists.parents[1] / "Release").write_text(
            f"Origin: Debian\nSuite: {SUITE}\nCodename: {SUITE}\nArchitectures: armhf\nComponents: main\n"
            f"Date: Sat, 01 Jan 2022 00:00:00 UTC\nSHA256:\n {hashlib.sha256(packages).hexdigest()} {len(packages)} "
            "main/binary-armhf/Packages\n", encoding="ascii")
        return folder, digest

    def test_what_nobody_signed_is_refused(self):
        folder, digest = self.repository()
        self.pin("tool", "1", digest)
        settings = self.scratch / "apt.conf"
        settings.write_text("".join(f'{name} "true";\n' for name in (
            "APT::Get::AllowUnauthenticated", "Acquire::AllowInsecureRepositories",
            "Acquire::AllowDowngradeToInsecureRepositories", "Acquire::AllowWeakRepositories")), encoding="ascii")
        status, err = self.fetch(PATH=os.environ["PATH"], APT_CONFIG=str(settings),
                                 ARMPMU_DEBIAN_MIRROR=f"copy://{folder}")
        self.assertEqual((status, self.taken()), (1, None))
        self.assertRegex(err, "not signed|no package lists")


if __name__ == "__main__":
    unittest.main()
