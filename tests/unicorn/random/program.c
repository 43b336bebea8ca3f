#include "program.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ALWAYS      14u
#define BASE        7u /* of the data */
#define COUNTER     5u /* of a loop */
#define POINTER     6u
#define DATA        0x05000000u
#define DATA_BYTES  0x3000u
#define DATA_BASE   0x800u /* accesses go to either side */
#define TABLE_BYTES 0x4000u
#define TABLE       0x00f00000u /* of translation */
#define DEVICES     0xff000000u
#define NOWHERE     0xc0000000u
#define FUNCTIONS   3u
#define CALLS_MAX   32u

const char *const program_machines[PROGRAM_CORES] = {"cortex-a8", "cortex-r4f", "pxa255", "pxa270"};

/* A call to a function that has no address yet. */
struct call {
    unsigned at, function;
    bool t32;
};

struct maker {
    struct program *out;
    uint64_t state;
    bool t32, v7;
    unsigned depth; /* of branches */
    bool in_loop, in_function;
    bool in_it; /* flags stay as they are */
    struct call calls[CALLS_MAX];
    unsigned n_calls;
};

/* ---- numbers ---- */

/* splitmix64, as its author gives it to the public domain. */
static uint64_t next(struct maker *m)
{
    uint64_t z = m->state += UINT64_C(0x9e3779b97f4a7c15);

    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

static uint32_t below(struct maker *m, uint32_t n)
{
    return (uint32_t)(next(m) >> 32) % n;
}

static bool one_in(struct maker *m, uint32_t n)
{
    return below(m, n) == 0;
}

/* r0 to r4. */
static uint32_t low(struct maker *m)
{
    return below(m, 5);
}

/* One that may be written. */
static uint32_t target(struct maker *m)
{
    const uint32_t reg = below(m, 8);

    return reg < 5 ? reg : reg + 5;
}

static uint32_t source(struct maker *m)
{
    return below(m, 13);
}

/* ---- instructions ---- */

static unsigned put(struct maker *m, const void *bytes, uint8_t size, bool t32)
{
    struct program *const out = m->out;
    const unsigned at = out->n_bytes;

    if (at + size > PROGRAM_CODE_MAX || out->n_insns == PROGRAM_INSNS_MAX)
        abort();
    memcpy(out->code + at, bytes, size);
    out->insns[out->n_insns++] = (struct program_insn){(uint16_t)at, size, t32};
    out->n_bytes += size;
    return at;
}

static unsigned a32(struct maker *m, uint32_t word)
{
    return put(m, &word, 4, false);
}

static unsigned t16(struct maker *m, uint32_t half)
{
    const uint16_t bytes = (uint16_t)half;

    return put(m, &bytes, 2, true);
}

static unsigned wide(struct maker *m, uint32_t word)
{
    const uint16_t halves[2] = {(uint16_t)(word >> 16), (uint16_t)word};

    return put(m, halves, 4, true);
}

/* One that both instruction sets have alike: of coprocessors. */
static void coprocessor(struct maker *m, uint32_t word, uint32_t cond)
{
    if (m->t32)
        (void)wide(m, 0xe0000000 | (word & 0x0fffffff));
    else
        (void)a32(m, cond << 28 | (word & 0x0fffffff));
}

static uint32_t condition(struct maker *m)
{
    return one_in(m, 3) ? below(m, 14) : ALWAYS;
}

/* A number into a register, and flags if it must be. */
static void set(struct maker *m, uint32_t reg, uint32_t value)
{
    if (!m->t32) {
        (void)a32(m, 0xe3a00000 | reg << 12 | (value & 0xff));
        for (uint32_t shift = 8; shift < 32; shift += 8)
            if (value >> shift & 0xff)
                (void)a32(m, 0xe3800000 | reg << 16 | reg << 12 | (32 - shift) / 2 << 8 |
                                 (value >> shift & 0xff));
    } else if (m->v7) {
        for (uint32_t top = 0; top < 2; top++) {
            const uint32_t half = value >> 16 * top & 0xffff;
            (void)wide(m, 0xf2400000 | top << 23 | (half >> 12) << 16 | (half >> 11 & 1) << 26 |
                              (half >> 8 & 7) << 12 | reg << 8 | (half & 0xff));
        }
    } else {
        (void)t16(m, 0x2000 | reg << 8 | value >> 24);
        for (unsigned shift = 24; shift > 0; shift -= 8) {
            (void)t16(m, 0x0200 | reg << 3 | reg); /* LSLS #8 */
            (void)t16(m, 0x3000 | reg << 8 | (value >> (shift - 8) & 0xff));
        }
    }
}

/* ---- A32 ---- */

static void arithmetic_a32(struct maker *m)
{
    const uint32_t op = below(m, 16), sets = (op & 12) == 8 || one_in(m, 2);
    const uint32_t word =
        condition(m) << 28 | op << 21 | sets << 20 | source(m) << 16 | target(m) << 12;

    if (one_in(m, 2))
        (void)a32(m, word | 1u << 25 | below(m, 4096));
    else if (one_in(m, 4))
        (void)a32(m, word | low(m) << 8 | below(m, 4) << 5 | 1u << 4 | source(m));
    else
        (void)a32(m, word | below(m, 32) << 7 | below(m, 4) << 5 | source(m));
}

static void multiply_a32(struct maker *m)
{
    (void)a32(m, condition(m) << 28 | target(m) << 16 | low(m) << 8 | 0x90 | source(m));
}

/* The pointer somewhere into the data, not aligned now and then. */
static void point(struct maker *m)
{
    const uint32_t n = below(m, 64) * 4 + (one_in(m, 12) ? below(m, 4) : 0);

    if (!m->t32)
        (void)a32(m, 0xe2800f00 | BASE << 16 | POINTER << 12 | (n >> 2));
    else if (m->v7)
        (void)wide(m, 0xf2000000 | BASE << 16 | POINTER << 8 | (n & 0xff));
    else
        (void)t16(m, 0x1c00 | (n & 7) << 6 | BASE << 3 | POINTER);
}

static void single_a32(struct maker *m)
{
    const uint32_t word = condition(m) << 28 | below(m, 2) << 22 | below(m, 2) << 20;
    const uint32_t up = below(m, 2) << 23;

    switch (below(m, 5)) {
    case 0: /* [base, #n] */
        (void)a32(m, word | 0x05800000 | BASE << 16 | target(m) << 12 | below(m, 512) * 4);
        return;
    case 1: /* [pointer], #n and [pointer, #n]! */
        point(m);
        (void)a32(m, word | 0x04000000 | up | (one_in(m, 2) ? 0 : 0x01200000) | POINTER << 16 |
                         target(m) << 12 | below(m, 64) * 4);
        return;
    case 2: /* [base, register, LSL #n] */
        (void)a32(m, 0xe20000fc | source(m) << 16 | POINTER << 12);
        (void)a32(m, word | 0x07800000 | BASE << 16 | target(m) << 12 | below(m, 4) << 7 | POINTER);
        return;
    case 3: /* of code */
        (void)a32(m, (word & ~(1u << 22)) | 0x05900000 | 15u << 16 | target(m) << 12 |
                         below(m, 8) * 4);
        return;
    default: /* [pointer, register, ROR #n] */
        (void)a32(m, 0xe20000ff | source(m) << 16 | 12u << 12);
        point(m);
        (void)a32(m, word | 0x07800060 | POINTER << 16 | low(m) << 12 | 30u << 7 | 12);
    }
}

static void half_a32(struct maker *m)
{
    static const uint32_t kinds[] = {0x001000b0, 0x000000b0, 0x001000d0,
                                     0x001000f0, 0x000000d0, 0x000000f0};
    const uint32_t kind = kinds[below(m, 6)], pair = (kind & 0x00100040) == 0x40;
    const uint32_t n = pair ? below(m, 32) * 8 : below(m, 128) * 2;
    const uint32_t number = (n >> 4 & 15) << 8 | (n & 15);
    const uint32_t rt = pair ? below(m, 2) * 2 : low(m);

    if (one_in(m, 2)) {
        (void)a32(m, condition(m) << 28 | kind | 0x01c00000 | BASE << 16 | rt << 12 | number);
        return;
    }
    (void)a32(m, 0xe2800000 | BASE << 16 | POINTER << 12 | below(m, 32) * 8);
    (void)a32(m, condition(m) << 28 | kind | 0x00400000 | (one_in(m, 2) ? 0 : 0x01200000) |
                     below(m, 2) << 23 | POINTER << 16 | rt << 12 | number);
}

static void multiple_a32(struct maker *m)
{
    const uint32_t list = 1u << low(m) | below(m, 32) | below(m, 8) << 10;

    (void)a32(m, 0xe2800f00 | BASE << 16 | POINTER << 12 | (32 + below(m, 64)));
    (void)a32(m, condition(m) << 28 | 0x08000000 | below(m, 4) << 23 | below(m, 2) << 21 |
                     below(m, 2) << 20 | POINTER << 16 | list);
}

static void stack_a32(struct maker *m)
{
    const uint32_t list = 1u << low(m) | below(m, 32);

    (void)a32(m, 0xe92d0000 | list);
    (void)a32(m, 0xe8bd0000 | list);
}

static void exclusive_a32(struct maker *m)
{
    (void)a32(m, 0xe2800f00 | BASE << 16 | POINTER << 12 | below(m, 64));
    if (!m->v7) { /* SWP */
        (void)a32(m, condition(m) << 28 | 0x01000090 | POINTER << 16 | target(m) << 12 | low(m));
        return;
    }
    (void)a32(m, 0xe1900f9f | POINTER << 16 | low(m) << 12);
    if (one_in(m, 3))
        (void)a32(m, 0xf57ff01f); /* CLREX */
    (void)a32(m, condition(m) << 28 | 0x01800f90 | POINTER << 16 | 12u << 12 | low(m));
}

static void maintenance(struct maker *m)
{
    static const uint32_t words[] = {0x0e070f15, 0x0e070f9a, 0x0e070f3a, 0x0e070fba,
                                     0x0e080f17, 0x0e070f3e, 0x0e070fd5};

    coprocessor(m, words[below(m, 7)] | BASE << 12, ALWAYS);
}

static void preload_a32(struct maker *m)
{
    (void)a32(m, 0xf5d0f000 | BASE << 16 | below(m, 2048));
}

/* ---- T32 ---- */

static void arithmetic_t16(struct maker *m)
{
    switch (below(m, 5)) {
    case 0:
        (void)t16(m, 0x2000 | below(m, 4) << 11 | low(m) << 8 | below(m, 256));
        return;
    case 1:
        (void)t16(m, below(m, 3) << 11 | below(m, 32) << 6 | below(m, 8) << 3 | low(m));
        return;
    case 2:
        (void)t16(m, 0x1800 | below(m, 4) << 9 | below(m, 8) << 6 | below(m, 8) << 3 | low(m));
        return;
    case 3:
        (void)t16(m, 0x4400 | below(m, 3) << 8 | (m->v7 ? 0 : 0x40) | below(m, 8) << 3 | low(m));
        return;
    default:
        (void)t16(m, 0x4000 | below(m, 16) << 6 | below(m, 8) << 3 | low(m));
    }
}

static void arithmetic_t32(struct maker *m)
{
    static const uint32_t ops[] = {0, 1, 2, 3, 4, 8, 10, 11, 13, 14};
    const uint32_t op = ops[below(m, 10)], sets = !m->in_it && one_in(m, 2);
    const uint32_t fields = op << 21 | sets << 20 | source(m) << 16 | target(m) << 8;

    if (one_in(m, 3))
        (void)wide(m, 0xf0000000 | fields | below(m, 2) << 26 | below(m, 8) << 12 | below(m, 256));
    else if (one_in(m, 4)) /* ADDW, SUBW */
        (void)wide(m, 0xf2000000 | below(m, 2) * 0x00a00000 | source(m) << 16 | target(m) << 8 |
                          below(m, 8) << 12 | below(m, 256));
    else
        (void)wide(m, 0xea000000 | fields | below(m, 8) << 12 | below(m, 4) << 6 |
                          below(m, 4) << 4 | source(m));
}

static void access_t16(struct maker *m)
{
    switch (below(m, 5)) {
    case 0: /* [base, #n]: word, byte, halfword */
        (void)t16(m, 0x6000 + below(m, 6) * 0x800 + (below(m, 32) << 6 | BASE << 3 | low(m)));
        return;
    case 1: /* [base, register] */
        (void)t16(m, 0x2000 | POINTER << 8 | below(m, 64) * 4);
        (void)t16(m, 0x5000 | below(m, 8) << 9 | POINTER << 6 | BASE << 3 | low(m));
        return;
    case 2: /* of code */
        (void)t16(m, 0x4800 | low(m) << 8 | below(m, 8));
        return;
    case 3:
        (void)t16(m, 0x1c00 | below(m, 2) << 8 | BASE << 3 | POINTER);
        (void)t16(m, 0xc000 | below(m, 2) << 11 | POINTER << 8 | 1u << low(m) | below(m, 32));
        return;
    default: { /* of the stack */
        const uint32_t list = 1u << low(m) | below(m, 32);
        (void)t16(m, 0xb400 | list);
        (void)t16(m, 0x9000 | below(m, 2) << 11 | low(m) << 8);
        (void)t16(m, 0xbc00 | list);
    }
    }
}

static void access_t32(struct maker *m)
{
    switch (below(m, 6)) {
    case 0: /* [base, #n] */
        (void)wide(m, 0xf8800000 | below(m, 3) << 21 | below(m, 2) << 20 | BASE << 16 |
                          target(m) << 12 | below(m, 512) * 4);
        return;
    case 1: /* [pointer], #n and [pointer, #n]! */
        point(m);
        (void)wide(m, 0xf8000900 | below(m, 3) << 21 | below(m, 2) << 20 | POINTER << 16 |
                          target(m) << 12 | below(m, 2) << 10 | below(m, 2) << 9 |
                          below(m, 64) * 4);
        return;
    case 2: /* [base, register, LSL #n] */
        (void)wide(m, 0xf00000fc | source(m) << 16 | POINTER << 8);
        (void)wide(m, 0xf8000000 | below(m, 3) << 21 | below(m, 2) << 20 | BASE << 16 |
                          target(m) << 12 | below(m, 4) << 4 | POINTER);
        return;
    case 3: { /* two words */
        const uint32_t rt = low(m);
        (void)wide(m, 0xe9c00000 | below(m, 2) << 20 | BASE << 16 | rt << 12 | ((rt + 1) % 5) << 8 |
                          below(m, 128));
        return;
    }
    case 4: /* several */
        (void)wide(m, 0xf2000000 | BASE << 16 | POINTER << 8 | 0x80 | below(m, 32) * 4);
        (void)wide(m, (one_in(m, 2) ? 0xe8800000 : 0xe9000000) | below(m, 2) << 21 |
                          below(m, 2) << 20 | POINTER << 16 | 3u << low(m) | below(m, 8) << 10);
        return;
    default: /* of code; PLD */
        (void)wide(m, one_in(m, 2) ? 0xf8df0000 | target(m) << 12 | below(m, 8) * 4
                                   : 0xf890f000 | BASE << 16 | below(m, 1024));
    }
}

/* ---- what both have ---- */

static void read_monitor(struct maker *m)
{
    const uint32_t rt = target(m) << 12;

    if (m->v7)
        coprocessor(m, 0x0e190f10 | rt | (12 + below(m, 3)) | below(m, 6) << 5, condition(m));
    else if (!m->t32)
        (void)a32(m, condition(m) << 28 | 0x0e100e10 | rt | below(m, 9) << 16 | below(m, 3));
}

/* Counters' control, selection, values; not their interrupts, which the beginning turns on. */
static void write_monitor(struct maker *m)
{
    static const uint8_t registers[][2] = {{12, 0}, {12, 1}, {12, 2}, {12, 3}, {12, 4},
                                           {12, 5}, {13, 0}, {13, 1}, {13, 2}};
    const uint8_t *const reg = registers[below(m, 9)];

    if (m->t32 && !m->v7)
        return;
    set(m, POINTER, reg[0] == 12 ? below(m, 16) : below(m, 64));
    if (m->v7)
        coprocessor(m, 0x0e090f10 | POINTER << 12 | reg[0] | (uint32_t)reg[1] << 5, condition(m));
    else
        (void)a32(m, 0xee000e10 | POINTER << 12 | (1 + below(m, 3)) << 16 |
                         (m->out->core == PROGRAM_XSCALE2 ? 2 : 0));
}

static void exception(struct maker *m)
{
    switch (below(m, m->t32 ? 3 : 4)) {
    case 0:
        (void)(m->t32 ? t16(m, 0xdf00 | below(m, 0xab)) : a32(m, 0xef000000 | below(m, 99)));
        return;
    case 1:
        (void)(m->t32 ? t16(m, 0xde00) : a32(m, 0xe7f000f0));
        return;
    case 2: /* no memory is there */
        set(m, POINTER, NOWHERE);
        (void)(m->t32 ? t16(m, 0x6000 | below(m, 2) << 11 | POINTER << 3 | low(m))
                      : a32(m, 0xe5800000 | below(m, 2) << 20 | POINTER << 16 | low(m) << 12));
        return;
    default:
        (void)a32(m, 0xe1200070); /* BKPT */
    }
}

static void status(struct maker *m)
{
    if (m->t32)
        (void)(m->v7 ? wide(m, 0xf3ef8000 | target(m) << 8) : t16(m, 0x46c0));
    else if (one_in(m, 3)) /* flags */
        (void)a32(m, 0xe128f000 | low(m));
    else
        (void)a32(m, condition(m) << 28 | 0x010f0000 | target(m) << 12);
}

static void device(struct maker *m)
{
    set(m, POINTER, DEVICES);
    (void)(m->t32 ? t16(m, 0x6880 | POINTER << 3 | low(m))
                  : a32(m, condition(m) << 28 | 0x05900008 | POINTER << 16 | low(m) << 12));
}

static void noise(struct maker *m)
{
    if (m->t32 && one_in(m, 2))
        (void)t16(m, below(m, 0xe000));
    else if (m->t32 && m->v7)
        (void)wide(m, 0xe8000000 | (uint32_t)next(m) >> 3);
    else if (m->t32)
        (void)t16(m, below(m, 0xe000));
    else
        (void)a32(m, (uint32_t)next(m));
}

static void plain(struct maker *m)
{
    void (*const of_a32[])(struct maker *) = {
        arithmetic_a32, arithmetic_a32, single_a32, single_a32,    half_a32,
        multiple_a32,   multiply_a32,   stack_a32,  exclusive_a32, preload_a32};

    if (!m->t32)
        of_a32[below(m, 10)](m);
    else if (m->v7 && one_in(m, 2))
        (one_in(m, 2) ? access_t32 : arithmetic_t32)(m);
    else
        (one_in(m, 2) ? access_t16 : arithmetic_t16)(m);
}

static void privileged(struct maker *m)
{
    void (*const all[])(struct maker *) = {read_monitor, read_monitor, write_monitor,
                                           exception,    status,       device};

    if (m->out->user)
        status(m);
    else if (one_in(m, 7) && (m->v7 || !m->t32))
        maintenance(m);
    else
        all[below(m, 6)](m);
}

/* ---- ways through the program ---- */

static void some(struct maker *m, unsigned n);

static void patch_branch(struct maker *m, unsigned at, unsigned to)
{
    uint8_t *const place = m->out->code + at;
    const bool is_far = m->t32 && (to > at ? to - at : at - to) > 250;
    const int32_t distance = is_far ? 0 : (int32_t)to - (int32_t)at - (m->t32 ? 4 : 8);
    uint32_t word;
    uint16_t half;

    if (m->t32) {
        memcpy(&half, place, 2);
        half |= (uint16_t)(distance >> 1 & 0xff);
        memcpy(place, &half, 2);
    } else {
        memcpy(&word, place, 4);
        word |= (uint32_t)distance >> 2 & 0xffffff;
        memcpy(place, &word, 4);
    }
}

static void skip(struct maker *m)
{
    const uint32_t cond = below(m, 14);
    const unsigned at = m->t32 ? t16(m, 0xd000 | cond << 8) : a32(m, cond << 28 | 0x0a000000);

    m->depth++;
    some(m, 1 + below(m, 3));
    m->depth--;
    patch_branch(m, at, m->out->n_bytes);
}

static void loop(struct maker *m)
{
    const uint32_t n = one_in(m, 4) ? 200 : 2 + below(m, 20);
    unsigned from;

    (void)(m->t32 ? t16(m, 0x2000 | COUNTER << 8 | n) : a32(m, 0xe3a00000 | COUNTER << 12 | n));
    from = m->out->n_bytes;
    m->in_loop = true;
    some(m, 1 + below(m, 5));
    m->in_loop = false;
    (void)(m->t32 ? t16(m, 0x3801 | COUNTER << 8)
                  : a32(m, 0xe2500001 | COUNTER << 16 | COUNTER << 12));
    patch_branch(m, m->t32 ? t16(m, 0xd100) : a32(m, 0x1a000000), from);
}

/* IT and up to four that it makes conditional. */
static void it_block(struct maker *m)
{
    const uint32_t n = 1 + below(m, 4), cond = below(m, 14);
    const uint32_t mask = (below(m, 16) >> (4 - n + 1) << (4 - n + 1) | 1u << (4 - n)) & 15;

    (void)t16(m, 0xbf00 | cond << 4 | mask);
    m->in_it = true;
    for (uint32_t i = 0; i < n; i++) {
        if (one_in(m, 3))
            (void)wide(m, 0xf8800000 | below(m, 3) << 21 | below(m, 2) << 20 | BASE << 16 |
                              target(m) << 12 | below(m, 512) * 4);
        else if (one_in(m, 4) && !m->out->user)
            coprocessor(m, 0x0e190f1d | target(m) << 12, ALWAYS);
        else if (one_in(m, 2))
            (void)t16(m, 0x6000 + below(m, 6) * 0x800 + (below(m, 32) << 6 | BASE << 3 | low(m)));
        else
            arithmetic_t32(m);
    }
    m->in_it = false;
}

static void call(struct maker *m)
{
    if (m->in_function || m->n_calls == CALLS_MAX)
        return;
    m->calls[m->n_calls] = (struct call){
        .function = below(m, FUNCTIONS),
        .t32 = m->t32,
        .at = m->out->n_bytes,
    };
    if (m->t32) { /* of Armv5 two halfwords, which are one instruction all the same */
        (void)wide(m, 0xf000f800);
    } else {
        (void)a32(m, 0xeb000000);
    }
    m->n_calls++;
}

/* An instruction that has executed, or will soon, becomes another. */
static void change_code(struct maker *m)
{
    const uint32_t back = below(m, 12), n = m->out->n_bytes;

    if (m->t32 || n < 64)
        return;
    set(m, 12, 0xe2800000 | low(m) << 16 | low(m) << 12 | below(m, 256));
    (void)a32(m, one_in(m, 2) ? 0xe50fc000 | back * 4 : 0xe58fc000 | back * 4);
}

static void some(struct maker *m, unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        const uint32_t which = below(m, 100);
        if (m->out->wild && one_in(m, 8))
            noise(m);
        else if (which < 10 && !m->in_loop)
            loop(m);
        else if (which < 20 && m->depth < 3)
            skip(m);
        else if (which < 26)
            call(m);
        else if (which < 36 && m->t32 && m->v7)
            it_block(m);
        else if (which < 50)
            privileged(m);
        else if (which < 53)
            change_code(m);
        else
            plain(m);
    }
}

static void end(struct maker *m)
{
    if (m->t32) {
        static const uint16_t halves[] = {0x2018, 0x2102, 0x0409, 0x3126, 0xdfab};
        for (unsigned i = 0; i < 5; i++)
            (void)t16(m, halves[i]);
    } else {
        static const uint32_t words[] = {0xe3a00018, 0xe3a01802, 0xe3811026, 0xef123456};
        for (unsigned i = 0; i < 4; i++)
            (void)a32(m, words[i]);
    }
}

/* With status r0 + ... + r4, for who compares what was calculated. */
static void end_of_user(struct maker *m)
{
    static const uint32_t words[] = {0xe0800001, 0xe0800002, 0xe0800003, 0xe0800004, 0xe0200820,
                                     0xe0200420, 0xe20000ff, 0xe3a01802, 0xe3811026};

    if (m->t32) {
        if (m->out->n_bytes % 4 != 0)
            (void)t16(m, 0x46c0);
        (void)t16(m, 0x4778); /* BX PC */
        (void)t16(m, 0x46c0);
        m->t32 = false;
    }
    for (unsigned i = 0; i < 8; i++)
        (void)a32(m, words[i]);
    (void)a32(m, words[8]);
    (void)a32(m, 0xe5871000); /* the reason, */
    (void)a32(m, 0xe5870004); /* the status  */
    (void)a32(m, 0xe3a00020);
    (void)a32(m, 0xe1a01007);
    (void)a32(m, 0xef123456);
}

static void align(struct maker *m)
{
    if (m->out->n_bytes % 4 != 0)
        (void)t16(m, 0x46c0);
}

static void link_call(struct maker *m, const struct call *call, unsigned to, bool t32)
{
    uint8_t *const place = m->out->code + call->at;
    const uint32_t base = call->t32 && !t32 ? (call->at + 4) & ~3u : call->at + (call->t32 ? 4 : 8);
    const uint32_t distance = to - base;
    const uint32_t half = call->t32 && t32 ? 0xf800 : 0xe800;
    const uint32_t word =
        (t32 ? 0xfa000000 | (distance & 2) << 23 : 0xeb000000) | (distance >> 2 & 0xffffff);
    const uint16_t halves[2] = {(uint16_t)(0xf000 | (distance >> 12 & 0x7ff)),
                                (uint16_t)(half | (distance >> 1 & 0x7ff))};

    memcpy(place, call->t32 ? (const void *)halves : (const void *)&word, 4);
}

static void function(struct maker *m, unsigned number)
{
    align(m);
    m->t32 = one_in(m, 2);
    const unsigned at = m->out->n_bytes;
    (void)(m->t32 ? t16(m, 0xb530) : a32(m, 0xe92d4030));
    some(m, 1 + below(m, 5));
    (void)(m->t32 ? t16(m, 0xbd30) : a32(m, 0xe8bd8030));
    for (unsigned i = 0; i < m->n_calls; i++)
        if (m->calls[i].function == number)
            link_call(m, &m->calls[i], at, m->t32);
}

/* ---- where it lies ---- */

static uint32_t align_to(uint32_t value, uint32_t n)
{
    return value / n * n;
}

/* The code's first address, once its size is known. */
static uint32_t choose_address(struct maker *m)
{
    const uint32_t n = m->out->n_bytes, page = 0x06000000 + below(m, 0x4000) * 0x1000;

    if (m->out->user)
        return one_in(m, 2) ? page : page + 0x1000 - align_to(below(m, n), 4);
    switch (below(m, 6)) {
    case 0:
        return 0;
    case 1:
        return 0x20 + 4 * below(m, 64);
    case 2: /* across the end of a page */
        return page + 0x1000 - align_to(below(m, n), 4);
    case 3: /* up to the end of memory, or nearly */
        return align_to(0u - n - (one_in(m, 2) ? 0 : below(m, 64)), 4);
    case 4:
        return 0xfffff000 - align_to(below(m, n), 4);
    default:
        return page;
    }
}

static bool apart(uint32_t first, uint32_t n_bytes, uint32_t other, uint32_t n_other)
{
    const uint64_t end = (uint64_t)first + n_bytes + 0x1000, other_end = (uint64_t)other + n_other;

    return end <= other || other_end + 0x1000 <= first;
}

static void choose_places(struct maker *m)
{
    struct program *const out = m->out;
    const uint32_t n = out->n_bytes;

    out->address = choose_address(m);
    out->vectors = out->core == PROGRAM_CORTEX_A8 ? 0x00200000 : 0;
    if (out->user)
        out->vectors = 0x00200000;
    else if (!apart(out->vectors, sizeof out->begin, out->address, n))
        out->vectors = 0xffff0000;
    out->data = DATA;
}

/* ---- what comes before ---- */

#define VECTORS 8u

static void word(struct program *out, uint32_t value)
{
    memcpy(out->begin + out->n_begin, &value, 4);
    out->n_begin += 4;
}

static void load(struct program *out, uint32_t reg, uint32_t value)
{
    word(out, 0xe3a00000 | reg << 12 | (value & 0xff));
    for (uint32_t shift = 8; shift < 32; shift += 8)
        word(out,
             0xe3800000 | reg << 16 | reg << 12 | (32 - shift) / 2 << 8 | (value >> shift & 0xff));
}

static bool has_pmuv1(const struct program *out)
{
    return out->core == PROGRAM_CORTEX_A8 || out->core == PROGRAM_CORTEX_R4F;
}

/* Clears the overflow, and has the counter wrap again soon. */
static void handle_interrupt(struct program *out, uint32_t period)
{
    word(out, 0xe92d0003);
    if (has_pmuv1(out)) {
        word(out, 0xee190f7c);
        word(out, 0xee090f7c);
        word(out, 0xe3a00000);
        word(out, 0xee090fbc);
        word(out, 0xe3e00000 | period);
        word(out, 0xee090f5d);
    } else if (out->core == PROGRAM_XSCALE1) {
        word(out, 0xe3e01000 | period);
        word(out, 0xee021e10);
        word(out, 0xee100e10);
        word(out, 0xee000e10);
    } else {
        word(out, 0xe3e01000 | period);
        word(out, 0xee001e12);
        word(out, 0xee150e11);
        word(out, 0xee050e11);
    }
    word(out, 0xe8bd0003);
    word(out, 0xe25ef004);
}

/* Counts instructions; with interrupts from a value near its end. */
static void start_monitor(struct program *out, uint32_t period)
{
    load(out, 1, out->interrupts ? ~period : 0);
    if (has_pmuv1(out)) {
        static const uint32_t words[] = {0xe3a00000, 0xee090fbc, 0xe3a00008, 0xee090f3d,
                                         0xee091f5d, 0xe3a0000f, 0xee090f3c, 0xe3a00001};
        for (unsigned i = 0; i < 8; i++)
            word(out, words[i]);
        if (out->interrupts)
            word(out, 0xee090f3e);
        word(out, 0xee090f1c);
    } else if (out->core == PROGRAM_XSCALE1) {
        word(out, 0xee021e10);
        load(out, 0, 0x00007001 | (out->interrupts ? 0x10 : 0));
        word(out, 0xee000e10);
    } else {
        word(out, 0xee001e12);
        load(out, 0, 0xffffff07);
        word(out, 0xee080e11);
        load(out, 0, out->interrupts ? 2 : 0);
        word(out, 0xee040e11);
        word(out, 0xe3a00001);
        word(out, 0xee000e11);
    }
}

static void turn_on(struct program *out, bool high)
{
    if (out->core == PROGRAM_CORTEX_A8) {
        load(out, 0, out->vectors);
        word(out, 0xee0c0f10);
    }
    if (out->mmu) {
        load(out, 0, TABLE);
        word(out, 0xee020f10);
        word(out, 0xe3e00000);
        word(out, 0xee030f10);
    }
    word(out, 0xee110f10);
    if (high && out->core != PROGRAM_CORTEX_A8)
        word(out, 0xe3800a02);
    if (out->mmu) {
        word(out, 0xe3800005);
        word(out, 0xe3800b06);
    }
    word(out, 0xee010f10);
}

static void begin(struct maker *m)
{
    struct program *const out = m->out;
    const uint32_t period = 8 + below(m, 200);

    if (!out->user) {
        /* Reset, Undefined, SVC, Prefetch Abort, Data Abort, -, IRQ, FIQ. */
        static const uint32_t vectors[VECTORS] = {0xeafffffe, 0xe1b0f00e, 0xe1b0f00e, 0xe1b0f00e,
                                                  0xe25ef004, 0xeafffffe, 0xea000000, 0xe25ef004};
        for (unsigned i = 0; i < VECTORS; i++)
            word(out, vectors[i]);
        handle_interrupt(out, period);
    }
    out->entry = out->n_begin;
    load(out, BASE, out->data + DATA_BASE);
    if (!out->user) {
        word(out, 0xe321f0d2); /* IRQ's stack */
        word(out, 0xe287dc1e);
        word(out, 0xe321f0d3);
        turn_on(out, out->vectors == 0xffff0000);
        start_monitor(out, period);
    }
    word(out, 0xe287dc1d);
    if (out->interrupts) {
        load(out, 1, DEVICES);
        load(out, 0, 1u << 20);
        word(out, 0xe5810010);
        word(out, 0xe321f053);
    }
    for (uint32_t reg = 0; reg < 13; reg++)
        if (reg != BASE)
            load(out, reg, one_in(m, 2) ? below(m, 1024) : (uint32_t)next(m));
    load(out, 14, out->address | out->t32);
    word(out, 0xe12fff1e);
}

/* ---- all ---- */

void program_make(struct program *program, uint64_t seed, bool user)
{
    struct maker m = {.out = program, .state = seed};

    *program = (struct program){.seed = seed, .user = user};
    program->core = (enum program_core)below(&m, PROGRAM_CORES);
    program->wild = !user && one_in(&m, 6);
    program->interrupts = !user && one_in(&m, 4);
    program->mmu = !user && program->core != PROGRAM_CORTEX_R4F && one_in(&m, 2);
    m.v7 = program->core <= PROGRAM_CORTEX_R4F;
    m.t32 = program->t32 = one_in(&m, 2);
    some(&m, 4 + below(&m, 30));
    (user ? end_of_user : end)(&m);
    m.in_function = true;
    for (unsigned i = 0; i < FUNCTIONS; i++)
        function(&m, i);
    align(&m);
    choose_places(&m);
    begin(&m);
}

void program_leave_out(struct program *program, unsigned insn)
{
    static const uint32_t nop_a32 = 0xe1a00000;
    static const uint16_t nops[2] = {0x46c0, 0x46c0};
    const struct program_insn *const at = &program->insns[insn];

    memcpy(program->code + at->offset, at->t32 ? (const void *)nops : (const void *)&nop_a32,
           at->size);
}

static bool put_all(int fd, const void *bytes, size_t n)
{
    const uint8_t *from = bytes;

    while (n > 0) {
        const ssize_t done = write(fd, from, n);
        if (done <= 0)
            return false;
        from += done;
        n -= (size_t)done;
    }
    return true;
}

/* Sections of a MiB at their own addresses, cached but for the devices'. */
static void make_table(const struct program *program, uint32_t table[TABLE_BYTES / 4])
{
    const uint32_t kept = program->core == PROGRAM_CORTEX_A8 ? 0xc0e : 0xc1e;

    for (uint32_t i = 0; i < TABLE_BYTES / 4; i++)
        table[i] = i << 20 | (i == DEVICES >> 20 ? kept & ~12u : kept);
}

bool program_write(const struct program *program, int fd)
{
    uint32_t table[TABLE_BYTES / 4];
    const struct {
        const void *bytes;
        uint32_t address, n_file, n_bytes;
    } parts[] = {{program->begin, program->vectors, program->n_begin, program->n_begin},
                 {program->code, program->address, program->n_bytes, program->n_bytes},
                 {NULL, program->data, 0, DATA_BYTES},
                 {table, TABLE, TABLE_BYTES, TABLE_BYTES}};
    const unsigned n = program->mmu ? 4 : 3;
    const Elf32_Ehdr head = {
        .e_ident = {0x7f, 'E', 'L', 'F', ELFCLASS32, ELFDATA2LSB, EV_CURRENT},
        .e_type = ET_EXEC,
        .e_machine = EM_ARM,
        .e_version = EV_CURRENT,
        .e_entry = program->vectors + program->entry,
        .e_phoff = sizeof head,
        .e_flags = EF_ARM_EABI_VER5,
        .e_ehsize = sizeof head,
        .e_phentsize = sizeof(Elf32_Phdr),
        .e_phnum = (Elf32_Half)n,
    };
    Elf32_Phdr segments[4] = {{0}};
    uint32_t at = 0x1000; /* file and memory alike within a page, as Linux wants it */

    make_table(program, table);
    for (unsigned i = 0; i < n; i++) {
        at = (at + 0xfff) / 0x1000 * 0x1000 + parts[i].address % 0x1000;
        segments[i] = (Elf32_Phdr){.p_type = PT_LOAD,
                                   .p_offset = at,
                                   .p_vaddr = parts[i].address,
                                   .p_paddr = parts[i].address,
                                   .p_filesz = parts[i].n_file,
                                   .p_memsz = parts[i].n_bytes,
                                   .p_flags = PF_R | PF_W | PF_X,
                                   .p_align = 0x1000};
        at += parts[i].n_file;
    }
    bool written = put_all(fd, &head, sizeof head) && put_all(fd, segments, n * sizeof *segments);
    for (unsigned i = 0; i < n; i++)
        written = written && lseek(fd, segments[i].p_offset, SEEK_SET) >= 0 &&
                  put_all(fd, parts[i].bytes, parts[i].n_file);
    return written && ftruncate(fd, at) == 0;
}
