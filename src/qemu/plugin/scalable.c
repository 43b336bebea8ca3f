/* CHOICE(sve-predicated): an instruction that a predicate governs is empty, partial or full by the
 * elements of the vector that are active; which they are is read before it executes. */
#include "qemu/plugin/scalable.h"

#include <stdio.h>

#include "armpmu/trace.h"
#include "qemu/plugin/qemu_api.h"

enum { N_PREDICATES = 17, FFR = 16, N_VECTORS = 32 };

static struct qemu_plugin_register *predicates[N_PREDICATES], *vectors[N_VECTORS], *granules;

bool scalable_sees_registers(void)
{
    char name[4];

    if (granules != NULL)
        return true;
    if (!qemu_api_shows_registers())
        return false;
    for (unsigned n = 0; n < N_VECTORS; n++) {
        snprintf(name, sizeof name, "z%u", n);
        vectors[n] = qemu_api_register_of_all(name);
    }
    for (unsigned n = 0; n < N_PREDICATES; n++) {
        snprintf(name, sizeof name, "p%u", n);
        predicates[n] = qemu_api_register_of_all(n == FFR ? "ffr" : name);
    }
    if (predicates[0] == NULL || vectors[0] == NULL)
        return false;
    granules = qemu_api_register_of_all("vg");
    return granules != NULL;
}

unsigned scalable_vector_bytes(void)
{
    return (unsigned)qemu_api_register_read(granules) * 8;
}

/* A predicate has a bit for each byte of a vector, of which an element's lowest counts. */
uint64_t scalable_active(unsigned predicate, unsigned element_bytes, unsigned vector_bytes)
{
    const uint64_t bits = qemu_api_register_read(predicates[predicate]);
    uint64_t active = 0;

    for (unsigned n = 0; n < vector_bytes / element_bytes && n * element_bytes < 64; n++)
        active |= (bits >> n * element_bytes & 1) << n;
    return active;
}

uint64_t scalable_first_fault(void)
{
    return qemu_api_register_read(predicates[FFR]);
}

void scalable_vector(unsigned n, uint8_t *bytes, unsigned n_bytes)
{
    qemu_api_register_bytes(vectors[n], bytes, n_bytes);
}

/* ---- instructions ---- */

enum { INDEX_BITS = 12, GOVERNOR_BITS = 4 };

void *scalable_pack(const struct insn *insn, unsigned index)
{
    const uintptr_t packed =
        ((uintptr_t)insn->scalable.element_bytes << GOVERNOR_BITS | insn->scalable.governor)
            << INDEX_BITS |
        index;

    return (void *)packed;
}

uint64_t scalable_record(const void *packed, unsigned vector_bytes)
{
    const uintptr_t word = (uintptr_t)packed;
    const unsigned index = word & ((1u << INDEX_BITS) - 1),
                   governor = word >> INDEX_BITS & ((1u << GOVERNOR_BITS) - 1),
                   element_bytes = (unsigned)(word >> (INDEX_BITS + GOVERNOR_BITS));
    const uint64_t active = scalable_active(governor, element_bytes, vector_bytes);
    const unsigned n = vector_bytes / element_bytes;
    const uint64_t all = n < 64 ? (UINT64_C(1) << n) - 1 : UINT64_MAX;
    const enum armpmu_predicate state = active == 0     ? ARMPMU_PREDICATE_EMPTY
                                        : active == all ? ARMPMU_PREDICATE_FULL
                                                        : ARMPMU_PREDICATE_PARTIAL;

    return armpmu_record(ARMPMU_RECORD_PROGRESS, index) | state;
}
