/* Arm semihosting: the program's calls to its host.
 *
 * Source: Semihosting for AArch32 and AArch64 (Arm 100863). Files are opened as the caller of
 * armpmu could open them, relative names from its current folder; ":tt" is the console. */
#ifndef ENGINE_UNICORN_SEMIHOSTING_H
#define ENGINE_UNICORN_SEMIHOSTING_H

#include <stdbool.h>
#include <stdint.h>

#define SEMIHOSTING_FILES 32u

struct firmware;

struct semihosting {
    struct {
        int fd;
        bool open, console;
    } files[SEMIHOSTING_FILES]; /* handle n is files[n - 1] */
    uint32_t error;             /* of the last call that failed, as newlib numbers them */
    char *command_line;
};

/* Whether the SVC in front of `next` is a call of the host; of AArch32. */
bool semihosting_is_call(const struct firmware *fw, uint32_t next, uint32_t cpsr);

/* Makes the call that R0 and R1 name, or X0 and X1, and fields of registers' width in memory; R0 or
 * X0 has its result. */
void semihosting_call(struct firmware *fw);

void semihosting_free(struct semihosting *semihosting);

#endif
