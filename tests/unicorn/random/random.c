/* Random firmware counts the same whether its accesses are known before they happen or observed
 * when they do, and ends at its limits: every signal, register and instruction of every program.
 *
 * usage: random [-s FIRST] [-n PROGRAMS] [-k FILE] MACHINES
 *        random [-u] -s SEED -o FILE
 *
 * MACHINES: their folder. -k: the last one that went wrong, small, is kept in a file. -o: writes a
 * program and names its machine; -u: one for qemu-arm as well.
 *
 * A program that does not, or with which the engine dies or does not end, is made as small as it
 * can be, by NOPs in the place of its instructions, and printed with its seed. */
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "unicorn/firmware_run.h"
#include "../../seeds.h"
#include "program.h"

#define MAX_INSNS       5000u
#define TIMEOUT_SECONDS 600.0
#define HANG_SECONDS    1200u /* beyond what a busy computer takes for a batch */
#define BATCH           200u  /* programs of a process */
#define OVER_MAX        600u  /* instructions that the last block may add to the limit */

struct tally {
    uint64_t n, ends[ENGINE_FIRMWARE_FAILED + 1], insns, exceptions;
};

/* What a process of its own leaves behind. */
struct shared {
    uint64_t seed; /* that it is at */
    struct tally tally;
    bool wrong; /* a difference */
};

static struct armpmu_machine *machines[PROGRAM_CORES];
static struct shared *shared;

enum way { FORETOLD, WATCHED, INTERVALS, WAYS };

/* ---- one program ---- */

static void ignore(void *user, uint64_t count, const uint64_t *signals)
{
    (void)user, (void)count, (void)signals;
}

static bool run(const struct program *program, const char *path, enum way way,
                struct run_result *out)
{
    const char *const argv[] = {path, NULL};
    const struct firmware_setup setup = {.max_insns = MAX_INSNS, .watch_accesses = way == WATCHED};
    const struct run job = {
        .machine = machines[program->core],
        .argv = argv,
        .timeout_seconds = TIMEOUT_SECONDS,
        .firmware = &setup,
        .every = ARMPMU_SIGNAL_INST_RETIRED,
        .period = way == INTERVALS ? 500 : 0,
        .on_interval = ignore,
    };
    struct armpmu_error error;

    if (engine_firmware_run(&job, out, &error) == ARMPMU_OK) {
        run_result_free(out);
        return true;
    }
    printf("  %s\n", error.message);
    return false;
}

static const char *const way_names[WAYS] = {"foretold", "watched", "with intervals"};

static bool same(const struct run_result *one_run, const struct run_result *other_run, enum way way,
                 bool says)
{
    const struct firmware_end *const one = &one_run->firmware, *const other = &other_run->firmware;
    bool equal = true;

    for (unsigned signal = 0; signal < ARMPMU_SIGNAL_COUNT; signal++) {
        if (one_run->signals[signal] == other_run->signals[signal])
            continue;
        equal = false;
        if (says)
            printf("  %s is %" PRIu64 " foretold, %" PRIu64 " %s\n",
                   armpmu_signal_name((enum armpmu_signal)signal), one_run->signals[signal],
                   other_run->signals[signal], way_names[way]);
    }
    const bool ends = one->end == other->end && one->status == other->status &&
                      one->insns == other->insns && one->pc == other->pc &&
                      one->processor_status == other->processor_status &&
                      memcmp(one->r, other->r, sizeof one->r) == 0;
    if (!(ends && equal) && says)
        printf("  ends (%d, %d, %s) after %" PRIu64 " at 0x%08" PRIx64 " foretold\n"
               "  ends (%d, %d, %s) after %" PRIu64 " at 0x%08" PRIx64 " %s\n",
               one->end, one->status, one->reason, one->insns, one->pc, other->end, other->status,
               other->reason, other->insns, other->pc, way_names[way]);
    return equal && ends;
}

/* Whether its limits ended it, if it did not end before. */
static bool limited(const struct firmware_end *result, bool says)
{
    const bool held = result->end != ENGINE_FIRMWARE_TIMEOUT &&
                      result->end != ENGINE_FIRMWARE_INTERRUPTED &&
                      result->insns < MAX_INSNS + OVER_MAX;

    if (!held && says)
        printf("  ends (%d, %s) after %" PRIu64 " instructions\n", result->end, result->reason,
               result->insns);
    return held;
}

static bool try(const struct program *program, struct tally *tally, bool says)
{
    struct run_result results[WAYS];
    char path[64];
    const int fd = memfd_create("program", MFD_CLOEXEC);
    bool good = fd >= 0 && program_write(program, fd);

    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    for (unsigned way = 0; way < WAYS && good; way++)
        good = run(program, path, (enum way)way, &results[way]) &&
               limited(&results[way].firmware, says) &&
               (way == 0 || same(&results[0], &results[way], (enum way)way, says));
    close(fd);
    if (good && tally != NULL) {
        tally->n++;
        tally->ends[results[0].firmware.end]++;
        tally->insns += results[0].firmware.insns;
        tally->exceptions += results[0].signals[ARMPMU_SIGNAL_EXCEPTION_TAKEN];
    }
    return good;
}

/* ---- in a process of its own ---- */

/* Whether it goes wrong, in whatever way. */
static bool goes_wrong(const struct program *program, bool says)
{
    fflush(stdout);
    const pid_t child = fork();
    int status = 0;

    if (child == 0) {
        alarm(HANG_SECONDS);
        const bool good = try(program, NULL, says);
        fflush(stdout);
        _exit(good ? 0 : 1);
    }
    if (child < 0 || waitpid(child, &status, 0) != child)
        return false;
    if (says && WIFSIGNALED(status))
        printf("  %s\n",
               WTERMSIG(status) == SIGALRM ? "does not end" : strsignal(WTERMSIG(status)));
    return status != 0;
}

/* Leaves out as many instructions as can be, in ever smaller groups. */
static void make_small(struct program *program)
{
    for (unsigned n = program->n_insns; n > 0; n /= 2) {
        for (unsigned from = 0; from < program->n_insns; from += n) {
            struct program smaller = *program;
            for (unsigned i = from; i < from + n && i < program->n_insns; i++)
                program_leave_out(&smaller, i);
            if (memcmp(smaller.code, program->code, program->n_bytes) != 0 &&
                goes_wrong(&smaller, false))
                *program = smaller;
        }
    }
}

static void print(const struct program *program)
{
    static const uint16_t nops[2] = {0x46c0, 0x46c0};
    static const uint32_t nop_a32 = 0xe1a00000;

    printf("  %s%s%s, code at 0x%08x, vectors at 0x%08x; but for NOPs it is\n",
           program_machines[program->core], program->interrupts ? ", interrupts" : "",
           program->mmu ? ", MMU" : "", program->address, program->vectors);
    for (unsigned i = 0; i < program->n_insns; i++) {
        const struct program_insn *const insn = &program->insns[i];
        const void *const nop = insn->t32 ? (const void *)nops : (const void *)&nop_a32;
        uint16_t halves[2] = {0, 0};
        if (memcmp(program->code + insn->offset, nop, insn->size) == 0)
            continue;
        memcpy(halves, program->code + insn->offset, insn->size);
        if (insn->t32)
            printf("    0x%08x: .thumb %04x %04x\n", program->address + insn->offset, halves[0],
                   halves[1]);
        else
            printf("    0x%08x: .arm %04x%04x\n", program->address + insn->offset, halves[1],
                   halves[0]);
    }
}

static bool write_to(const char *path, const struct program *program)
{
    const int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0755);

    return fd >= 0 && program_write(program, fd) && close(fd) == 0;
}

static void explain(uint64_t seed, const char *kept)
{
    static struct program program;

    program_make(&program, seed, false);
    printf("seed %" PRIu64 ":\n", seed);
    if (!goes_wrong(&program, true)) {
        printf("  goes wrong behind others only\n");
        return;
    }
    make_small(&program);
    printf("smaller:\n");
    (void)goes_wrong(&program, true);
    print(&program);
    if (kept != NULL && !write_to(kept, &program))
        printf("  %s cannot be written\n", kept);
    fflush(stdout);
}

/* Runs programs until one goes wrong. */
static void run_batch(uint64_t first, uint64_t end)
{
    static struct program program;

    for (uint64_t seed = first; seed < end; seed++) {
        shared->seed = seed;
        alarm(HANG_SECONDS);
        program_make(&program, seed, false);
        if (!try(&program, &shared->tally, false))
            _exit(1);
    }
    _exit(0);
}

static uint64_t run_all(uint64_t first, uint64_t n, const char *kept)
{
    const uint64_t end = first + n;
    uint64_t wrong = 0;

    for (uint64_t at = first; at < end;) {
        const uint64_t last = at + BATCH < end ? at + BATCH : end;
        int status = 0;
        fflush(stdout);
        const pid_t child = fork();
        if (child == 0)
            run_batch(at, last);
        if (child < 0 || waitpid(child, &status, 0) != child)
            return wrong + 1;
        at = last;
        if (status != 0) {
            wrong++;
            explain(shared->seed, kept);
            at = shared->seed + 1;
        }
    }
    return wrong;
}

/* ---- the command ---- */

static int write_program(const char *path, uint64_t seed, bool user)
{
    static struct program program;

    program_make(&program, seed, user);
    printf("%s\n", program_machines[program.core]);
    return write_to(path, &program) ? 0 : 1;
}

static bool load_machines(const char *folder)
{
    struct armpmu_error error;

    for (unsigned i = 0; i < PROGRAM_CORES; i++)
        if (armpmu_machine_load(program_machines[i], folder, &machines[i], &error) != ARMPMU_OK) {
            fprintf(stderr, "%s\n", error.message);
            return false;
        }
    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return shared != MAP_FAILED;
}

/* Programs that do nothing would agree as well. */
static bool is_worth_it(const struct tally *tally)
{
    return tally->ends[ENGINE_FIRMWARE_EXIT] >= tally->n / 3 && tally->insns >= 100 * tally->n &&
           tally->exceptions >= tally->n;
}

int main(int argc, char **argv)
{
    uint64_t first = 1, n = seeds_of(300);
    const char *out = NULL, *kept = NULL;
    bool user = false;
    int option;

    while ((option = getopt(argc, argv, "s:n:k:o:u")) != -1) {
        if (option == 's')
            first = strtoull(optarg, NULL, 0);
        else if (option == 'n')
            n = strtoull(optarg, NULL, 0);
        else if (option == 'k')
            kept = optarg;
        else if (option == 'o')
            out = optarg;
        else if (option == 'u')
            user = true;
        else
            return 2;
    }
    if (out != NULL)
        return write_program(out, first, user);
    if (optind + 1 != argc || !load_machines(argv[optind]))
        return 2;
    const uint64_t wrong = run_all(first, n, kept);
    const struct tally *const tally = &shared->tally;
    printf("%" PRIu64 " programs: %" PRIu64 " end by themselves, %" PRIu64
           " cannot continue, %" PRIu64 " by their limit; %" PRIu64 " instructions, %" PRIu64
           " exceptions; %" PRIu64 " wrong\n",
           tally->n, tally->ends[ENGINE_FIRMWARE_EXIT], tally->ends[ENGINE_FIRMWARE_FAULT],
           tally->ends[ENGINE_FIRMWARE_LIMIT], tally->insns, tally->exceptions, wrong);
    for (unsigned i = 0; i < PROGRAM_CORES; i++)
        armpmu_machine_free(machines[i]);
    return wrong > 0 || !is_worth_it(tally);
}
