/* Fuzzes the names of code by the files that it came from: whatever the bytes of an ELF file, every
 * instruction gets a function with a name, and a line of a file that is there or none. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "profile/symbols.h"

#define ADDRESSES 64u

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

static void require(bool holds)
{
    if (!holds)
        abort();
}

static void fill(struct profile *p, const char *path)
{
    const struct profile_object object = {path, NULL, 0x1000, 0, NULL};
    struct armpmu_error err;
    uint32_t number;

    require(profile_add_object(p, &object, &number, &err) == ARMPMU_OK);
    for (uint32_t i = 0; i < ADDRESSES; i++) {
        const uint64_t address = 0x1000 + i * 0x24;
        const struct profile_insn insn = {.address = address, .object = number, .n_bytes = 4};
        const struct profile_function function = {.object = number, .address = address + 8};
        require(profile_add_insn(p, &insn, &number, &err) == ARMPMU_OK);
        number = 0;
        if (i % 8 == 0)
            require(profile_add_function(p, &function, &number, &err) == ARMPMU_OK);
        number = 0;
    }
}

static void check(const struct profile *p)
{
    for (size_t i = 0; i < p->n_functions; i++)
        require(p->functions[i].symbol != NULL && p->functions[i].name != NULL);
    for (size_t i = 0; i < p->n_insns; i++) {
        const struct profile_insn *const insn = &p->insns[i];
        require(insn->function < p->n_functions);
        require(insn->line.file == PROFILE_NONE || insn->line.file < p->n_files);
        require((uint64_t)insn->first_inline + insn->n_inlines <= p->n_inlines);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    char path[32];
    struct profile *p;
    struct armpmu_error err;
    const int file = memfd_create("object", 0);

    require(file >= 0 && write(file, bytes, length) == (ssize_t)length);
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    require(profile_new(&p, &err) == ARMPMU_OK);
    fill(p, path);
    require(symbols_resolve(p, NULL, NULL, 0, &err) == ARMPMU_OK);
    check(p);
    profile_free(p);
    close(file);
    return 0;
}
