/* Declarations that the two files of the slow activity monitors share. */
#ifndef TESTS_REFERENCE_PMU_AMU_H
#define TESTS_REFERENCE_PMU_AMU_H

#include "reference.h"

enum kind {
    NO_REGISTER,
    AMCR,
    AMCFGR,
    AMCGCR,
    AMUSERENR,
    AMCNTENCLR,
    AMCNTENSET,
    AMCG1IDR,
    AMEVCNTR,
    AMEVTYPER,
    AMEVCNTVOFF,
};

struct place {
    enum kind kind;
    unsigned group, n;
};

bool amu_has_counter(const struct reference *r, unsigned group, unsigned n);

/* Bit n: counter n of the group is enabled. */
uint64_t amu_enables(const struct reference *r, unsigned group);

uint64_t amu_value(const struct reference *r, struct place at);

/* The memory-mapped view. */
enum armpmu_outcome amu_load(struct reference *r, uint32_t offset, unsigned bytes, uint64_t *value);
enum armpmu_outcome amu_store(struct reference *r, uint32_t offset, unsigned bytes, uint64_t value);

/* A register that only the view has, by its name, whoever may. */
uint64_t amu_view_peek(const struct reference *r, const char *name);

#endif
