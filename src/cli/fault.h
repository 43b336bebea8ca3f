/* Where a program ended by an access to memory that is not its own. */
#ifndef CLI_FAULT_H
#define CLI_FAULT_H

#include "qemu/engine.h"

/* After a run: names the instruction, its function and its line, as far as they are known. sysroot
 * may be NULL. */
void fault_explain(const struct engine_result *result, const char *program, const char *sysroot);

#endif
