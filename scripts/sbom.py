"""Tells what is in the tarball of scripts/release besides armpmu: prints a list of parts in SPDX's JSON.

usage: sbom.py NAME-VERSION TARBALL FOLDER QEMU-VERSION LIBRARY...

FOLDER is what the tarball will hold. Each library is of an installed Debian package, whose statement of copyright is
copied to share/doc/armpmu/licences there; README and SOURCES in it say what is from where and how to get its sources.
"""

import datetime
import hashlib
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

# What Debian's statements say, by source package; SPDX's names.
LICENCES = {
    "armpmu": "MIT", "bzip2": "bzip2-1.0.6", "capstone": "BSD-3-Clause", "device-tree-compiler": "GPL-2.0-or-later OR BSD-2-Clause",
    "elfutils": "GPL-2.0-or-later OR LGPL-3.0-or-later", "glib2.0": "LGPL-2.1-or-later", "glibc": "LGPL-2.1-or-later",
    "libinih": "BSD-3-Clause", "jansson": "MIT", "libzstd": "BSD-3-Clause OR GPL-2.0-only", "pcre2": "BSD-3-Clause",
    "protobuf-c": "BSD-2-Clause", "qemu": "GPL-2.0-only", "sqlite3": "blessing", "unicorn-engine": "GPL-2.0-only", "zlib": "Zlib",
}
# Parts of these are linked in.
STATIC = ("libc6-dev", "libcapstone-dev", "libinih-dev", "libiberty-dev")

README = """Licences of what is in this tarball
===================================

armpmu is under the MIT licence (../LICENSE). QEMU runs as a process of its own, Unicorn is loaded when firmware runs;
both are under the GPL, version 2, and unchanged: Debian's sources. lib/armpmu/lib has libraries of Debian as Debian
built them. The files beside this one are the statements of copyright of each, by Debian's name of the package.

Sources of all of them, at the same versions, are in {name}-parts-sources.tar, published beside this tarball.
Debian keeps them, too: https://snapshot.debian.org/package/NAME/VERSION/ for each line NAME=VERSION of SOURCES.
QEMU was built by scripts/build-qemu of armpmu's sources, {name}.tar.gz, which has every option. A library may be
replaced: lib/armpmu/lib holds each as a file of its own.

"""


def query(package):
    """(package, version, source, version of the source)"""
    form = "${Package}\t${Version}\t${source:Package}\t${source:Version}"
    out = subprocess.run(["dpkg-query", "-W", "-f", form, package], text=True, check=True, stdout=subprocess.PIPE).stdout
    return tuple(out.split("\t"))


def packages_of(libraries):
    """The packages of files, whichever of /lib and /usr/lib dpkg has them in."""
    names = {library: {library, real, real.removeprefix("/usr"), "/usr" + real}
             for library in libraries for real in [os.path.realpath(library)]}
    words = ["dpkg-query", "-S", *sorted(set().union(*names.values()))]
    found = subprocess.run(words, text=True, check=False, capture_output=True).stdout
    owners = {path: package.split(",")[0] for package, _, path in (line.partition(": ") for line in found.splitlines())
              if not package.startswith("diversion by ")}
    for library, paths in names.items():
        if not paths & set(owners):
            sys.exit(f"sbom.py: no package has {library}: build where Debian's libraries are used")
        yield next(owners[path] for path in sorted(paths) if path in owners)


def part(name, version, source, source_version):
    purl = f"pkg:deb/debian/{source}@{source_version}?arch=source"
    location = f"https://snapshot.debian.org/package/{source}/{source_version}/"
    if source == "armpmu":
        purl, location = f"pkg:generic/armpmu@{version}", "NOASSERTION"
    return {"SPDXID": "SPDXRef-" + name.replace("+", "-"), "name": name, "versionInfo": version, "downloadLocation": location,
            "filesAnalyzed": False, "licenseConcluded": "NOASSERTION", "licenseDeclared": LICENCES.get(source, "NOASSERTION"),
            "copyrightText": "NOASSERTION",
            "externalRefs": [{"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl", "referenceLocator": purl}]}


def files_of(folder):
    """Of programs and libraries; what else is there is armpmu's own."""
    for path in sorted((folder / "lib").rglob("*")):
        if path.is_file() and not path.is_symlink():
            name = path.relative_to(folder).as_posix()
            sums = [{"algorithm": kind.upper(), "checksumValue": hashlib.new(kind, path.read_bytes()).hexdigest()}
                    for kind in ("sha1", "sha256")]
            yield {"SPDXID": "SPDXRef-File-" + hashlib.sha1(name.encode()).hexdigest(), "fileName": f"./{name}", "checksums": sums,
                   "licenseConcluded": "NOASSERTION", "copyrightText": "NOASSERTION"}


def write_licences(folder, name, packages):
    for package, _, _, _ in packages:
        shutil.copyfile(f"/usr/share/doc/{package}/copyright", folder / package)
    sources = sorted({f"{source}={version}" for _, _, source, version in packages})
    (folder / "README").write_text(README.format(name=name), encoding="utf-8")
    return sources


def main(name, tarball, folder, qemu, *libraries):
    folder = Path(folder)
    licences = folder / "share/doc/armpmu/licences"
    packages = sorted({query(package) for package in [*packages_of(libraries), *STATIC]})
    sources = write_licences(licences, name, packages)
    (licences / "SOURCES").write_text("\n".join(sorted([*sources, f"qemu={qemu}"])) + "\n", encoding="utf-8")
    version = name.removeprefix("armpmu-")
    parts = [part("armpmu", version, "armpmu", version), part("qemu-user", qemu, "qemu", qemu),
             *(part(*package) for package in packages)]
    files = list(files_of(folder))
    created = datetime.datetime.fromtimestamp(int(os.environ["SOURCE_DATE_EPOCH"]), datetime.timezone.utc)
    digest = hashlib.sha256("".join(file["checksums"][1]["checksumValue"] for file in files).encode()).hexdigest()
    related = [("SPDXRef-DOCUMENT", "DESCRIBES", "SPDXRef-armpmu")]
    related += [("SPDXRef-armpmu", "CONTAINS", one["SPDXID"]) for one in parts[1:] + files]
    json.dump({"spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": tarball,
               "documentNamespace": f"https://spdx.org/spdxdocs/{tarball}-{digest}",
               "creationInfo": {"created": created.strftime("%Y-%m-%dT%H:%M:%SZ"), "creators": ["Tool: armpmu scripts/release"]},
               "packages": parts, "files": files,
               "relationships": [dict(zip(("spdxElementId", "relationshipType", "relatedSpdxElement"), row)) for row in related]},
              sys.stdout, indent=1)
    print()


if __name__ == "__main__":
    main(*sys.argv[1:])
