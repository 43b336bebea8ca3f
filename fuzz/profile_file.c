/* Fuzzes the reading of armpmu.data: whatever the bytes, a profile or a message, never both; every
 * number in the profile is of something that is there, and it is written and read again as the
 * same.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "profile/profile_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

static void require(bool holds)
{
    if (!holds)
        abort();
}

static bool is_one_of(uint32_t number, size_t n)
{
    return number == PROFILE_NONE || number < n;
}

static void check_code(const struct profile *p)
{
    for (size_t i = 0; i < p->n_functions; i++)
        require(is_one_of(p->functions[i].object, p->n_objects) && p->functions[i].name != NULL);
    for (size_t i = 0; i < p->n_insns; i++) {
        const struct profile_insn *const insn = &p->insns[i];
        require(is_one_of(insn->object, p->n_objects) && insn->n_bytes <= 4);
        require(is_one_of(insn->function, p->n_functions));
        require(is_one_of(insn->line.file, p->n_files));
        require((uint64_t)insn->first_inline + insn->n_inlines <= p->n_inlines);
    }
    for (uint32_t i = 1; i < p->n_paths; i++)
        require(p->paths[i].parent < i && p->paths[i].caller < p->n_insns &&
                p->paths[i].function < p->n_functions);
}

static void check_counts(const struct profile *p)
{
    for (size_t i = 0; i < p->n_rows; i++) {
        const struct profile_row *const row = &p->rows[i];
        require(row->thread < p->n_threads && row->path < p->n_paths && row->insn < p->n_insns);
        require((uint64_t)row->first_count + row->n_counts <= p->n_counts);
        for (uint32_t j = 0; j < row->n_counts; j++)
            require(p->counts[row->first_count + j].event < p->n_events);
    }
}

static struct profile *read_bytes(const void *bytes, size_t n)
{
    char path[32];
    struct profile *p;
    struct armpmu_error err = {""};
    const int file = memfd_create("armpmu.data", 0);

    require(file >= 0 && write(file, bytes, n) == (ssize_t)n);
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    const enum armpmu_status status = profile_file_read(path, &p, &err);
    require((status == ARMPMU_OK) == !err.message[0] && (status == ARMPMU_OK) == (p != NULL));
    close(file);
    return p;
}

static void write_and_read(const struct profile *p)
{
    char *bytes;
    size_t n;
    struct armpmu_error err;
    FILE *const stream = open_memstream(&bytes, &n);

    require(stream != NULL && profile_file_write(p, stream, &err) == ARMPMU_OK);
    fclose(stream);
    struct profile *const again = read_bytes(bytes, n);
    require(again != NULL && again->n_rows == p->n_rows && again->n_insns == p->n_insns);
    profile_free(again);
    free(bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
    struct profile *const p = read_bytes(bytes, length);

    if (p == NULL)
        return 0;
    check_code(p);
    check_counts(p);
    write_and_read(p);
    profile_free(p);
    return 0;
}
