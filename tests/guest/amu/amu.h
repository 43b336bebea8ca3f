/* The parts of the activity monitors' conformance program. It runs alone, in EL3, with the MMU off,
 * and looks at the unit from all Exception levels. */
#ifndef AMU_H
#define AMU_H

#include <stdbool.h>
#include <stdint.h>

/* ---- start.S ---- */

/* What the exception that ended a snippet found; start.S has the offsets. */
struct frame {
    uint64_t x[31];
    uint64_t index; /* of the latest vector   */
    uint64_t level; /* whose table it is in   */
    uint64_t esr, elr, spsr;
    uint64_t current_el, sp_selected, daif;
    uint64_t sp, sp_el0, sp_el1, sp_el2;
    uint64_t vector; /* 0 to 15 */
};

extern struct frame frame;
extern uint32_t vectors_1[], vectors_2[], vectors_3[];

/* Executes code with this PSTATE, x0 and stack pointers of EL0 to EL3; it ends by an exception. */
void run_snippet(uint64_t pstate, uint64_t code, uint64_t x0, const uint64_t stacks[4]);

void board_write(const char *text);

/* How many instructions the counter of retired ones saw; see there. */
uint64_t count_nothing(uint64_t turns, uint64_t *word);
uint64_t count_loop(uint64_t turns, uint64_t *word);
uint64_t count_calls(uint64_t turns, uint64_t *word);
uint64_t count_failed(uint64_t turns, uint64_t *word);
uint64_t count_memory(uint64_t turns, uint64_t *word);

/* ---- main.c ---- */

void write_hex(uint64_t number);

/* A check: one line of output. */
void check(const char *what, const char *which, uint64_t got, uint64_t right);

/* Many checks that are one line unless some are wrong. */
void begin_checks(const char *what);
void one_of_checks(const char *which, uint64_t got, uint64_t right);
void end_checks(void);

/* ---- what the unit is ---- */

struct unit {
    bool v1p1, fine_traps;
    unsigned group1;          /* counters */
    uint64_t offsets, exists; /* AMCG1IDR: which of them have an offset, and exist */
};

extern struct unit unit;

void check_access(void);
void check_registers(void);
void check_views(void);
void check_counting(void);

/* Where the machine was told to have the memory-mapped view, when it was: there AMDEVTYPE says so.
 */
void check_frame_view(void);

/* Counts all events from zero around work, three times, and prints a line "window CYCLES CONSTANT
 * RETIRED STALLS" for each. */
void show_windows(void);

/* ---- registers, from EL3 ---- */

#define READ(name, encoding)                                                                       \
    static inline uint64_t read_##name(void)                                                       \
    {                                                                                              \
        uint64_t value;                                                                            \
        __asm__ volatile("mrs %0, " encoding : "=r"(value)::"memory");                             \
        return value;                                                                              \
    }
#define WRITE(name, encoding)                                                                      \
    static inline void write_##name(uint64_t value)                                                \
    {                                                                                              \
        __asm__ volatile("msr " encoding ", %0\n isb" ::"r"(value) : "memory");                    \
    }
#define REGISTER(name, encoding) READ(name, encoding) WRITE(name, encoding)

REGISTER(amcr, "S3_3_C13_C2_0")
READ(amcfgr, "S3_3_C13_C2_1")
READ(amcgcr, "S3_3_C13_C2_2")
REGISTER(amuserenr, "S3_3_C13_C2_3")
REGISTER(amcntenclr0, "S3_3_C13_C2_4")
REGISTER(amcntenset0, "S3_3_C13_C2_5")
READ(amcg1idr, "S3_3_C13_C2_6")
REGISTER(amcntenclr1, "S3_3_C13_C3_0")
REGISTER(amcntenset1, "S3_3_C13_C3_1")
REGISTER(cycles, "S3_3_C13_C4_0")
REGISTER(constant, "S3_3_C13_C4_1")
REGISTER(retired, "S3_3_C13_C4_2")
REGISTER(stalls, "S3_3_C13_C4_3")
REGISTER(amevcntr10, "S3_3_C13_C12_0")
REGISTER(amevcntvoff00, "S3_4_C13_C8_0")
REGISTER(amevcntvoff10, "S3_4_C13_C10_0")
REGISTER(hafgrtr, "S3_4_C3_C1_6")
REGISTER(scr, "scr_el3")
REGISTER(hcr, "hcr_el2")
REGISTER(cptr_el3, "cptr_el3")
REGISTER(cptr_el2, "cptr_el2")
READ(pfr0, "id_aa64pfr0_el1")
READ(mmfr0, "id_aa64mmfr0_el1")
READ(pfr0_aarch32, "id_pfr0_el1")

#define SCR_NS       (UINT64_C(1) << 0)
#define SCR_RES1     (UINT64_C(3) << 4)
#define SCR_HCE      (UINT64_C(1) << 8)
#define SCR_RW       (UINT64_C(1) << 10)
#define SCR_FGTEN    (UINT64_C(1) << 27)
#define SCR_AMVOFFEN (UINT64_C(1) << 35)
#define SCR_USUAL    (SCR_RES1 | SCR_HCE | SCR_RW)
#define HCR_TGE      (UINT64_C(1) << 27)
#define HCR_RW       (UINT64_C(1) << 31)
#define HCR_E2H      (UINT64_C(1) << 34)
#define HCR_AMVOFFEN (UINT64_C(1) << 51)
#define CPTR_TAM     (UINT64_C(1) << 30)
#define AMCR_HDBG    (UINT64_C(1) << 10)
#define AMCR_CG1RZ   (UINT64_C(1) << 17)

#endif
