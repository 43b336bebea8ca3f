/* Tells from an ELF file the system that it was linked for. */
#ifndef UNICORN_ELF_PROBE_H
#define UNICORN_ELF_PROBE_H

#include "base/elf_file.h"

/* By what a file is certainly a program for Linux, in words; NULL: by nothing. Firmware may be
 * linked by a compiler for Linux, so a stack's flags and a build id say nothing. */
const char *elf_probe_linux(const struct elf_file *file);

#endif
