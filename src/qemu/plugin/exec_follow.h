/* Arm programs that a program executes.
 *
 * QEMU hands execve to the host, which does not know Arm programs unless binfmt_misc is set up. So
 * the recorder looks at execve first: where it names an Arm program, or a script for one, the
 * process becomes a new QEMU with the options of this one. Everything that belongs to a process
 * stays as execve leaves it: descriptors, ignored and blocked signals, working directory, process
 * id. Whatever else execve names, and whatever is wrong with it, is left to QEMU.
 *
 * Assumes that a block of the program has been translated, which shows where QEMU has the
 * program's memory; that QEMU blocks all signals, also those of the C library, while one waits to
 * be delivered: execve is then left to QEMU, which delivers it and begins again.
 * Leaves out: execveat; programs of the other width; what host programs execute. */
#ifndef QEMU_PLUGIN_EXEC_FOLLOW_H
#define QEMU_PLUGIN_EXEC_FOLLOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Keeps QEMU's own command line: before the program's first instruction. */
void exec_follow_start(bool is_a64);

/* Code of the program, and where QEMU has it. */
void exec_follow_code(uint64_t address, const void *host);

/* Reads the program's memory, once the place of some code is known. False where there is none. */
bool exec_follow_read(uint64_t address, void *to, size_t n_bytes);

bool exec_follow_is_exec(int64_t number, bool is_a64);

/* Executes what an execve with these arguments names, with the ring's descriptor as the process
 * that `process` was; ring -1: uncounted. Returns where that is not to be done. */
void exec_follow(const uint64_t *arguments, int ring, uint32_t process);

/* The name of the program that QEMU runs, without its folders; "" where it is not known. */
const char *exec_follow_name(void);

#endif
