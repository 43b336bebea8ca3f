/* The state and the page of code of an A64 guest, for observer.c: load, instruction, store.
 * TPIDR_EL0 keeps a register while the others are stored; it is the C library's again behind the
 * page. */
#ifndef TESTS_ISA_OBSERVER_A64_H
#define TESTS_ISA_OBSERVER_A64_H

enum { SP = 31, N_CORE = 32, N_FLAGS = 4, N_VECTORS = 32, N_ITEMS = N_CORE + N_FLAGS + N_VECTORS };

struct state {
    uint64_t core[N_CORE];
    uint64_t nzcv;   /* at 256 */
    uint64_t unused; /* at 264 */
    struct {
        uint64_t low, high;
    } vectors[N_VECTORS]; /* at 272 */
};

/* Hidden, so that no table of addresses stands in between. */
#pragma GCC visibility push(hidden)
extern uint32_t page_start[], page_slot[], page_data[], page_in[], page_out[], page_end[];
#pragma GCC visibility pop

#define PAIRS(what)                                                                                \
    what " x2, x3, [x0, #16]\n" what " x4, x5, [x0, #32]\n" what " x6, x7, [x0, #48]\n" what       \
         " x8, x9, [x0, #64]\n" what " x10, x11, [x0, #80]\n" what " x12, x13, [x0, #96]\n" what   \
         " x14, x15, [x0, #112]\n" what " x16, x17, [x0, #128]\n" what                             \
         " x18, x19, [x0, #144]\n" what " x20, x21, [x0, #160]\n" what                             \
         " x22, x23, [x0, #176]\n" what " x24, x25, [x0, #192]\n" what                             \
         " x26, x27, [x0, #208]\n" what " x28, x29, [x0, #224]\n"
#define VECTORS(what)                                                                              \
    what " q0, q1, [x1]\n" what " q2, q3, [x1, #32]\n" what " q4, q5, [x1, #64]\n" what            \
         " q6, q7, [x1, #96]\n" what " q8, q9, [x1, #128]\n" what " q10, q11, [x1, #160]\n" what   \
         " q12, q13, [x1, #192]\n" what " q14, q15, [x1, #224]\n" what                             \
         " q16, q17, [x1, #256]\n" what " q18, q19, [x1, #288]\n" what                             \
         " q20, q21, [x1, #320]\n" what " q22, q23, [x1, #352]\n" what                             \
         " q24, q25, [x1, #384]\n" what " q26, q27, [x1, #416]\n" what                             \
         " q28, q29, [x1, #448]\n" what " q30, q31, [x1, #480]\n"

__asm__(".balign 8\n"
        "page_start:\n"
        "    stp x29, x30, [sp, #-160]!\n"
        "    stp x19, x20, [sp, #16]\n"
        "    stp x21, x22, [sp, #32]\n"
        "    stp x23, x24, [sp, #48]\n"
        "    stp x25, x26, [sp, #64]\n"
        "    stp x27, x28, [sp, #80]\n"
        "    stp d8, d9, [sp, #96]\n"
        "    stp d10, d11, [sp, #112]\n"
        "    stp d12, d13, [sp, #128]\n"
        "    stp d14, d15, [sp, #144]\n"
        "    adr x0, page_host\n"
        "    mov x1, sp\n"
        "    mrs x2, tpidr_el0\n"
        "    stp x1, x2, [x0]\n"
        "    ldr x0, page_in\n"
        "    add x1, x0, #272\n" VECTORS(
            "ldp") "    ldr x1, [x0, #256]\n"
                   "    msr nzcv, x1\n"
                   "    ldr x1, [x0, #248]\n"
                   "    mov sp, x1\n" PAIRS(
                       "ldp") "    ldr x30, [x0, #240]\n"
                              "    ldp x0, x1, [x0]\n"
                              "page_slot:\n"
                              "    nop\n"
                              "    msr tpidr_el0, x0\n"
                              "    ldr x0, page_out\n"
                              "    str x1, [x0, #8]\n" PAIRS(
                                  "stp") "    str x30, [x0, #240]\n"
                                         "    mrs x1, tpidr_el0\n"
                                         "    str x1, [x0]\n"
                                         "    mov x1, sp\n"
                                         "    str x1, [x0, #248]\n"
                                         "    mrs x1, nzcv\n"
                                         "    str x1, [x0, #256]\n"
                                         "    add x1, x0, #272\n" VECTORS(
                                             "stp") "    adr x0, page_host\n"
                                                    "    ldp x1, x2, [x0]\n"
                                                    "    mov sp, x1\n"
                                                    "    msr tpidr_el0, x2\n"
                                                    "    ldp x19, x20, [sp, #16]\n"
                                                    "    ldp x21, x22, [sp, #32]\n"
                                                    "    ldp x23, x24, [sp, #48]\n"
                                                    "    ldp x25, x26, [sp, #64]\n"
                                                    "    ldp x27, x28, [sp, #80]\n"
                                                    "    ldp d8, d9, [sp, #96]\n"
                                                    "    ldp d10, d11, [sp, #112]\n"
                                                    "    ldp d12, d13, [sp, #128]\n"
                                                    "    ldp d14, d15, [sp, #144]\n"
                                                    "    ldp x29, x30, [sp], #160\n"
                                                    "    ret\n"
                                                    ".balign 8\n"
                                                    "page_data:\n"
                                                    "page_host: .quad 0, 0\n"
                                                    "page_in: .quad 0\n"
                                                    "page_out: .quad 0\n"
                                                    "page_end:\n");

static uint32_t *page;
static struct state in, out;

static uint32_t *in_page(const uint32_t *label)
{
    return page + (label - page_start);
}

/* At the end of a page of code, with what it writes on the page behind it. */
static void make_page(void)
{
    char *pages = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE | PROT_EXEC,
                       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (pages == MAP_FAILED)
        exit(2);
    page = (uint32_t *)(void *)(pages + PAGE) - (page_data - page_start);
    memcpy(page, page_start, (size_t)((char *)page_end - (char *)page_start));
    *(uint64_t *)(void *)in_page(page_in) = (uint64_t)(uintptr_t)&in;
    *(uint64_t *)(void *)in_page(page_out) = (uint64_t)(uintptr_t)&out;
}

static void place(const char *isa, uint32_t encoding, bool is_long)
{
    (void)isa;
    (void)is_long;
    *in_page(page_slot) = encoding;
    __builtin___clear_cache((char *)page, (char *)in_page(page_data));
}

/* After a signal. */
static void restore_machine(void)
{
}

static const char *name_of(unsigned item)
{
    static char text[8];

    if (item == SP)
        return "sp";
    if (item >= N_CORE && item < N_CORE + N_FLAGS)
        return "flags";
    snprintf(text, sizeof text, item < N_CORE ? "x%u" : "v%u",
             item < N_CORE ? item : item - N_CORE - N_FLAGS);
    return text;
}

static uint64_t flag_mask(unsigned item)
{
    return UINT64_C(0x80000000) >> (item - N_CORE);
}

static uint64_t get(const struct state *state, unsigned item)
{
    if (item < N_CORE)
        return state->core[item];
    if (item < N_CORE + N_FLAGS)
        return state->nzcv & flag_mask(item);
    /* The halves of a vector as one number that differs when they do, nearly always. */
    return state->vectors[item - N_CORE - N_FLAGS].low * 3 +
           state->vectors[item - N_CORE - N_FLAGS].high * 5;
}

static void flip(struct state *state, unsigned item, uint64_t bits)
{
    if (item < N_CORE) {
        state->core[item] ^= bits;
    } else if (item < N_CORE + N_FLAGS) {
        state->nzcv ^= flag_mask(item);
    } else {
        state->vectors[item - N_CORE - N_FLAGS].low ^= bits;
        state->vectors[item - N_CORE - N_FLAGS].high ^= ~bits;
    }
}

static void random_input(int base, int index)
{
    for (unsigned i = 0; i < N_CORE; i++)
        in.core[i] = random_next();
    for (unsigned i = 0; i < N_VECTORS; i++) {
        in.vectors[i].low = random_next();
        in.vectors[i].high = random_next();
    }
    in.nzcv = random_next() & 0xf0000000;
    if (index >= 0 && index < SP)
        in.core[index] = random_next() & 0xf8;
    if (base >= 0)
        in.core[base] = (uint64_t)(uintptr_t)arena + ARENA / 2;
}

#endif
