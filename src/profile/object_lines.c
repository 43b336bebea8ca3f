#include "profile/object_lines.h"

#include <stdlib.h>
#include <string.h>

#include <dwarf.h>

#include "base/array.h"
#include "profile/object_file.h"

#define GNU_DISCRIMINATOR 0x2136 /* of a call; libdw names it since version 0.190 */
#define NESTING_MAX       256u   /* of debug entries; compilers stay below 50 */

/* A walk through the entries of a unit. */
struct walk {
    struct object_lines *lines;
    struct object_unit *unit;
    Dwarf_Files *files;
    size_t n_files;
};

/* ---- units ---- */

static bool add_ranges(struct spans *spans, Dwarf_Die *die, uint32_t value)
{
    ptrdiff_t next = 0;
    Dwarf_Addr base, start, end;

    while ((next = dwarf_ranges(die, next, &base, &start, &end)) > 0)
        if (!spans_add(spans, start, end, value))
            return false;
    return true;
}

static bool add_unit(struct object_lines *lines, const Dwarf_Die *die)
{
    Dwarf_Die copy = *die;

    if (!ARRAY_RESERVE(lines->units, lines->room_units, lines->n_units + 1))
        return false;
    lines->units[lines->n_units] = (struct object_unit){.die = copy};
    return add_ranges(&lines->ranges, &copy, (uint32_t)lines->n_units++);
}

bool object_lines_load(struct object_lines *out, Dwfl_Module *module)
{
    Dwarf_Addr bias;
    Dwarf_Die *die = NULL;

    if (dwfl_module_getdwarf(module, &bias) == NULL)
        return true;
    out->bias = bias;
    while ((die = dwfl_module_nextcu(module, die, &bias)) != NULL)
        if (!add_unit(out, die))
            return false;
    spans_sort(&out->ranges);
    return true;
}

void object_lines_free(struct object_lines *lines)
{
    for (size_t i = 0; i < lines->n_units; i++) {
        spans_free(&lines->units[i].functions);
        spans_free(&lines->units[i].inlined);
    }
    free(lines->units);
    free(lines->calls);
    spans_free(&lines->ranges);
}

/* ---- inlined functions ---- */

static const char *symbol_of(Dwarf_Die *die)
{
    static const unsigned names[] = {DW_AT_linkage_name, DW_AT_MIPS_linkage_name, DW_AT_name};
    Dwarf_Attribute attribute;

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *const name = dwarf_formstring(dwarf_attr_integrate(die, names[i], &attribute));
        if (name != NULL)
            return name;
    }
    return "[inlined]";
}

static uint32_t number_of(Dwarf_Die *die, unsigned name)
{
    Dwarf_Attribute attribute;
    Dwarf_Word value;

    return dwarf_formudata(dwarf_attr_integrate(die, name, &attribute), &value) == 0 &&
                   value < UINT32_MAX
               ? (uint32_t)value
               : 0;
}

static bool add_call(struct walk *walk, Dwarf_Die *die, struct inlined_call *call,
                     struct spans *spans)
{
    struct object_lines *const lines = walk->lines;

    call->symbol = symbol_of(die);
    call->first_line = number_of(die, DW_AT_decl_line);
    if (!ARRAY_APPEND(lines->calls, lines->n_calls, lines->room_calls, *call))
        return false;
    return add_ranges(spans, die, (uint32_t)lines->n_calls - 1);
}

static bool add_inlined(struct walk *walk, Dwarf_Die *die)
{
    const uint32_t file = number_of(die, DW_AT_call_file);
    struct inlined_call call = {
        .call = {NULL, walk->unit->folder, number_of(die, DW_AT_call_line)},
        .call_discriminator = number_of(die, GNU_DISCRIMINATOR),
    };

    if (walk->files != NULL && file < walk->n_files)
        call.call.file = dwarf_filesrc(walk->files, file, NULL, NULL);
    return add_call(walk, die, &call, &walk->unit->inlined);
}

/* Without code: a declaration, or what is inlined everywhere. */
static bool add_function(struct walk *walk, Dwarf_Die *die)
{
    struct inlined_call function = {0};
    Dwarf_Addr entry;

    if (dwarf_entrypc(die, &entry) != 0)
        return true;
    function.entry = entry;
    return add_call(walk, die, &function, &walk->unit->functions);
}

/* Returns whether functions may be in an entry of this kind. */
static bool holds_code(int tag)
{
    switch (tag) {
    case DW_TAG_subprogram:
    case DW_TAG_inlined_subroutine:
    case DW_TAG_lexical_block:
    case DW_TAG_namespace:
    case DW_TAG_module:
    case DW_TAG_class_type:
    case DW_TAG_structure_type:
    case DW_TAG_union_type:
    case DW_TAG_try_block:
    case DW_TAG_catch_block:
        return true;
    default:
        return false;
    }
}

/* Outer calls come before inner ones: of equal spans the inner has the greater number. */
static bool walk_children(struct walk *walk, Dwarf_Die *die, unsigned nesting)
{
    Dwarf_Die child;

    if (nesting > NESTING_MAX || dwarf_child(die, &child) != 0)
        return true;
    do {
        const int tag = dwarf_tag(&child);
        if ((tag == DW_TAG_inlined_subroutine && !add_inlined(walk, &child)) ||
            (tag == DW_TAG_subprogram && !add_function(walk, &child)) ||
            (holds_code(tag) && !walk_children(walk, &child, nesting + 1)))
            return false;
    } while (dwarf_siblingof(&child, &child) == 0);
    return true;
}

/* Notes a skeleton without its file, whose name is another attribute before DWARF 5. */
static void note_missing(struct object_lines *lines, Dwarf_Die *skeleton)
{
    Dwarf_Attribute attribute;
    const char *file = dwarf_formstring(dwarf_attr(skeleton, DW_AT_dwo_name, &attribute));

    if (file == NULL)
        file = dwarf_formstring(dwarf_attr(skeleton, DW_AT_GNU_dwo_name, &attribute));
    if (lines->n_missing++ == 0)
        lines->missing = file != NULL ? file : "a .dwo file";
}

static bool read_unit(struct object_lines *lines, struct object_unit *unit)
{
    struct walk walk = {.lines = lines, .unit = unit};
    Dwarf_Attribute attribute;
    Dwarf_Die whole;

    if (unit->is_read)
        return true;
    unit->is_read = true;
    unit->folder = dwarf_formstring(dwarf_attr(&unit->die, DW_AT_comp_dir, &attribute));
    if (!object_file_unit(&unit->die, &whole))
        note_missing(lines, &whole);
    const char *const producer = dwarf_formstring(dwarf_attr(&whole, DW_AT_producer, &attribute));
    unit->is_clangs = producer != NULL && strstr(producer, "clang") != NULL;
    if (dwarf_getsrcfiles(&whole, &walk.files, &walk.n_files) != 0)
        walk.files = NULL;
    if (!walk_children(&walk, &whole, 0))
        return false;
    spans_sort(&unit->functions);
    spans_sort(&unit->inlined);
    return true;
}

/* ---- an address ---- */

static void find_line(struct object_unit *unit, uint64_t address, struct source_place *out)
{
    Dwarf_Line *const line = dwarf_getsrc_die(&unit->die, address);
    unsigned discriminator;
    int number;

    if (line == NULL || dwarf_lineno(line, &number) != 0 || number <= 0)
        return; /* line 0: code of no line */
    out->line.file = dwarf_linesrc(line, NULL, NULL);
    out->line.folder = unit->folder;
    out->line.line = out->line.file != NULL ? (uint32_t)number : 0;
    out->discriminator = dwarf_linediscriminator(line, &discriminator) == 0 ? discriminator : 0;
}

static void find_inlined(const struct object_lines *lines, const struct object_unit *unit,
                         uint64_t address, struct source_place *out)
{
    const uint32_t innermost = spans_find(&unit->inlined, address);
    unsigned n = 0;

    for (uint32_t i = innermost; i != SPAN_NONE && n < OBJECT_INLINES_MAX;
         i = spans_outer(&unit->inlined, i, address))
        n++;
    out->n_inlined = n;
    for (uint32_t i = innermost; n > 0; i = spans_outer(&unit->inlined, i, address))
        out->inlined[--n] = lines->calls[unit->inlined.at[i].value];
}

bool object_lines_find(struct object_lines *lines, uint64_t address, struct source_place *out)
{
    const uint64_t there = address - lines->bias;
    const uint32_t range = spans_find(&lines->ranges, there);

    out->line = (struct source_line){NULL, NULL, 0};
    out->discriminator = 0;
    out->function = NULL;
    out->n_inlined = 0;
    if (range == SPAN_NONE)
        return true;
    struct object_unit *const unit = &lines->units[lines->ranges.at[range].value];
    if (!read_unit(lines, unit))
        return false;
    const uint32_t function = spans_find(&unit->functions, there);
    out->has_encoded_discriminators = unit->is_clangs;
    if (function != SPAN_NONE)
        out->function = &lines->calls[unit->functions.at[function].value];
    find_line(unit, there, out);
    find_inlined(lines, unit, there, out);
    return true;
}

/* ---- what is missing ---- */

/* Returns whether a file has debug data, as it says. */
static bool has_debug_data(Elf *elf)
{
    GElf_Shdr header;
    Elf_Scn *section = NULL;
    size_t names;

    if (elf == NULL || elf_getshdrstrndx(elf, &names) != 0)
        return false;
    while ((section = elf_nextscn(elf, section)) != NULL) {
        const char *const name =
            gelf_getshdr(section, &header) != NULL ? elf_strptr(elf, names, header.sh_name) : NULL;
        if (name != NULL && strcmp(name, ".debug_info") == 0 && header.sh_type != SHT_NOBITS)
            return true;
    }
    return false;
}

char *object_lines_lack(const struct object_lines *lines, Dwfl_Module *module)
{
    Dwarf_Addr bias;
    char *text = NULL;

    if (lines->n_missing != 0 &&
        asprintf(&text,
                 "split debug data are missing (%zu, first '%s'): inlined functions and types of "
                 "that code are not known; keep the .dwo files where the compiler wrote them, or "
                 "beside the program",
                 lines->n_missing, lines->missing) < 0)
        return NULL;
    if (text != NULL || lines->n_units != 0 || !has_debug_data(dwfl_module_getelf(module, &bias)))
        return text;
    return strdup("its debug data cannot be read: source lines are not known; data compressed with "
                  "zstd need libdw 0.189 or later, or 'objcopy --decompress-debug-sections'");
}
