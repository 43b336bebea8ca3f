/* The differences between the execution states AArch32 and AArch64: a row for each. */
#ifndef UNICORN_PROCESSOR_H
#define UNICORN_PROCESSOR_H

#include <stdbool.h>
#include <stdint.h>

#include "armpmu/sim.h"
#include "unicorn/library.h"

struct firmware;
struct hook;
struct insn;

/* The work of an intercepted instruction. */
enum intercept_kind {
    INTERCEPT_NONE,
    INTERCEPT_TRANSFER, /* an access to the monitor */
    INTERCEPT_SYSTEM,
    INTERCEPT_PRELOAD,
    INTERCEPT_UNDEFINED, /* the library has it, the core has not */
    INTERCEPT_SLEEP,
    INTERCEPT_IT_BLOCK, /* an IT instruction, one of whose instructions is intercepted */
    INTERCEPT_LEVEL,    /* of AArch64: registers and calls of Exception levels */
    INTERCEPT_REACHED
};

enum exception {
    EXCEPTION_UNDEFINED,
    EXCEPTION_SVC,
    EXCEPTION_PREFETCH_ABORT,
    EXCEPTION_DATA_ABORT,
    EXCEPTION_IRQ,
    EXCEPTION_FIQ,
    EXCEPTION_SMC,         /* of AArch32 */
    EXCEPTION_SYNCHRONOUS, /* AArch64: any other, fw->a64->syndrome says which */
};

struct processor {
    uc_arch library;
    const char *code;        /* "32-bit Arm": of programs for it */
    const int *registers;    /* the library's: R0 to R14, X0 to X30, and the PC last */
    unsigned n_registers;    /* with the PC */
    unsigned word_bytes;     /* of a register, and of a field of semihosting's blocks */
    uint64_t address_end;    /* of memory */
    const char *status_name; /* of what follows: "CPSR" */
    /* Mode and flags, as cpsr_isa and cpsr_is_user take them. */
    uint32_t (*status)(const struct firmware *fw);
    /* As after a reset, at the image's entry point. False when the library cannot do that. */
    bool (*start)(struct firmware *fw);
    void (*end)(struct firmware *fw);
    /* The library ran into an exception of its number. */
    void (*report)(struct firmware *fw, uint32_t number);
    /* Returns whether a line asks for an interrupt that the processor does not mask; then which. */
    bool (*pending)(const struct firmware *fw, uint32_t status, enum exception *out);
    /* Takes fw->exception. Without a vector table the program ends. */
    void (*take)(struct firmware *fw);
    /* Returns whether an instruction is intercepted, and what it does then. */
    enum intercept_kind (*kind)(const struct firmware *fw, enum armpmu_isa isa, uint32_t word,
                                const struct insn *insn);
    void (*act)(struct firmware *fw, const struct hook *hook, uint32_t status);
};

/* The library's numbers of exceptions. */
enum {
    LIBRARY_UNDEFINED = 1,
    LIBRARY_SVC = 2,
    LIBRARY_PREFETCH_ABORT = 3,
    LIBRARY_DATA_ABORT = 4,
    LIBRARY_BKPT = 7,
    LIBRARY_SMC = 13,
};

extern const struct processor processor_aarch32, processor_aarch64;

#endif
