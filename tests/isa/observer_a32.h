/* The state and the page of code of an A32 guest, for observer.c.
 *
 *     load | A32 instruction, or ldr pc to the T32 one | b store
 *     T32 instruction, bx pc, nop | store
 */
#ifndef TESTS_ISA_OBSERVER_A32_H
#define TESTS_ISA_OBSERVER_A32_H

enum { N_CORE = 15, N_DOUBLE = 32, N_ITEMS = N_CORE + 7 + N_DOUBLE };

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

static uint32_t *in_page(const uint32_t *label)
{
    return page + (label - page_start);
}

/* At the start of a page of code, with what it writes on the page behind it. */
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

static void place(const char *isa, uint32_t encoding, bool is_long)
{
    const bool thumb = strcmp(isa, "T32") == 0;
    /* ldr pc, page_thumb_address */
    const uint32_t distance = (uint32_t)((char *)page_thumb_address - (char *)page_slot) - 8;
    const uint32_t halves = is_long ? encoding << 16 | encoding >> 16 : 0xbf000000 | encoding;

    *in_page(page_slot) = thumb ? 0xe59ff000 | distance : encoding;
    *in_page(page_thumb) = thumb ? halves : 0xbf00bf00;
    __builtin___clear_cache((char *)page, (char *)in_page(page_data));
}

/* After a signal. */
static void restore_machine(void)
{
    __asm__ volatile("vmsr fpscr, %0" : : "r"(0));
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

#endif
