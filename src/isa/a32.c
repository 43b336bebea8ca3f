#include "isa/a32.h"

#include <stdlib.h>
#include <string.h>

#include "isa/table.h"

struct a32_row {
    const char *pattern;
    uint8_t klass, kind, bytes;
    a32_operation *complete;
    const char *registers;
};

#define ROW(pattern, klass, operation, registers, bytes)                                           \
    {pattern, CLASS_##klass, VECTOR_NONE, bytes, complete_##operation, registers},
#define VECTOR(pattern, klass, kind, operation, registers)                                         \
    {pattern, CLASS_##klass, VECTOR_##kind, 0, complete_##operation, registers},

static const struct a32_row a32_rows[] = {
#include "isa/a32.def"
};
static const struct a32_row t32_rows[] = {
#include "isa/t32.def"
};
static const struct a32_row t16_rows[] = {
#include "isa/t16.def"
};
#undef ROW
#undef VECTOR

/* One instruction set; of T32 the 16-bit and the 32-bit instructions are one each. */
struct set {
    struct table table;
    struct a32_form *forms;
};

struct a32 {
    struct set a32, t32, t16;
};

/* The letters of a pattern are the fields of the word. */
static void read_fields(const char *pattern, unsigned n_bits, struct a32_form *form)
{
    unsigned n = n_bits;
    char before = ' ';

    for (; *pattern != '\0'; pattern++) {
        if (*pattern == ' ')
            continue;
        n--;
        if (*pattern >= 'A') {
            struct a32_field *field = &form->fields[*pattern - 'A'];
            if (*pattern != before) { /* what was read of it belongs above */
                field->upper_lsb = field->lsb;
                field->upper_width = field->width;
                field->width = 0;
            }
            field->width++;
            field->lsb = (uint8_t)n;
        }
        before = *pattern;
    }
}

static void read_row(const struct a32_row *row, unsigned n_bits, struct a32_form *form)
{
    unsigned n = 0;

    form->klass = (enum insn_class)row->klass;
    form->kind = (enum vector_kind)row->kind;
    form->bytes = row->bytes;
    form->complete = row->complete;
    read_fields(row->pattern, n_bits, form);
    for (const char *at = row->registers; *at != '\0'; at += strspn(at, " ")) {
        memcpy(form->roles[n++], at, 3);
        at += 3;
    }
}

static bool set_init(struct set *set, const struct a32_row *rows, unsigned n_rows, unsigned n_bits,
                     unsigned lsb)
{
    set->forms = calloc(n_rows, sizeof set->forms[0]);
    if (set->forms == NULL)
        return false;
    for (unsigned i = 0; i < n_rows; i++)
        read_row(&rows[i], n_bits, &set->forms[i]);
    return table_init(&set->table, &(struct table_rows){rows, n_rows, sizeof rows[0], n_bits}, lsb);
}

static void set_destroy(struct set *set)
{
    table_destroy(&set->table);
    free(set->forms);
}

#define COUNT(rows) (sizeof(rows) / sizeof(rows)[0])

struct a32 *a32_new(void)
{
    struct a32 *a32 = calloc(1, sizeof *a32);

    if (a32 == NULL)
        return NULL;
    if (!set_init(&a32->a32, a32_rows, COUNT(a32_rows), 32, 20) ||
        !set_init(&a32->t32, t32_rows, COUNT(t32_rows), 32, 20) ||
        !set_init(&a32->t16, t16_rows, COUNT(t16_rows), 16, 8)) {
        a32_free(a32);
        return NULL;
    }
    return a32;
}

void a32_free(struct a32 *a32)
{
    if (a32 == NULL)
        return;
    set_destroy(&a32->a32);
    set_destroy(&a32->t32);
    set_destroy(&a32->t16);
    free(a32);
}

/* ---- registers ---------------------------------------------------------------------------------
 */

static uint64_t fixed_register(char letter)
{
    switch (letter) {
    case 'c':
        return REG_FLAGS;
    case 'g':
        return REG_GE;
    case 'q':
        return REG_Q;
    case 'u':
        return REGS_APSR;
    case 's':
        return REG_SP;
    case 'l':
        return REG_LR;
    case 'p':
        return REG_PC;
    case 'f':
        return REG_FPSCR;
    }
    return 0;
}

static uint64_t core_register(char bank, unsigned n)
{
    if (bank == 'p')
        return REG_R(n) | REG_R((n + 1) & 15);
    if (n == 15 && bank != 'r')
        return bank == 'a' ? REG_FLAGS : 0;
    return REG_R(n);
}

/* The width of a bank in an instruction: s one S register, S two, d one D register, q two. */
static char width_of(const struct operands *operands, char bank)
{
    const bool doubles = bit(operands->word, 8);

    switch (bank) {
    case 'f':
        return doubles ? 'd' : 's';
    case 'o':
        return doubles ? 's' : 'd';
    case 'v':
        return a32_field(operands, 'Q') != 0 ? 'q' : 'd';
    }
    return bank;
}

/* S(2 * vector + extra) is in D(vector); D and Q registers have the extra bit on top. Returns 0 for
 * a Q register of an odd number, and for S31 and what would follow it. */
static uint64_t vector_register(char width, unsigned vector, unsigned extra)
{
    const unsigned number = extra << 4 | vector;

    switch (width) {
    case 's':
        return REG_D(vector);
    case 'S':
        return extra == 0 ? REG_D(vector) : vector < 15 ? REG_D(vector) | REG_D(vector + 1) : 0;
    case 'q':
        return (number & 1) == 0 ? UINT64_C(3) << (32 + number) : 0;
    }
    return REG_D(number);
}

static bool is_core_bank(char bank)
{
    return bank == 'r' || bank == 'z' || bank == 'a' || bank == 'p';
}

/* Returns false where the registers do not exist. */
static bool register_of(const struct operands *operands, const char role[3], uint64_t *set)
{
    const char bank = role[1], letter = role[2];

    if (bank == '=') {
        *set = fixed_register(letter);
        return true;
    }
    const unsigned n = a32_field(operands, letter);
    if (is_core_bank(bank)) {
        *set = core_register(bank, n);
        return true;
    }
    *set = vector_register(width_of(operands, bank), n,
                           a32_field(operands, (char)(letter - 'a' + 'A')));
    return *set != 0;
}

static void read_early(uint64_t set, struct insn *insn)
{
    insn->reads |= set;
    insn->reads_early |= set;
}

static void read_late(uint64_t set, struct insn *insn)
{
    insn->reads |= set;
    insn->reads_late |= set;
}

static void count_data(const char role[3], uint64_t set, struct operands *operands)
{
    operands->data |= set;
    operands->n_data += role[1] == 'p' ? 2 : 1;
}

/* Data processing sets the flags where its S bit is set; without one, outside an IT block. */
static void set_flags(struct operands *operands, struct insn *insn)
{
    operands->sets_flags =
        a32_has_field(operands, 'S') ? a32_field(operands, 'S') != 0 : !operands->in_it;
    if (operands->sets_flags)
        insn->writes |= REG_FLAGS;
}

static void play_role(const char role[3], uint64_t set, struct operands *operands,
                      struct insn *insn)
{
    switch (role[0]) {
    case 'w':
        insn->writes |= set;
        break;
    case 'r':
        insn->reads |= set;
        break;
    case 'e':
        read_early(set, insn);
        break;
    case 'l':
        read_late(set, insn);
        break;
    case 'u':
        insn->reads |= set;
        insn->writes |= set;
        break;
    case 'a':
        read_late(set, insn);
        insn->writes |= set;
        break;
    case 'q':
        insn->reads |= set;
        insn->reads_twice |= set;
        break;
    case 'y':
        read_early(set, insn);
        insn->shifts_by_register = true;
        break;
    case 'k':
        insn->reads |= set;
        insn->shifts_by_register = true;
        break;
    case 'b':
        read_early(set, insn);
        operands->base = set;
        break;
    case 'x':
        read_early(set, insn);
        operands->index = set;
        break;
    case 't':
        insn->writes |= set;
        count_data(role, set, operands);
        break;
    case 's':
        read_late(set, insn);
        count_data(role, set, operands);
        break;
    case 'c':
        set_flags(operands, insn);
        break;
    }
}

/* The D registers of an operand that is read. */
static void note_operand(const char role[3], uint64_t set, struct insn_vector *vector)
{
    if (is_core_bank(role[1]) || role[1] == '=' || role[0] == 'w' || role[0] == 't')
        return;
    if (role[2] == 'n')
        vector->n |= (uint32_t)(set >> 32);
    else if (role[2] == 'm')
        vector->m |= (uint32_t)(set >> 32);
    else
        vector->d |= (uint32_t)(set >> 32);
}

/* Returns false where a register does not exist. */
static bool play_roles(struct operands *operands, struct insn *insn)
{
    for (unsigned i = 0; i < A32_ROLES_MAX && operands->form->roles[i][0] != '\0'; i++) {
        const char *role = operands->form->roles[i];
        uint64_t set;
        if (!register_of(operands, role, &set))
            return false;
        play_role(role, set, operands, insn);
        note_operand(role, set, &insn->vector);
    }
    return true;
}

/* ---- words -------------------------------------------------------------------------------------
 */

/* T32's words of NEON and of coprocessors are A32's with a few bits moved, and with the condition
 * "always" or "unconditional" on top. Returns false for other words. */
static bool t32_as_a32(uint32_t word, uint32_t *out)
{
    *out = word;
    if ((word & 0xef000000) == 0xef000000)
        *out = 0xf2000000 | (uint32_t)bit(word, 28) << 24 | field(word, 23, 0);
    else if ((word & 0xff100000) == 0xf9000000)
        *out = 0xf4000000 | field(word, 23, 0);
    return *out != word || (word & 0xec000000) == 0xec000000;
}

static const struct a32_form *find_form(const struct a32 *a32, const struct encoding *code,
                                        uint32_t *word)
{
    const struct set *set = code->size == 2 ? &a32->t16 : &a32->t32;

    *word = code->word;
    if (code->isa == ARMPMU_A32 || (code->size == 4 && t32_as_a32(code->word, word)))
        set = &a32->a32;
    const int row = table_find(&set->table, *word);
    return row < 0 ? NULL : &set->forms[row];
}

bool a32_decode(const struct a32 *a32, const struct encoding *code, struct insn *insn)
{
    struct operands operands = {
        .address = code->address, .t32 = code->isa == ARMPMU_T32, .in_it = code->in_it};

    operands.form = find_form(a32, code, &operands.word);
    if (operands.form == NULL)
        return false;
    insn->klass = operands.form->klass;
    insn->vector.kind = operands.form->kind;
    insn->vector.quad = a32_field(&operands, 'Q') != 0;
    if (!operands.t32 && a32_has_field(&operands, 'c'))
        insn->condition = (uint8_t)a32_field(&operands, 'c');
    return play_roles(&operands, insn) && operands.form->complete(&operands, insn);
}
