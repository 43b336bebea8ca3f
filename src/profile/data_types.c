#include "profile/data_types.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <dwarf.h>
#include <elfutils/libdw.h>

#include "base/array.h"
#include "base/error.h"
#include "base/intern.h"
#include "profile/object_file.h"
#include "profile/spans.h"

#define TYPES_NESTING_MAX 32u /* of entries and of members; compilers stay below ten */
#define TYPE_NAME_BYTES   512u
#define LOCATIONS         4u

struct type {
    Dwarf_Die die;
    bool is_known;
};

struct typing {
    struct profile *profile;
    Dwfl_Module *module;
    uint32_t object;
    uint64_t bias;
    struct spans spans; /* of variables; value: of variables[] */
    Dwarf_Die *variables;
    size_t n_variables, variables_room;
    struct type *blocks; /* of each allocation */
    struct pointer {
        struct type to;
        bool was_asked;
    } * pointers;   /* by which an instruction accesses */
    bool *disagree; /* accesses to its blocks */
    /* Structures whose members are in the profile, by where their entries are. */
    const void **listed;
    size_t n_listed, listed_room;
    struct intern listed_numbers;
};

/* ---- types ---- */

/* The type of a variable or member, or what a pointer points to; false of void. */
static bool type_of(Dwarf_Die *die, Dwarf_Die *type)
{
    Dwarf_Attribute attribute;

    return dwarf_formref_die(dwarf_attr_integrate(die, DW_AT_type, &attribute), type) != NULL;
}

/* Without typedef, const and the like; name: the last that it had. */
static bool peel(Dwarf_Die *type, const char **name)
{
    for (unsigned i = 0; i < TYPES_NESTING_MAX; i++) {
        if (dwarf_diename(type) != NULL)
            *name = dwarf_diename(type);
        switch (dwarf_tag(type)) {
        case DW_TAG_typedef:
        case DW_TAG_const_type:
        case DW_TAG_volatile_type:
        case DW_TAG_restrict_type:
        case DW_TAG_atomic_type:
            if (!type_of(type, type))
                return false;
            break;
        default:
            return true;
        }
    }
    return false;
}

static bool is_union(Dwarf_Die *type)
{
    return dwarf_tag(type) == DW_TAG_union_type;
}

static bool is_structure(Dwarf_Die *type)
{
    return dwarf_tag(type) == DW_TAG_structure_type || dwarf_tag(type) == DW_TAG_class_type;
}

static uint64_t size_of(Dwarf_Die *type)
{
    Dwarf_Word size;

    return dwarf_aggregate_size(type, &size) == 0 ? size : 0;
}

static void print_type(Dwarf_Die *type, const char *name, char *text)
{
    const char *const kind = dwarf_diename(type) == NULL                ? ""
                             : dwarf_tag(type) == DW_TAG_structure_type ? "struct "
                             : is_union(type)                           ? "union "
                                                                        : "";
    Dwarf_Die to;

    if (dwarf_tag(type) == DW_TAG_pointer_type) {
        const char *pointee = "void";
        char inner[TYPE_NAME_BYTES] = "void";
        if (type_of(type, &to) && peel(&to, &pointee) && dwarf_tag(&to) != DW_TAG_pointer_type)
            print_type(&to, pointee, inner);
        snprintf(text, TYPE_NAME_BYTES, "%.*s *", (int)TYPE_NAME_BYTES - 3, inner);
        return;
    }
    snprintf(text, TYPE_NAME_BYTES, "%s%s", kind, name);
}

/* Bytes of no type, which programs copy. */
static bool is_bytes(Dwarf_Die *type)
{
    Dwarf_Attribute attribute;
    Dwarf_Word encoding = 0;

    (void)dwarf_formudata(dwarf_attr(type, DW_AT_encoding, &attribute), &encoding);
    return encoding == DW_ATE_signed_char || encoding == DW_ATE_unsigned_char;
}

/* ---- members ---- */

/* Offsets of accesses, from the lowest to the highest by a step; and what is found for them. */
struct member_search {
    uint64_t low, high, step;
    uint64_t width; /* of an access */
    char type[TYPE_NAME_BYTES], name[TYPE_NAME_BYTES];
    uint64_t offset, n_bytes;
    Dwarf_Die outer; /* that has the type's name */
};

static void add_name(struct member_search *search, const char *separator, const char *name)
{
    const size_t length = strlen(search->name);

    snprintf(search->name + length, TYPE_NAME_BYTES - length, "%s%s", length != 0 ? separator : "",
             name);
}

/* Goes on among an array's elements; false where the accesses are to several members of them. */
static bool enter_array(struct member_search *search, Dwarf_Die *element)
{
    const char *name;
    Dwarf_Die peeled = *element;
    const uint64_t size = size_of(element);

    if (size == 0 || !peel(&peeled, &name))
        return false;
    if (search->low / size != search->high / size) {
        const bool is_one_member = search->step != 0 && search->step % size == 0;
        if (!is_one_member &&
            (is_structure(&peeled) || is_union(&peeled) || dwarf_tag(&peeled) == DW_TAG_array_type))
            return false;
        search->high = search->low;
        search->step = 0;
    }
    search->high -= search->low / size * size;
    search->low %= size;
    if (search->type[0] != '\0')
        add_name(search, "", "[]");
    return true;
}

static uint64_t offset_of(Dwarf_Die *member)
{
    Dwarf_Attribute attribute;
    Dwarf_Word value = 0;

    if (dwarf_formudata(dwarf_attr(member, DW_AT_data_member_location, &attribute), &value) != 0 &&
        dwarf_formudata(dwarf_attr(member, DW_AT_data_bit_offset, &attribute), &value) == 0)
        value /= 8;
    return value;
}

/* The first bit of a bit field in its structure, and how many it has; false of other members.
 * DWARF 3 counts from the end of a unit of the member's type. */
static bool bits_of(Dwarf_Die *member, Dwarf_Die *type, uint64_t *first, uint64_t *n)
{
    Dwarf_Attribute attribute;
    Dwarf_Word size, from;

    if (dwarf_formudata(dwarf_attr(member, DW_AT_bit_size, &attribute), &size) != 0)
        return false;
    *n = size;
    *first = 8 * offset_of(member);
    if (dwarf_formudata(dwarf_attr(member, DW_AT_data_bit_offset, &attribute), &from) == 0)
        *first = from;
    else if (dwarf_formudata(dwarf_attr(member, DW_AT_bit_offset, &attribute), &from) == 0)
        *first += 8 * size_of(type) - from - size;
    return true;
}

/* The bit fields that share the bytes, with '/'; false if something else has some, too. */
static bool enter_bits(struct member_search *search, Dwarf_Die *type)
{
    const uint64_t begin = search->low, end = search->high + search->width;
    uint64_t first, n, low = end;
    Dwarf_Die member, of;
    char names[TYPE_NAME_BYTES] = "";

    if (dwarf_child(type, &member) != 0)
        return false;
    do {
        if (dwarf_tag(&member) != DW_TAG_member || !type_of(&member, &of))
            continue;
        const bool is_field = bits_of(&member, &of, &first, &n);
        const uint64_t from = is_field ? first / 8 : offset_of(&member);
        const uint64_t to = is_field ? (first + n + 7) / 8 : from + size_of(&of);
        if (from >= end || to <= begin)
            continue;
        if (!is_field || dwarf_diename(&member) == NULL)
            return false;
        const size_t length = strlen(names);
        snprintf(names + length, sizeof names - length, "%s%s", length != 0 ? "/" : "",
                 dwarf_diename(&member));
        low = from < low ? from : low;
    } while (dwarf_siblingof(&member, &member) == 0);
    add_name(search, ".", names);
    search->offset += low;
    search->n_bytes = end - low;
    return names[0] != '\0';
}

/* The member that all are to, in place of the structure. */
static bool enter_structure(struct member_search *search, Dwarf_Die *type)
{
    Dwarf_Die member, of;
    uint64_t first, n;

    if (dwarf_child(type, &member) != 0)
        return false;
    do {
        const int tag = dwarf_tag(&member);
        const uint64_t offset = offset_of(&member);
        if ((tag != DW_TAG_member && tag != DW_TAG_inheritance) || !type_of(&member, &of) ||
            bits_of(&member, &of, &first, &n) || search->low < offset ||
            search->high + search->width > offset + size_of(&of))
            continue;
        search->low -= offset;
        search->high -= offset;
        search->offset += offset;
        if (tag == DW_TAG_member && dwarf_diename(&member) != NULL)
            add_name(search, ".", dwarf_diename(&member));
        *type = of;
        return true;
    } while (dwarf_siblingof(&member, &member) == 0);
    return false;
}

static bool descend(struct member_search *search, Dwarf_Die type, unsigned nesting);

/* How well a member of a union suits: of an access's size best, several members least. */
static unsigned suits(const struct member_search *found)
{
    if (strstr(found->name, PROFILE_SEVERAL) != NULL)
        return 1;
    return found->n_bytes == found->width ? 3 : 2;
}

/* The members of a union that all may be to, with '/'. */
static void enter_union(struct member_search *search, Dwarf_Die *type, unsigned nesting)
{
    struct member_search best = {.n_bytes = search->n_bytes};
    unsigned best_suits = 0;
    Dwarf_Die member, of;

    if (dwarf_child(type, &member) != 0)
        return;
    do {
        struct member_search one = *search;
        if (dwarf_tag(&member) != DW_TAG_member || !type_of(&member, &of) ||
            search->high + search->width > size_of(&of))
            continue;
        snprintf(one.name, sizeof one.name, "%s",
                 dwarf_diename(&member) != NULL ? dwarf_diename(&member) : "");
        if (!descend(&one, of, nesting + 1) || suits(&one) < best_suits)
            continue;
        if (suits(&one) == best_suits)
            add_name(&best, "/", one.name);
        else
            best = one;
        best_suits = suits(&one);
    } while (dwarf_siblingof(&member, &member) == 0);
    add_name(search, ".", best_suits != 0 ? best.name : PROFILE_SEVERAL);
    search->n_bytes = best.n_bytes;
    search->offset = best_suits != 0 ? best.offset : search->offset;
}

/* find_member among what was found so far. */
static bool descend(struct member_search *search, Dwarf_Die type, unsigned nesting)
{
    const char *name = "(anonymous)";

    for (; nesting < TYPES_NESTING_MAX && peel(&type, &name); nesting++) {
        Dwarf_Die inner;
        search->n_bytes = size_of(&type);
        if (dwarf_tag(&type) == DW_TAG_array_type) {
            if (!type_of(&type, &inner) || !enter_array(search, &inner))
                return false;
            type = inner;
            name = "(anonymous)";
            continue;
        }
        if (search->type[0] == '\0') {
            print_type(&type, name, search->type);
            search->outer = type;
        }
        if (is_union(&type))
            enter_union(search, &type, nesting);
        if (!is_structure(&type))
            return true;
        if (!enter_structure(search, &type)) {
            if (!enter_bits(search, &type))
                add_name(search, ".", PROFILE_SEVERAL);
            return true;
        }
        name = "(anonymous)";
    }
    return false;
}

/* Finds what accesses to something of a type are to; false where that is not known. */
static bool find_member(struct member_search *search, Dwarf_Die type)
{
    search->type[0] = search->name[0] = '\0';
    search->offset = 0;
    return descend(search, type, 0);
}

/* ---- all members of a structure ---- */

static enum armpmu_status list_members(struct typing *t, Dwarf_Die *type,
                                       const struct member_search *in, unsigned nesting,
                                       struct armpmu_error *err);

/* A member, or those of a structure or of an array of structures. A union is one. */
static enum armpmu_status list_member(struct typing *t, Dwarf_Die *member,
                                      const struct member_search *in, unsigned nesting,
                                      struct armpmu_error *err)
{
    struct member_search one = *in;
    const char *name;
    uint64_t first, n;
    Dwarf_Die type, element;

    if (!type_of(member, &type))
        return ARMPMU_OK;
    const bool is_field = bits_of(member, &type, &first, &n);
    one.offset += is_field ? first / 8 : offset_of(member);
    one.n_bytes = is_field ? (first % 8 + n + 7) / 8 : size_of(&type);
    if (dwarf_tag(member) == DW_TAG_member && dwarf_diename(member) != NULL)
        add_name(&one, ".", dwarf_diename(member));
    for (; peel(&type, &name) && dwarf_tag(&type) == DW_TAG_array_type && type_of(&type, &element);
         type = element)
        add_name(&one, "", "[]");
    if (is_structure(&type) && nesting < TYPES_NESTING_MAX)
        return list_members(t, &type, &one, nesting + 1, err);
    const struct profile_member made = {one.type, one.name[0] != '\0' ? one.name : "(union)",
                                        one.offset, one.n_bytes};
    return profile_add_member(t->profile, &made, &(uint32_t){0}, err);
}

static enum armpmu_status list_members(struct typing *t, Dwarf_Die *type,
                                       const struct member_search *in, unsigned nesting,
                                       struct armpmu_error *err)
{
    enum armpmu_status status = ARMPMU_OK;
    Dwarf_Die member;

    if (dwarf_child(type, &member) != 0)
        return ARMPMU_OK;
    do {
        const int tag = dwarf_tag(&member);
        Dwarf_Attribute attribute;
        if (tag == DW_TAG_inheritance ||
            (tag == DW_TAG_member && dwarf_attr(&member, DW_AT_external, &attribute) == NULL))
            status = list_member(t, &member, in, nesting, err);
    } while (status == ARMPMU_OK && dwarf_siblingof(&member, &member) == 0);
    return status;
}

static bool is_listed(const void *listed, uint32_t number, const void *key)
{
    return ((const void *const *)listed)[number] == key;
}

/* Adds the members of a structure that is met for the first time: no access may be to some. */
static enum armpmu_status list_once(struct typing *t, struct member_search *found,
                                    struct armpmu_error *err)
{
    const void *const key = found->outer.addr;
    const uint32_t hash = hash_bytes(HASH_START, &key, sizeof key);
    struct member_search in = *found;

    if (!is_structure(&found->outer) ||
        intern_find(&t->listed_numbers, hash, is_listed, t->listed, key) != INTERN_NONE)
        return ARMPMU_OK;
    if (!ARRAY_RESERVE(t->listed, t->listed_room, t->n_listed + 1) ||
        !intern_add(&t->listed_numbers, hash, (uint32_t)t->n_listed))
        return fail_no_memory(err, "types of data");
    t->listed[t->n_listed++] = key;
    in.name[0] = '\0';
    in.offset = 0;
    return list_members(t, &found->outer, &in, 0, err);
}

static enum armpmu_status add_member(struct typing *t, struct member_search *found,
                                     struct profile_access *access, struct armpmu_error *err)
{
    const struct profile_member member = {found->type, found->name, found->offset, found->n_bytes};
    const enum armpmu_status status = profile_add_member(t->profile, &member, &access->member, err);

    return status == ARMPMU_OK ? list_once(t, found, err) : status;
}

/* ---- variables at fixed addresses ---- */

/* Returns whether a location is an address: the number itself or, in split debug data, that of one
 * in the object's list. */
static bool is_fixed(Dwarf_Attribute *location, Dwarf_Addr *address)
{
    Dwarf_Attribute listed;
    Dwarf_Op *operations;
    size_t n;

    if (dwarf_getlocation(location, &operations, &n) != 0 || n != 1)
        return false;
    *address = operations[0].number;
    return operations[0].atom == DW_OP_addr ||
           ((operations[0].atom == DW_OP_addrx || operations[0].atom == DW_OP_GNU_addr_index) &&
            dwarf_getlocation_attr(location, operations, &listed) == 0 &&
            dwarf_formaddr(&listed, address) == 0);
}

static bool add_variable(struct typing *t, Dwarf_Die *die, Dwarf_Addr bias)
{
    Dwarf_Attribute attribute;
    Dwarf_Addr address;
    Dwarf_Die type;

    if (!is_fixed(dwarf_attr(die, DW_AT_location, &attribute), &address) || !type_of(die, &type))
        return true;
    const uint64_t start = address + bias + t->bias, size = size_of(&type);
    if (size == 0)
        return true;
    if (!ARRAY_RESERVE(t->variables, t->variables_room, t->n_variables + 1) ||
        !spans_add(&t->spans, start, start + size, (uint32_t)t->n_variables))
        return false;
    t->variables[t->n_variables++] = type;
    return true;
}

static bool walk(struct typing *t, Dwarf_Die *parent, Dwarf_Addr bias, unsigned nesting)
{
    Dwarf_Die child;

    if (nesting > TYPES_NESTING_MAX || dwarf_child(parent, &child) != 0)
        return true;
    do {
        const int tag = dwarf_tag(&child);
        const bool holds = tag == DW_TAG_namespace || tag == DW_TAG_subprogram ||
                           tag == DW_TAG_lexical_block || tag == DW_TAG_inlined_subroutine;
        if ((tag == DW_TAG_variable && !add_variable(t, &child, bias)) ||
            (holds && !walk(t, &child, bias, nesting + 1)))
            return false;
    } while (dwarf_siblingof(&child, &child) == 0);
    return true;
}

static bool load_variables(struct typing *t)
{
    Dwarf_Die *unit = NULL, whole;
    Dwarf_Addr bias;

    while ((unit = dwfl_module_nextcu(t->module, unit, &bias)) != NULL)
        if (object_file_unit(unit, &whole) && !walk(t, &whole, bias, 0))
            return false;
    spans_sort(&t->spans);
    return true;
}

static enum armpmu_status name_variables(struct typing *t, struct armpmu_error *err)
{
    enum armpmu_status status = ARMPMU_OK;

    for (size_t i = 0; i < t->profile->n_accesses && status == ARMPMU_OK; i++) {
        struct profile_access *const access = &t->profile->accesses[i];
        const struct armpmu_data_access *const of = &access->of;
        const uint32_t at = of->allocation == 0 ? spans_find(&t->spans, of->low) : SPAN_NONE;
        if (at == SPAN_NONE || of->high >= t->spans.at[at].end)
            continue;
        const uint64_t start = t->spans.at[at].start;
        struct member_search search = {
            .low = of->low - start, .high = of->high - start, .step = of->step, .width = of->bytes};
        if (find_member(&search, t->variables[t->spans.at[at].value]))
            status = add_member(t, &search, access, err);
    }
    return status;
}

/* ---- pointers in registers ---- */

static bool is_in_register(Dwarf_Die *die, Dwarf_Addr pc, unsigned number)
{
    Dwarf_Attribute attribute;
    Dwarf_Op *operations[LOCATIONS];
    size_t lengths[LOCATIONS];

    return dwarf_attr(die, DW_AT_location, &attribute) != NULL &&
           dwarf_getlocation_addr(&attribute, pc, operations, lengths, LOCATIONS) > 0 &&
           lengths[0] == 1 && operations[0]->atom == DW_OP_reg0 + number;
}

/* Finds the variable of the scope that is in the register, and what it points to. */
static bool find_in_scope(Dwarf_Die *scope, Dwarf_Addr pc, unsigned number, Dwarf_Die *pointee)
{
    Dwarf_Die child, type;
    const char *name;

    if (dwarf_child(scope, &child) != 0)
        return false;
    do {
        const int tag = dwarf_tag(&child);
        if ((tag != DW_TAG_variable && tag != DW_TAG_formal_parameter) ||
            !is_in_register(&child, pc, number))
            continue;
        if (type_of(&child, &type) && peel(&type, &name) &&
            (dwarf_tag(&type) == DW_TAG_pointer_type ||
             dwarf_tag(&type) == DW_TAG_reference_type) &&
            type_of(&type, pointee) && peel(pointee, &name) && size_of(pointee) != 0)
            return !is_bytes(pointee);
    } while (dwarf_siblingof(&child, &child) == 0);
    return false;
}

/* The type that the register with this number of DWARF points to at an address in memory. */
static struct type pointed_to(const struct typing *t, uint64_t address, unsigned number)
{
    struct type found = {.is_known = false};
    Dwarf_Addr bias;
    Dwarf_Die *scopes = NULL, whole;
    Dwarf_Die *const unit = dwfl_module_addrdie(t->module, address - t->bias, &bias);
    const Dwarf_Addr pc = address - t->bias - bias;
    const bool is_there = unit != NULL && object_file_unit(unit, &whole);
    const int n = is_there ? dwarf_getscopes(&whole, pc, &scopes) : 0;

    for (int i = 0; i < n && !found.is_known; i++)
        found.is_known = find_in_scope(&scopes[i], pc, number, &found.die);
    free(scopes);
    return found;
}

/* ---- of instructions ---- */

#define REGISTERS 31u /* and the stack pointer of A64, which is no variable */
#define NO_BASE   0xffu

struct base {
    unsigned number; /* of the register; NO_BASE */
    int64_t displacement;
};

static int64_t signed_field(uint32_t word, unsigned lsb, unsigned bits)
{
    return (int64_t)((uint64_t)word << (64 - lsb - bits)) >> (64 - bits);
}

/* A load or store of A64 without an index register. Source: Arm DDI 0487, Loads and Stores. */
static struct base base_of_a64(uint32_t word)
{
    struct base base = {word >> 5 & 31, 0};
    const unsigned size = word >> 30, is_vector = word >> 26 & 1, wide = word >> 23 & 1;

    switch (word >> 27 & 7) {
    case 1: /* exclusive, acquire and release */
        return base;
    case 5: /* pairs; post-indexed ones access at the base */
        if ((word >> 23 & 3) != 1)
            base.displacement = signed_field(word, 15, 7)
                                << (is_vector ? 2 + size : 2 + (size >> 1));
        return base;
    case 7:
        if ((word >> 24 & 1) != 0)
            base.displacement = (int64_t)(word >> 10 & 0xfff) << (is_vector && wide ? 4 : size);
        else if ((word >> 21 & 1) != 0)
            base.number = (word >> 10 & 3) == 0 ? base.number : NO_BASE; /* atomic */
        else if ((word >> 10 & 3) != 1)
            base.displacement = signed_field(word, 12, 9);
        return base;
    default:
        return (struct base){NO_BASE, 0};
    }
}

static struct base base_of(const struct profile_insn *insn, const struct armpmu_data_access *of)
{
    const uint8_t *const b = insn->bytes;

    if (insn->isa != ARMPMU_A64)
        return (struct base){of->base, of->displacement};
    return base_of_a64(b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24);
}

static bool is_same_type(Dwarf_Die *a, Dwarf_Die *b)
{
    const char *const x = dwarf_diename(a), *const y = dwarf_diename(b);

    return size_of(a) == size_of(b) &&
           (x == NULL || y == NULL ? a->addr == b->addr : strcmp(x, y) == 0);
}

/* An access whose type is known votes for that of its block. */
static void vote(struct typing *t, const struct profile_access *access, struct type *type,
                 int64_t displacement)
{
    const uint32_t number = access->of.allocation - 1;
    const uint64_t size = size_of(&type->die);
    struct type *const block = &t->blocks[number];

    if ((access->of.offset - (uint64_t)displacement) % size != 0 ||
        access->of.offset_step % size != 0 ||
        (block->is_known && !is_same_type(&block->die, &type->die)))
        t->disagree[number] = true;
    *block = *type;
}

static struct type *type_at(struct typing *t, uint32_t insn, unsigned number)
{
    struct pointer *const pointer = &t->pointers[insn];

    if (!pointer->was_asked && number < REGISTERS)
        pointer->to = pointed_to(t, t->profile->insns[insn].address, number);
    pointer->was_asked = true;
    return &pointer->to;
}

static enum armpmu_status name_by_register(struct typing *t, struct armpmu_error *err)
{
    enum armpmu_status status = ARMPMU_OK;

    for (size_t i = 0; i < t->profile->n_accesses && status == ARMPMU_OK; i++) {
        struct profile_access *const access = &t->profile->accesses[i];
        const struct profile_insn *const insn =
            access->insn != PROFILE_NONE ? &t->profile->insns[access->insn] : NULL;
        if (insn == NULL || insn->object != t->object || access->member != PROFILE_NONE)
            continue;
        const struct base base = base_of(insn, &access->of);
        struct type *const type = type_at(t, access->insn, base.number);
        struct member_search search = {.low = (uint64_t)base.displacement,
                                       .high = (uint64_t)base.displacement,
                                       .width = access->of.bytes};
        if (!type->is_known || base.displacement < 0 ||
            (uint64_t)base.displacement >= size_of(&type->die))
            continue;
        if (access->of.allocation != 0)
            vote(t, access, type, base.displacement);
        if (find_member(&search, type->die))
            status = add_member(t, &search, access, err);
    }
    return status;
}

/* ---- of blocks ---- */

/* The variable that gets the result is in the first register, where the call returns to. */
static void find_assigned(struct typing *t)
{
    for (size_t i = 0; i < t->profile->n_allocations; i++) {
        const uint32_t number = t->profile->allocations[i].insn;
        const struct profile_insn *const call =
            number != PROFILE_NONE ? &t->profile->insns[number] : NULL;
        if (call == NULL || call->object != t->object)
            continue;
        const struct type assigned = pointed_to(t, call->address + call->n_bytes, 0);
        if (!assigned.is_known)
            continue;
        t->blocks[i] = assigned;
        t->disagree[i] = false;
    }
}

static enum armpmu_status name_blocks(struct typing *t, struct armpmu_error *err)
{
    enum armpmu_status status = ARMPMU_OK;

    for (size_t i = 0; i < t->profile->n_accesses && status == ARMPMU_OK; i++) {
        struct profile_access *const access = &t->profile->accesses[i];
        const uint32_t number = access->of.allocation - 1;
        if (access->of.allocation == 0 || access->member != PROFILE_NONE ||
            !t->blocks[number].is_known || t->disagree[number])
            continue;
        const struct profile_allocation *const from = &t->profile->allocations[number];
        const uint64_t size = size_of(&t->blocks[number].die), offset = access->of.offset % size;
        struct member_search search = {.low = offset, .high = offset, .width = access->of.bytes};
        if (from->smallest % size != 0 || from->largest % size != 0 ||
            access->of.offset_step % size != 0)
            continue;
        if (find_member(&search, t->blocks[number].die))
            status = add_member(t, &search, access, err);
    }
    return status;
}

enum armpmu_status data_types_name(struct profile *profile, Dwfl_Module *module, uint32_t object,
                                   uint64_t bias, struct armpmu_error *err)
{
    struct typing t = {.profile = profile, .module = module, .object = object, .bias = bias};
    enum armpmu_status status = ARMPMU_OK;

    if (profile->n_accesses == 0 || dwfl_module_getdwarf(module, &(Dwarf_Addr){0}) == NULL)
        return ARMPMU_OK;
    t.blocks = calloc(profile->n_allocations + 1, sizeof *t.blocks);
    t.disagree = calloc(profile->n_allocations + 1, sizeof *t.disagree);
    t.pointers = calloc(profile->n_insns + 1, sizeof *t.pointers);
    if (t.blocks == NULL || t.disagree == NULL || t.pointers == NULL || !load_variables(&t))
        status = fail_no_memory(err, "types of data");
    if (status == ARMPMU_OK)
        status = name_variables(&t, err);
    if (status == ARMPMU_OK)
        status = name_by_register(&t, err);
    if (status == ARMPMU_OK) {
        find_assigned(&t);
        status = name_blocks(&t, err);
    }
    spans_free(&t.spans);
    free(t.variables);
    free(t.blocks);
    free(t.pointers);
    free(t.disagree);
    free(t.listed);
    intern_free(&t.listed_numbers);
    return status;
}
