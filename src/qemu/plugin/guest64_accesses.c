/* Which registers of the activity monitors the guest accessed, how often and what came of it: a
 * file at the end, accesses=FILE.
 *
 *     armpmu-accesses 1
 *     PROCESSOR read|write REGISTER OUTCOME COUNT FIRST LAST
 *
 * REGISTER is named by its encoding, S3_3_C13_C4_0. FIRST and LAST are the values transferred, "-"
 * where none was. */
#include "base/array.h"
#include "qemu/plugin/guest64.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct access_tally {
    struct armpmu_encoding at;
    bool read;
    enum armpmu_outcome outcome;
    uint64_t count, first, last;
};

/* A processor's list, which grows by what its guest tries. */
struct access_log {
    struct access_tally *tallies;
    size_t n, room;
};

static struct {
    FILE *stream;
    char path[400];
    struct access_log of[GUEST_CPUS_MAX];
} accesses;

const char *guest64_accesses_open(const char *path)
{
    static char message[512];

    if (path == NULL)
        return NULL;
    /* The old content stays until there is a new one. */
    const int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    accesses.stream = fd >= 0 ? fdopen(fd, "w") : NULL;
    snprintf(accesses.path, sizeof accesses.path, "%s", path);
    if (accesses.stream == NULL) {
        snprintf(message, sizeof message, "accesses: %.400s: %s", path, strerror(errno));
        return message;
    }
    return NULL;
}

static struct access_tally *tally_of(struct access_log *log, const struct sysreg_insn *sysreg,
                                     enum armpmu_outcome outcome)
{
    for (size_t i = 0; i < log->n; i++) {
        struct access_tally *const tally = &log->tallies[i];
        if (tally->read == sysreg->read && tally->outcome == outcome &&
            sysreg_insn_same(&tally->at, &sysreg->at))
            return tally;
    }
    if (!ARRAY_RESERVE(log->tallies, log->room, log->n + 1))
        guest_die("out of memory for the guest's accesses");
    log->tallies[log->n] =
        (struct access_tally){.at = sysreg->at, .read = sysreg->read, .outcome = outcome};
    return &log->tallies[log->n++];
}

void guest64_accesses_note(struct guest_cpu *cpu, const struct cosim_insn *insn,
                           const struct sysreg_insn *sysreg, enum armpmu_outcome outcome,
                           uint64_t value)
{
    (void)insn;
    if (accesses.stream == NULL)
        return;
    struct access_tally *const tally = tally_of(&accesses.of[cpu->number], sysreg, outcome);
    if (tally->count++ == 0)
        tally->first = value;
    tally->last = value;
}

static const char *outcome_name(enum armpmu_outcome outcome)
{
    static const char *const names[] = {
        [ARMPMU_DONE] = "done",         [ARMPMU_UNDEFINED] = "undefined",
        [ARMPMU_TRAP_EL1] = "trap-el1", [ARMPMU_TRAP_EL2] = "trap-el2",
        [ARMPMU_TRAP_EL3] = "trap-el3",
    };

    return outcome < sizeof names / sizeof names[0] && names[outcome] != NULL ? names[outcome]
                                                                              : "left";
}

static void write_processor(unsigned cpu)
{
    for (size_t i = 0; i < accesses.of[cpu].n; i++) {
        const struct access_tally *const tally = &accesses.of[cpu].tallies[i];
        const struct armpmu_encoding *const at = &tally->at;
        fprintf(accesses.stream, "%u %s S%u_%u_C%u_C%u_%u %s %" PRIu64, cpu,
                tally->read ? "read" : "write", at->coproc, at->op1, at->crn, at->crm, at->op2,
                outcome_name(tally->outcome), tally->count);
        if (tally->outcome == ARMPMU_DONE)
            fprintf(accesses.stream, " 0x%" PRIx64 " 0x%" PRIx64 "\n", tally->first, tally->last);
        else
            fprintf(accesses.stream, " - -\n");
    }
}

bool guest64_accesses_end(void)
{
    struct stat file;

    if (accesses.stream == NULL)
        return true;
    bool whole = fstat(fileno(accesses.stream), &file) == 0 &&
                 (!S_ISREG(file.st_mode) || ftruncate(fileno(accesses.stream), 0) == 0);
    int cause = errno;
    fprintf(accesses.stream, "armpmu-accesses 1\n");
    for (unsigned cpu = 0; cpu < GUEST_CPUS_MAX; cpu++)
        write_processor(cpu);
    errno = cause;
    if ((fflush(accesses.stream) != 0 || ferror(accesses.stream)) && whole) {
        whole = false;
        cause = errno;
    }
    if (fclose(accesses.stream) != 0 && whole) {
        whole = false;
        cause = errno;
    }
    accesses.stream = NULL;
    if (!whole)
        fprintf(stderr, "armpmu-qemu.so: accesses: %s: %s; the list is not complete\n",
                accesses.path, strerror(cause));
    return whole;
}
