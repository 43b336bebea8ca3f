#include "qemu/launcher/recorded_blocks.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "qemu/ring/layout.h"

#define CODE_BYTES (4 * RING_INSNS_MAX)

static enum armpmu_isa isa_of(enum ring_isa isa)
{
    switch (isa) {
    case RING_ISA_T32:
        return ARMPMU_T32;
    case RING_ISA_A64:
        return ARMPMU_A64;
    case RING_ISA_A32:
    case RING_ISA_UNKNOWN:
        break;
    }
    return ARMPMU_A32;
}

/* Returns whether the recorder may have written this. */
static bool is_possible(const struct ring_block *block)
{
    return block->n_insns <= RING_INSNS_MAX && block->n_bytes <= CODE_BYTES &&
           block->text_at <= RING_TEXT_BYTES - block->n_bytes && block->isa <= RING_ISA_A64 &&
           block->file <= RING_FILES_MAX;
}

/* A copy of the definition, which may change at any time. False if there is none. */
static bool copy_block(void *ring, uint32_t id, struct ring_block *out)
{
    if (id >= RING_BLOCKS_MAX)
        return false;
    const struct ring_block *const block = ring_block(ring, id);
    if (!atomic_load_explicit(&block->ready, memory_order_acquire))
        return false;
    *out = *(const volatile struct ring_block *)block;
    return is_possible(out);
}

bool recorded_blocks_look_up(void *user, uint32_t id, struct armpmu_block_source *out)
{
    static _Thread_local uint8_t code[CODE_BYTES];
    const struct recorded_blocks *const blocks = user;
    struct ring_block block;

    if (!copy_block(blocks->ring, id, &block))
        return false;
    memcpy(code, ring_text(blocks->ring, block.text_at), block.n_bytes);
    *out = (struct armpmu_block_source){
        .address = block.address,
        .bytes = block.n_bytes > 0 ? code : NULL,
        .n_bytes = block.n_bytes,
        .n_insns = block.n_insns,
        .isa = isa_of((enum ring_isa)block.isa),
        .file = block.file,
    };
    return true;
}

/* ---- programs ---- */

bool recorded_program(void *ring, uint32_t process, char *name)
{
    const struct ring_process *const of = ring_process(ring, process);

    memcpy(name, of->name, RING_PROGRAM_NAME);
    name[RING_PROGRAM_NAME - 1] = '\0';
    return *(const volatile uint32_t *)&of->replaces != 0;
}

int32_t recorded_pid(void *ring, uint32_t process)
{
    return atomic_load(&ring_process(ring, process)->pid);
}

unsigned recorded_programs(void *ring)
{
    const uint32_t known = atomic_load(&((struct ring_header *)ring)->n_processes);
    char name[RING_PROGRAM_NAME];
    unsigned n = 0;

    for (uint32_t i = 1; i <= known && i <= RING_PROCESSES_MAX; i++)
        n += recorded_program(ring, i, name);
    return n;
}

/* ---- files ---- */

static bool copy_file(void *ring, uint32_t index, struct engine_file *out)
{
    const struct ring_file *const file = ring_file(ring, index);
    if (!atomic_load_explicit(&file->ready, memory_order_acquire))
        return true;
    out->start = *(const volatile uint64_t *)&file->start;
    out->bytes = *(const volatile uint64_t *)&file->bytes;
    out->offset = *(const volatile uint64_t *)&file->offset;
    out->path = strndup(file->path, sizeof file->path - 1);
    return out->path != NULL;
}

enum armpmu_status recorded_file(void *ring, uint32_t number, struct engine_file *out,
                                 struct armpmu_error *err)
{
    *out = (struct engine_file){0};
    return number == 0 || number > RING_FILES_MAX || copy_file(ring, number - 1, out)
               ? ARMPMU_OK
               : fail_no_memory(err, "the name of a file");
}

enum armpmu_status recorded_files(void *ring, struct engine_file **out, size_t *n_files,
                                  struct armpmu_error *err)
{
    const uint32_t wanted = atomic_load(&((struct ring_header *)ring)->n_files);
    const uint32_t n = wanted < RING_FILES_MAX ? wanted : RING_FILES_MAX;
    bool made = (*out = calloc(n + 1u, sizeof **out)) != NULL;

    *n_files = 0;
    for (; made && *n_files < n; ++*n_files)
        made = copy_file(ring, (uint32_t)*n_files, &(*out)[*n_files]);
    return made ? ARMPMU_OK : fail_no_memory(err, "the names of files");
}
