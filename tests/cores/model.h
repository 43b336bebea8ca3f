/* A core model fed by hand. */
#ifndef TESTS_CORES_MODEL_H
#define TESTS_CORES_MODEL_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include "armpmu/sim.h"

#define MACHINES SOURCE_ROOT "/machines"

struct model {
    struct armpmu_machine *machine;
    struct armpmu_code *code;
    struct armpmu_sim *sim;
};

static inline struct armpmu_machine *model_machine_load(const char *name)
{
    struct armpmu_machine *machine;
    struct armpmu_error err = {""};
    if (armpmu_machine_load(name, MACHINES, &machine, &err) != ARMPMU_OK)
        fail_msg("%s", err.message);
    return machine;
}

/* A machine with sections of its own, written as printf has them. */
__attribute__((format(printf, 3, 4))) static inline struct armpmu_machine *
model_machine(const char *name, const char *base, const char *sections, ...)
{
    char path[] = "/tmp/armpmu-machine-XXXXXX.ini";
    va_list records;
    FILE *file = fdopen(mkstemps(path, 4), "w");
    assert_non_null(file);
    fprintf(file, "[machine]\nname = %s\nbase = %s\n", name, base);
    va_start(records, sections);
    vfprintf(file, sections, records);
    va_end(records);
    fclose(file);
    struct armpmu_machine *machine = model_machine_load(path);
    remove(path);
    return machine;
}

/* Takes the machine over. */
static inline struct model model_of(struct armpmu_machine *machine, armpmu_block_lookup lookup,
                                    void *user)
{
    struct model model = {.machine = machine};
    struct armpmu_error err = {""};
    if (armpmu_code_new(lookup, user, &model.code, &err) != ARMPMU_OK ||
        armpmu_sim_new(machine, model.code, &model.sim, &err) != ARMPMU_OK)
        fail_msg("%s", err.message);
    return model;
}

static inline struct model model_new(const char *machine, armpmu_block_lookup lookup, void *user)
{
    return model_of(model_machine_load(machine), lookup, user);
}

static inline void model_free(struct model *model)
{
    armpmu_sim_free(model->sim);
    armpmu_code_free(model->code);
    armpmu_machine_free(model->machine);
}

static inline void model_run(struct model *model, const uint64_t *records, size_t n_records)
{
    struct armpmu_error err = {""};
    if (armpmu_sim_run(model->sim, records, n_records, &err) != ARMPMU_OK)
        fail_msg("%s", err.message);
}

/* Runs the records of a whole program; signals receives what it counted. Takes the model over. */
static inline void model_count(struct model model, const uint64_t *records, size_t n_records,
                               uint64_t *signals)
{
    model_run(&model, records, n_records);
    armpmu_sim_finish(model.sim, ARMPMU_END_EXIT);
    armpmu_sim_signals(model.sim, signals);
    model_free(&model);
}

static inline uint64_t model_signal(const struct model *model, enum armpmu_signal signal)
{
    uint64_t signals[ARMPMU_SIGNAL_COUNT];
    armpmu_sim_signals(model->sim, signals);
    return signals[signal];
}

/* Whether a signal is where cycles go: the slow models do not tell, see lost_cycles.c. */
static inline bool is_cycle_account(int signal)
{
    return signal >= ARMPMU_SIGNAL_ISSUE_PAIR && signal <= ARMPMU_SIGNAL_STALL_EXCEPTION;
}

/* ---- records ---- */

#define BLOCK(id)           (armpmu_record(ARMPMU_RECORD_BLOCK, 0) | (id))
#define ACCESS(index, addr) (armpmu_record(ARMPMU_RECORD_ACCESS, index) | (addr))
#define RUN(index, addr)    (armpmu_record(ARMPMU_RECORD_BURST, index) | (addr))
#define MARK(index)         armpmu_record(ARMPMU_RECORD_PROGRESS, index)
#define SYSCALL(number)     (armpmu_record(ARMPMU_RECORD_SYSCALL, 0) | (number))
#define SYSRET              armpmu_record(ARMPMU_RECORD_SYSRET, 0)
#define EXCEPTION(n)        armpmu_record(ARMPMU_RECORD_EXCEPTION, n)
#define EXCEPTION_AT(addr)  (armpmu_record(ARMPMU_RECORD_EXCEPTION, ARMPMU_RECORD_ALL) | (addr))
#define MAP(page, frame)                                                                           \
    (armpmu_record(ARMPMU_RECORD_MAP, 0) | (uint64_t)(page) << ARMPMU_RECORD_PAGE_LSB | (frame))
#define MAP_UNCACHED(page, frame) (MAP(page, frame) | ARMPMU_RECORD_UNCACHED)
#define DEVICE(index, addr)       (armpmu_record(ARMPMU_RECORD_DEVICE, index) | (addr))
#define TLB_FLUSH                 armpmu_record(ARMPMU_RECORD_TLB_FLUSH, 0)
#define TLB_FLUSH_PAGE(page)                                                                       \
    (TLB_FLUSH | ARMPMU_RECORD_ONE_PAGE | (uint64_t)(page) << ARMPMU_RECORD_PAGE_LSB)
#define MMU(on) (armpmu_record(ARMPMU_RECORD_MMU, 0) | (on))

/* Runs the records given as arguments. */
#define FEED(model, ...)                                                                           \
    model_run(model, (const uint64_t[]){__VA_ARGS__},                                              \
              sizeof((const uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t))

#endif
