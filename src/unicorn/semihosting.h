/* Arm semihosting: the program's calls to its host.
 *
 * Source: Semihosting for AArch32 and AArch64 (Arm 100863). ":tt" is the console, a character
 * device. Files are those below one folder, if the job names one (host_files.h); a call that asks
 * for more fails with EACCES, and the result has a line of it. No command is ever run. All that a
 * call names is the program's word: addresses, lengths, handles and names are checked, and no
 * memory is taken by a length. */
#ifndef UNICORN_SEMIHOSTING_H
#define UNICORN_SEMIHOSTING_H

#include <stdbool.h>
#include <stdint.h>

#include "unicorn/host_files.h"

#define SEMIHOSTING_FILES 32u

struct firmware;

struct semihosting {
    struct {
        int fd;
        bool open, console;
    } files[SEMIHOSTING_FILES]; /* handle n is files[n - 1] */
    struct host_files host;
    uint32_t error; /* of the last call that failed, as newlib numbers them */
    char *command_line;
};

/* As the job says. Returns ARMPMU_OK, ARMPMU_BAD_CONFIG (no such folder) or ARMPMU_NO_MEMORY. */
ARMPMU_MUST_USE enum armpmu_status semihosting_begin(struct firmware *fw, struct armpmu_error *err);

/* Returns whether the program has semihosting at all. Without, its calls are what the core makes of
 * them.
 */
bool semihosting_is_on(const struct firmware *fw);

/* Returns whether the SVC before `next` has the number of a call of the host; of AArch32. */
bool semihosting_is_call(const struct firmware *fw, uint32_t next, uint32_t cpsr);

/* Makes the call that R0 and R1 name, or X0 and X1, and fields of registers' width in memory; R0 or
 * X0 has its result. */
void semihosting_call(struct firmware *fw);

void semihosting_free(struct semihosting *semihosting);

#endif
