#include "isa/a64.h"

#include <stdlib.h>
#include <string.h>

#include "isa/table.h"

struct a64_row {
    const char *pattern, *registers, *work;
    uint8_t klass, operation, flags, bytes, kind;
};

enum { NO = 0, READ = 1, SET = 2, BOTH = READ | SET };

static const uint8_t class_of[SVE_KINDS] = {
#define KIND(name, klass) [SVE_##name] = CLASS_##klass,
#include "isa/sve_kinds.def"
#undef KIND
};

static const struct a64_row rows[] = {
#define ROW(pattern, klass, operation, registers, flags, bytes)                                    \
    {pattern, registers, "", CLASS_##klass, A64_##operation, flags, bytes, SVE_NONE},
#define DATA(pattern, klass, operation, registers, flags, work)                                    \
    {pattern, registers, work, CLASS_##klass, A64_##operation, flags, 0, SVE_NONE},
#define SVE(pattern, kind, registers, flags, work)                                                 \
    {pattern, registers, work, 0, A64_SVE, flags, 0, SVE_##kind},
#define MEMORY(pattern, kind, operation, registers, bytes)                                         \
    {pattern, registers, "N", 0, A64_##operation, NO, bytes, SVE_##kind},
#include "isa/a64.def"
#undef ROW
#undef DATA
#undef SVE
#undef MEMORY
};

enum { N_ROWS = sizeof rows / sizeof rows[0] };

struct a64 {
    struct table table;
    unsigned vector_bytes;
    struct a64_form forms[N_ROWS];
};

static struct a64_role predicate_role_of(const char *letters)
{
    struct a64_role role = {letters[0], letters[1], 0, 4};

    switch (letters[2]) {
    case 'n':
        role.lsb = 5;
        break;
    case 'g':
        role.width = 3; /* fall through */
    case 'G':
        role.lsb = 10;
        break;
    case 'm':
        role.lsb = 16;
        break;
    }
    return role;
}

static struct a64_role role_of(const char *letters)
{
    struct a64_role role = {letters[0], letters[1], 0, 5};

    if (letters[1] == 'q')
        return predicate_role_of(letters);

    switch (letters[2]) {
    case 'n':
        role.lsb = 5;
        break;
    case 'a':
        role.lsb = 10;
        break;
    case 'z': /* the lower eight */
        role.width = 3;
        role.lsb = 16;
        break;
    case 'h': /* the lower sixteen */
        role.width = 4;
        role.lsb = 16;
        break;
    case 'm':
    case 's':
        role.lsb = 16;
        break;
    }
    return role;
}

static void read_row(const struct a64_row *row, struct a64_form *form)
{
    unsigned n = 0;

    form->klass = row->kind != SVE_NONE ? class_of[row->kind] : row->klass;
    form->kind = row->kind;
    form->operation = row->operation;
    form->bytes = row->bytes;
    strncpy(form->work, row->work, sizeof form->work - 1);
    form->reads_flags = (row->flags & READ) != 0;
    form->writes_flags = (row->flags & SET) != 0;
    for (const char *at = row->registers; *at != '\0'; at += strspn(at, " ")) {
        form->roles[n++] = role_of(at);
        at += 3;
    }
}

struct a64 *a64_new(void)
{
    struct a64 *a64 = calloc(1, sizeof *a64);

    if (a64 == NULL)
        return NULL;
    a64->vector_bytes = 16;
    for (unsigned i = 0; i < N_ROWS; i++)
        read_row(&rows[i], &a64->forms[i]);
    if (!table_init(&a64->table, &(struct table_rows){rows, N_ROWS, sizeof rows[0], 32}, 21)) {
        a64_free(a64);
        return NULL;
    }
    return a64;
}

void a64_free(struct a64 *a64)
{
    if (a64 == NULL)
        return;
    table_destroy(&a64->table);
    free(a64);
}

void a64_set_vector(struct a64 *a64, unsigned bytes)
{
    a64->vector_bytes = bytes;
}

/* The register as a set: of the X registers the last is zero, which is none, or SP. */
static uint64_t register_of(const struct a64_role *role, uint32_t word)
{
    const unsigned n = field(word, role->lsb + role->width - 1, role->lsb);

    if (role->bank == 'v')
        return REG_V(n);
    if (n < 31)
        return REG_X(n);
    return role->bank == 'p' ? REG_XSP : 0;
}

/* The three times at which registers are read, and how many operands are V registers. */
struct reads {
    uint64_t early, plain, late;
    unsigned vectors;
};

static void play_role(const struct a64_role *role, uint64_t set, struct reads *reads,
                      struct insn *insn)
{
    reads->vectors += role->bank == 'v' && (role->what == 'r' || role->what == 'u');
    switch (role->what) {
    case 'r':
        reads->plain |= set;
        break;
    case 'e':
        reads->early |= set;
        break;
    case 'l':
        reads->late |= set;
        break;
    case 'w':
        insn->writes |= set;
        break;
    case 'u':
        reads->plain |= set;
        insn->writes |= set;
        break;
    case 'a':
        reads->late |= set;
        insn->writes |= set;
        break;
    }
}

static void play_predicate(const struct a64_role *role, uint32_t word,
                           struct insn_scalable *scalable)
{
    const unsigned n = field(word, role->lsb + role->width - 1, role->lsb);

    if (role->what != 'w')
        scalable->reads |= REG_P(n);
    if (role->what == 'w' || role->what == 'u')
        scalable->writes |= REG_P(n);
    if (role->what == 'g')
        scalable->governor = (uint8_t)n;
}

/* A multiplication of a vector by an element of another. */
static bool is_by_element(uint32_t word)
{
    return field(word, 27, 24) == 15 && !bit(word, 10) && !bit(word, 31) &&
           (!bit(word, 28) || bit(word, 30));
}

/* The index of an address, or the register of an element. */
static bool is_first(const struct a64_form *form, const struct a64_role *role, uint32_t word)
{
    if (role->lsb != 16)
        return false;
    return role->bank == 'v' ? form->kind == SVE_NONE && is_by_element(word)
                             : form->operation == A64_TRANSFER;
}

static void place_registers(const struct a64_form *form, uint32_t word, struct insn *insn)
{
    struct reads reads = {0};

    insn->scalable.governor = NO_GOVERNOR;
    for (unsigned i = 0; i < A64_ROLES_MAX && form->roles[i].what != 0; i++) {
        const struct a64_role *const role = &form->roles[i];
        if (role->bank == 'q') {
            play_predicate(role, word, &insn->scalable);
            continue;
        }
        play_role(role, register_of(role, word), &reads, insn);
        if (is_first(form, role, word))
            insn->reads_first |= register_of(role, word);
    }
    insn->reads = reads.early | reads.plain | reads.late;
    insn->reads_early = reads.early;
    insn->reads_late = reads.late & ~reads.plain;
    insn->accumulates = reads.late != 0;
    insn->vector.operands = (uint8_t)reads.vectors;
}

/* SHLL, FCVTL and FCVTN. */
static bool changes_width(uint32_t word)
{
    const unsigned what = field(word, 16, 12);

    return field(word, 21, 17) == 16 && field(word, 11, 10) == 2 &&
           (what == 0x13 || what == 0x16 || what == 0x17);
}

/* Returns whether a vector instruction works on 128 bits: bit 30 says so, and those with three
 * registers of different widths, SSHLL and its like have 128 on one side whatever it says. */
static bool works_on_quads(uint32_t word, const struct insn *insn)
{
    const bool three_widths = !bit(word, 24) && bit(word, 21) && field(word, 11, 10) == 0;
    const bool lengthens = bit(word, 24) && field(word, 22, 19) != 0 && field(word, 15, 10) == 0x29;

    if (field(word, 28, 25) != 7 || bit(word, 31) || insn->klass == CLASS_CORE_TO_ELEMENT ||
        insn->klass == CLASS_NEON_TO_CORE)
        return false;
    return bit(word, 30) || three_widths || lengthens || (!bit(word, 24) && changes_width(word)) ||
           insn->klass == CLASS_NEON_MULTIPLY_LONG;
}

/* Returns whether what it writes of a vector register is half of it or less: sums and maxima across
 * elements, ADDHN, XTN, FCVTN, SHRN and their like. */
static bool is_narrow(uint32_t word)
{
    const unsigned low = field(word, 11, 10);

    if (bit(word, 24))
        return bit(word, 10) && field(word, 22, 19) != 0 && field(word, 15, 13) == 4;
    if (low == 0)
        return bit(word, 21) && (field(word, 15, 12) & 13) == 4;
    if (low != 2)
        return false;
    return field(word, 21, 17) == 0x18 ||
           (field(word, 21, 17) == 0x10 && (field(word, 16, 12) & 0x19) == 0x10);
}

bool a64_decode(const struct a64 *a64, uint32_t word, uint64_t address, struct insn *insn)
{
    const int row = table_find(&a64->table, word);

    if (row < 0)
        return false;
    const struct a64_form *form = &a64->forms[row];
    insn->klass = (enum insn_class)form->klass;
    insn->reads_flags = form->reads_flags;
    insn->writes_flags = form->writes_flags;
    place_registers(form, word, insn);
    insn->work = a64_work(form, word);
    insn->vector.quad = works_on_quads(word, insn);
    insn->vector.narrow = insn->vector.quad && is_narrow(word);
    if (!(form->kind != SVE_NONE ? a64_complete_sve(form, word, a64->vector_bytes, insn)
                                 : a64_complete(form, word, address, insn)))
        return false;
    insn->reads_late &= ~insn->reads_early;
    return true;
}
