"""Prints a manual page of section 3 from the comments of public headers, in the macros of man(7).

usage: library_pages.py VERSION HEADER      the page of a header: armpmu_pmu.h(3)
       library_pages.py VERSION HEADER...   the page of the libraries: libarmpmu(3)

Assumes the layout of include/armpmu: comments and declarations begin at the first character of a line, the first
comment is of the whole header, "/* --- NAME --- */" begins a part. Declarations are printed without attributes and
bodies, enumerations with the rows of their .def file; what only the preprocessor sees is left out.
"""

import re
import sys
import textwrap
from pathlib import Path

SPECIAL = {"\\": "\\e", "-": "\\-", "'": "\\(aq", "`": "\\(ga", "^": "\\(ha", "~": "\\(ti"}
COMMENT = r"/\*(?:(?!\*/).)*\*/"
LIBRARIES = """The performance monitors of Arm cores, register for register, and models of the cores that drive them. Each header
has a page.

  cc emulator.c $(pkg-config --cflags --libs libarmpmu)
  cc engine.c $(pkg-config --cflags --libs libarmpmu-sim)

The first is the monitor alone and needs no other library; the second has the core models, too.
"""


def escape(text):
    text = "".join(SPECIAL.get(character, character) for character in text)
    return "\\&" + text if text.startswith(".") else text


def comment_text(comment):
    """Without its stars; lines that are indented stay so."""
    inner = comment.strip()[2:-2]
    return "\n".join(re.sub(r"^ \* ?", "", line).rstrip() for line in inner.split("\n")).strip()


def verbatim(lines):
    return [".nf", *map(escape, lines), ".fi"]


def paragraphs(text):
    """Lines of roff, each paragraph begun by .PP; indented lines as they are."""
    out = []
    for as_is, part in re.findall(r"((?:^ .*\n?)+)|((?:^[^ \n].*\n?|^\n)+)", text, re.MULTILINE):
        if as_is:
            out += [".PP", *verbatim(as_is.rstrip("\n").split("\n"))]
        for paragraph in part.strip().split("\n\n") if part.strip() else []:
            out += [".PP", *map(escape, paragraph.strip().split("\n"))]
    return out


def section(heading, lines):
    return [f".SH {heading}", *(lines[1:] if lines[:1] == [".PP"] else lines)]


def enumerators(folder):
    """The rows of a .def file, in place of the lines that include it."""
    def replace(found):
        macro, prefix, name = found.groups()
        rows = re.findall(rf'^{macro}\((\w+).*"([^"]*)"\)', (folder / name).read_text(encoding="utf-8"), re.MULTILINE)
        return "".join(f"    {prefix}{row}, /* {meaning} */\n" for row, meaning in rows)
    return replace


def declarations(header):
    """The text between the guards, without what only the preprocessor sees."""
    text = header.read_text(encoding="utf-8")
    text = re.search(r"^#ifndef \w+_H\n#define \w+_H\n(.*)^#endif\n\Z", text, re.MULTILINE | re.DOTALL)[1]
    text = re.sub(r'^#define (\w+)\([\w, ]*\) (\w+)##id,\n#include "armpmu/(\w+\.def)"\n#undef \w+\n',
                  enumerators(header.parent), text, flags=re.MULTILINE)
    text = re.sub(r"^#include .*\n", "", text, flags=re.MULTILINE)
    text = re.sub(rf"(?<=\n\n)(?:{COMMENT}\n)?#if(?:(?!#endif).)*#endif\n", "", "\n\n" + text, flags=re.DOTALL)
    text = re.sub(r"^#if.*\n((?:[^#].*\n)*)#else\n(?:[^#].*\n)*#endif\n", r"\1", text, flags=re.MULTILINE)
    text = re.sub(r"^((?:static inline|ARMPMU_INLINE) [^{;]*?)\n\{.*?^\}$", r"\1;", text, flags=re.MULTILINE | re.DOTALL)
    return re.sub(r"\b(ARMPMU_API|ARMPMU_INLINE|ARMPMU_MUST_USE)\s+", "", text)


def blocks(text):
    """Comments, and declarations up to a blank line, in their order."""
    return re.findall(rf"^{COMMENT}(?=\n)|^(?:(?!/\*)[^\n])(?:[^\n]|\n(?!\n)(?!/\*)|\n+(?= ))*", text,
                      re.MULTILINE | re.DOTALL)


def statements(code):
    """A prototype fills lines, parted after commas; all else stays as it is."""
    if "{" in code or code.startswith("#"):
        return code.split("\n")
    filled = (re.sub("(?<!,) ", "\0", " ".join(statement.split())) for statement in re.split(r"\n(?=\S)", code))
    return [line.replace("\0", " ") for statement in filled
            for line in textwrap.wrap(statement, 76, subsequent_indent="    ", break_long_words=False,
                                      break_on_hyphens=False)]


def body(text):
    out = []
    for block in blocks(text):
        part = re.fullmatch(r"/\* -{3,} (.*?) -{3,} \*/", block)
        if part:
            out.append(f".SS {escape(part[1][0].upper() + part[1][1:])}")
        elif block.startswith("/*"):
            out += paragraphs(comment_text(block))
        else:
            out += [".PP", *verbatim(statements(block))]
    return [line for i, line in enumerate(out) if line != ".PP" or not out[i - 1].startswith(".SS")]


def opening(header):
    return comment_text(re.match(COMMENT, header.read_text(encoding="utf-8"), re.DOTALL)[0])


def summary(header):
    """The first sentence, without its full stop."""
    return re.split(r"\.(?:\s|$)", " ".join(opening(header).split()))[0]


def functions(text):
    prototypes = re.sub(COMMENT, "", text, flags=re.DOTALL)
    return re.findall(r"^(?!typedef|#|\s)[^\n(]*?\b(armpmu_\w+)\(", prototypes, re.MULTILINE)


def title(name, version):
    return [f'.TH {escape(name.upper())} 3 "" "armpmu {version}" "Library Functions Manual"']


def header_page(version, header):
    text = declarations(header)
    name = f"armpmu_{header.name}"
    names = ", ".join(dict.fromkeys([name, *functions(text)]))
    return [*title(name, version), ".SH NAME", f"{escape(names)} \\- {escape(summary(header))}",
            ".SH SYNOPSIS", f".B #include <armpmu/{header.name}>",
            *section("DESCRIPTION", paragraphs(opening(header))), *section("DECLARATIONS", body(text)),
            ".SH SEE ALSO", ".BR libarmpmu (3)"]


def libraries_page(version, headers):
    rows = [line for header in headers
            for line in (".TP", f".BR armpmu_{header.name} (3)", escape(summary(header)))]
    return [*title("libarmpmu", version), ".SH NAME", "libarmpmu, libarmpmu\\-sim \\- performance monitors of Arm cores",
            *section("DESCRIPTION", paragraphs(LIBRARIES)), ".SH HEADERS", *rows, ".SH SEE ALSO", ".BR armpmu (1)"]


def main(version, *names):
    headers = [Path(name) for name in names]
    page = header_page(version, headers[0]) if len(headers) == 1 else libraries_page(version, headers)
    print("\n".join(page))


if __name__ == "__main__":
    main(*sys.argv[1:])
