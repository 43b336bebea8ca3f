/* Runs single instructions and reports what they did: a guest program (A32, statically linked).
 *
 * Reads lines "A32|T32 ENCODING BASE INDEX": an instruction that does not branch, and the numbers
 * of the registers that have to hold an address and a small number for it, -1 for none. For each it
 * prints "undefined", "fault", or "w:REGISTERS r:REGISTERS s:BYTES": the registers that changed in
 * any run, those whose value mattered to anything else, and the extent of what was stored. Names
 * are those of render.h. Runs start from seeded random states; a register matters when changing it
 * alone changes another register, its own result, or memory.
 *
 * The instruction stands in a page of code that loads all registers, runs it, and stores them all:
 *
 *     load | A32 instruction, or ldr pc to the T32 one | b store
 *     T32 instruction, bx pc, nop | store
 *
 * What that code writes is on the page behind it: an emulator translates a page again when it
 * changes.
 */
#include <setjmp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum {
    PAGE = 4096,
    N_CORE = 15,
    N_DOUBLE = 32,
    N_ITEMS = N_CORE + 7 + N_DOUBLE,
    ARENA = 16384,
    SEEDS = 2
};

struct state {
    uint32_t core[N_CORE];
    uint32_t apsr;  /* at 60 */
    uint32_t fpscr; /* at 64 */
    uint32_t unused;
    uint64_t doubles[N_DOUBLE]; /* at 72 */
};

extern uint32_t page_start[], page_slot[], page_thumb[], page_data[], page_thumb_address[],
    page_in[], page_out[], page_end[];

__asm__(".arm\n"
        ".balign 4\n"
        "page_start:\n"
        "    push {r4-r11, lr}\n"
        "    vpush {d8-d15}\n"
        "    str sp, page_host_sp\n"
        "    ldr r0, page_in\n"
        "    add r1, r0, #72\n"
        "    vldmia r1!, {d0-d15}\n"
        "    vldmia r1, {d16-d31}\n"
        "    ldr r1, [r0, #60]\n"
        "    msr APSR_nzcvqg, r1\n"
        "    ldr r1, [r0, #64]\n"
        "    vmsr fpscr, r1\n"
        "    ldmia r0, {r0-r14}\n"
        "page_slot:\n"
        "    nop\n"
        "    b page_store\n"
        "page_thumb:\n"
        "    .short 0xbf00, 0xbf00, 0x4778, 0x46c0\n" /* ..., bx pc, nop */
        "page_store:\n"
        "    str r0, page_saved\n"
        "    ldr r0, page_out\n"
        "    stmib r0, {r1-r14}\n"
        "    ldr r1, page_saved\n"
        "    str r1, [r0]\n"
        "    mrs r1, APSR\n"
        "    str r1, [r0, #60]\n"
        "    vmrs r1, fpscr\n"
        "    str r1, [r0, #64]\n"
        "    mov r1, #0\n" /* vectors of VFP would change what follows */
        "    vmsr fpscr, r1\n"
        "    add r1, r0, #72\n"
        "    vstmia r1!, {d0-d15}\n"
        "    vstmia r1, {d16-d31}\n"
        "    ldr sp, page_host_sp\n"
        "    vpop {d8-d15}\n"
        "    pop {r4-r11, pc}\n"
        "page_data:\n"
        "page_host_sp: .word 0\n"
        "page_saved: .word 0\n"
        "page_thumb_address: .word 0\n"
        "page_in: .word 0\n"
        "page_out: .word 0\n"
        "page_end:\n");

static uint32_t *page;
static struct state in, out;
static uint8_t arena[ARENA] __attribute__((aligned(64))), master[ARENA];
static sigjmp_buf caught;

static uint64_t random_state = 0x1ea5;

static uint64_t random_next(void)
{
    uint64_t z = (random_state += UINT64_C(0x9e3779b97f4a7c15));
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

static void on_signal(int number)
{
    siglongjmp(caught, number);
}

static uint32_t *in_page(const uint32_t *label)
{
    return page + (label - page_start);
}

static void make_page(void)
{
    char *pages = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE | PROT_EXEC,
                       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (pages == MAP_FAILED)
        exit(2);
    page = (uint32_t *)(void *)(pages + PAGE) - (page_data - page_start);
    memcpy(page, page_start, (size_t)((char *)page_end - (char *)page_start));
    *in_page(page_in) = (uint32_t)(uintptr_t)&in;
    *in_page(page_out) = (uint32_t)(uintptr_t)&out;
    *in_page(page_thumb_address) = (uint32_t)(uintptr_t)in_page(page_thumb) | 1;
}

static void place(bool thumb, uint32_t encoding, bool is_long)
{
    /* ldr pc, page_thumb_address */
    const uint32_t distance = (uint32_t)((char *)page_thumb_address - (char *)page_slot) - 8;
    const uint32_t halves = is_long ? encoding << 16 | encoding >> 16 : 0xbf000000 | encoding;

    *in_page(page_slot) = thumb ? 0xe59ff000 | distance : encoding;
    *in_page(page_thumb) = thumb ? halves : 0xbf00bf00;
    __builtin___clear_cache((char *)page, (char *)in_page(page_data));
}

/* The signal that ended the run, 0 for none. */
static int run(bool restores_memory)
{
    const int number = sigsetjmp(caught, 1);

    if (number != 0) {
        __asm__ volatile("vmsr fpscr, %0" : : "r"(0));
        return number;
    }
    if (restores_memory)
        memcpy(arena, master, ARENA);
    ((void (*)(void))page)();
    return 0;
}

/* Core registers, then N Z C V, Q, GE, FPSCR's flags, then D registers. */
static const char *name_of(unsigned item)
{
    static const char *const names[] = {"sp",    "lr", "flags", "flags", "flags",
                                        "flags", "q",  "ge",    "fpscr"};
    static char text[8];

    if (item >= 13 && item < N_CORE + 7)
        return names[item - 13];
    snprintf(text, sizeof text, item < 13 ? "r%u" : "d%u", item < 13 ? item : item - N_CORE - 7);
    return text;
}

static uint32_t flag_mask(unsigned item)
{
    return item < N_CORE + 4    ? 0x80000000u >> (item - N_CORE)
           : item == N_CORE + 4 ? 0x08000000u
                                : 0x000f0000u;
}

static uint64_t get(const struct state *state, unsigned item)
{
    if (item < N_CORE)
        return state->core[item];
    if (item < N_CORE + 6)
        return state->apsr & flag_mask(item);
    if (item == N_CORE + 6)
        return state->fpscr & 0xf0000000;
    return state->doubles[item - N_CORE - 7];
}

static void flip(struct state *state, unsigned item, uint64_t bits)
{
    if (item < N_CORE)
        state->core[item] ^= (uint32_t)bits;
    else if (item < N_CORE + 6)
        state->apsr ^= flag_mask(item);
    else if (item == N_CORE + 6)
        state->fpscr ^= 0xf0000000;
    else
        state->doubles[item - N_CORE - 7] ^= bits;
}

static void random_input(int base, int index)
{
    for (unsigned i = 0; i < N_CORE; i++)
        in.core[i] = (uint32_t)random_next();
    for (unsigned i = 0; i < N_DOUBLE; i++)
        in.doubles[i] = random_next();
    in.apsr = (uint32_t)random_next() & 0xf80f0000;
    in.fpscr = (uint32_t)random_next() & 0xf0000000;
    if (index >= 0 && index < N_CORE)
        in.core[index] = (uint32_t)random_next() & 0xf8;
    if (base >= 0 && base < N_CORE)
        in.core[base] = (uint32_t)(uintptr_t)arena + ARENA / 2;
}

struct seen {
    bool written[N_ITEMS], read[N_ITEMS];
    unsigned stored; /* bytes from the first changed one to the last, the most of all runs */
};

static void note_writes(struct seen *seen, const struct state *before, bool memory)
{
    unsigned first = 0, last = ARENA;

    for (unsigned i = 0; i < N_ITEMS; i++)
        seen->written[i] |= get(&out, i) != get(before, i);
    if (!memory)
        return;
    while (first < ARENA && arena[first] == master[first])
        first++;
    while (last > first && arena[last - 1] == master[last - 1])
        last--;
    if (last - first > seen->stored)
        seen->stored = last - first;
}

/* Whether the run that started with one item changed ended otherwise than the one that did not. */
static bool mattered(unsigned changed, const struct state *plain, const uint8_t *plain_memory,
                     bool written, bool memory)
{
    if (memcmp(&out, plain, sizeof out) != 0) {
        for (unsigned i = 0; i < N_ITEMS; i++) {
            if ((i != changed || written) && get(&out, i) != get(plain, i))
                return true;
        }
    }
    return memory && memcmp(arena, plain_memory, ARENA) != 0;
}

static void note_reads(struct seen *seen, int base, int index, bool memory)
{
    static uint8_t plain_memory[ARENA];
    const struct state start = in, plain = out;

    if (memory)
        memcpy(plain_memory, arena, ARENA);
    for (unsigned i = 0; i < N_ITEMS; i++) {
        const bool addresses = (int)i == base || (int)i == index;
        in = start;
        flip(&in, i, addresses ? 0x40 : random_next() | 1);
        if (run(memory) != 0 || mattered(i, &plain, plain_memory, seen->written[i], memory))
            seen->read[i] = true;
    }
    in = start;
}

static void print_set(const char *label, const bool *set)
{
    const char *before = label;

    for (unsigned i = 0; i < N_ITEMS; i++) {
        if (!set[i])
            continue;
        printf("%s%s", before, name_of(i));
        before = ",";
    }
}

static void observe(int base, int index)
{
    const bool memory = base >= 0;
    struct seen seen = {0};

    for (unsigned seed = 0; seed < SEEDS; seed++) {
        random_input(base, index);
        const struct state before = in;
        const int number = run(memory);
        if (number != 0) {
            puts(number == SIGILL ? "undefined" : "fault");
            return;
        }
        note_writes(&seen, &before, memory);
    }
    for (unsigned seed = 0; seed < SEEDS; seed++) {
        const bool stores = seen.stored != 0;
        random_input(base, index);
        if (run(stores) == 0)
            note_reads(&seen, base, index, stores);
    }
    printf("ran");
    print_set(" w:", seen.written);
    print_set(" r:", seen.read);
    printf(" s:%u\n", seen.stored);
}

int main(void)
{
    static uint8_t stack[65536];
    const stack_t alternate = {.ss_sp = stack, .ss_size = sizeof stack};
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_ONSTACK | SA_NODEFER};
    char isa[8], encoding[16];
    int base, index;

    sigaltstack(&alternate, NULL);
    sigaction(SIGILL, &action, NULL);
    sigaction(SIGSEGV, &action, NULL);
    sigaction(SIGBUS, &action, NULL);
    sigaction(SIGTRAP, &action, NULL);
    make_page();
    for (unsigned i = 0; i < ARENA; i++)
        master[i] = (uint8_t)(random_next() >> 8);
    while (scanf("%7s %15s %d %d", isa, encoding, &base, &index) == 4) {
        place(strcmp(isa, "T32") == 0, (uint32_t)strtoul(encoding, NULL, 16),
              strlen(encoding) == 8);
        observe(base, index);
    }
    return 0;
}
