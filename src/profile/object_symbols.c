#include "profile/object_symbols.h"

#include <stdlib.h>
#include <string.h>

#include <dwarf.h>

#include "base/array.h"
#include "base/order.h"

#define REGION_BYTES 4096u /* of code without any symbol or section */

struct code_section {
    Elf_Scn *section;
    GElf_Shdr header;
    const char *name;
};

/* ---- symbol tables ---- */

static bool add_symbol(struct object_symbols *s, struct code_symbol symbol)
{
    return ARRAY_APPEND(s->symbols, s->n_symbols, s->room_symbols, symbol);
}

static bool is_mark(const char *name)
{
    return name[0] == '$' && strchr("adtx", name[1]) != NULL && (name[2] == '\0' || name[2] == '.');
}

uint8_t object_symbol_rank(const GElf_Sym *symbol, const char *name)
{
    static const uint8_t by_binding[] = {[STB_LOCAL] = 1, [STB_GLOBAL] = 3, [STB_WEAK] = 2};
    const unsigned type = GELF_ST_TYPE(symbol->st_info), binding = GELF_ST_BIND(symbol->st_info);
    const bool is_function = type == STT_FUNC || type == STT_GNU_IFUNC;

    if (symbol->st_shndx == SHN_UNDEF || symbol->st_shndx == SHN_ABS || name == NULL ||
        name[0] == '\0' || is_mark(name) || (!is_function && type != STT_NOTYPE))
        return 0;
    return (uint8_t)((binding <= STB_WEAK ? by_binding[binding] : 3) + (is_function ? 4 : 0) +
                     (is_function && symbol->st_size > 0 ? 8 : 0));
}

static bool load_table(struct object_symbols *s, Dwfl_Module *module, bool is_arm)
{
    const int n = dwfl_module_getsymtab(module);

    for (int i = 0; i < n; i++) {
        GElf_Sym symbol;
        GElf_Addr address;
        const char *const name =
            dwfl_module_getsym_info(module, i, &symbol, &address, NULL, NULL, NULL);
        const uint8_t rank = object_symbol_rank(&symbol, name);
        s->has_locals |= rank != 0 && GELF_ST_BIND(symbol.st_info) == STB_LOCAL;
        if (rank == 0)
            continue;
        const uint64_t start = is_arm ? address & ~UINT64_C(1) : address;
        if (spans_find(&s->sections, start) != SPAN_NONE &&
            !add_symbol(s, (struct code_symbol){name, start, start + symbol.st_size, rank}))
            return false;
    }
    return true;
}

/* ---- the PLT: each entry jumps by a word that a relocation with the symbol's name fills ---- */

static uint32_t word_at(const uint8_t *bytes, bool is_big_endian)
{
    return is_big_endian ? (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 |
                               (uint32_t)bytes[2] << 8 | bytes[3]
                         : (uint32_t)bytes[3] << 24 | (uint32_t)bytes[2] << 16 |
                               (uint32_t)bytes[1] << 8 | bytes[0];
}

static bool relocation_at(Elf_Data *data, uint32_t type, size_t i, GElf_Rela *out)
{
    GElf_Rel rel;

    if (type == SHT_RELA)
        return gelf_getrela(data, (int)i, out) != NULL;
    if (gelf_getrel(data, (int)i, &rel) == NULL)
        return false;
    *out = (GElf_Rela){.r_offset = rel.r_offset, .r_info = rel.r_info};
    return true;
}

/* The name of the symbol that a relocation writes to an address, or NULL. The search begins at
 * index *at and leaves the relocation's there: linkers put them in the order of the entries. */
static const char *relocated(Elf *elf, const struct code_section *relocations, uint64_t address,
                             size_t *at)
{
    const GElf_Shdr *const section = &relocations->header;
    Elf_Data *const data = elf_getdata(relocations->section, NULL);
    Elf_Scn *const table = elf_getscn(elf, section->sh_link);
    GElf_Shdr header;
    GElf_Rela entry;
    GElf_Sym symbol;

    if (data == NULL || table == NULL || gelf_getshdr(table, &header) == NULL ||
        section->sh_entsize == 0)
        return NULL;
    const size_t n = data->d_size / section->sh_entsize;
    for (size_t tried = 0; tried < n; tried++, *at = (*at + 1) % n) {
        if (!relocation_at(data, section->sh_type, *at, &entry))
            return NULL;
        if (entry.r_offset != address)
            continue;
        if (gelf_getsym(elf_getdata(table, NULL), (int)GELF_R_SYM(entry.r_info), &symbol) == NULL)
            return NULL;
        return elf_strptr(elf, header.sh_link, symbol.st_name);
    }
    return NULL;
}

/* An entry's instructions, from index i of words: ADD ip, pc, #; ADD ip, ip, #; LDR pc, [ip, #]!.
 * Gives the address of the word that it jumps by, 0 where it is no entry. *end: after it. */
static uint64_t arm_entry(const uint32_t *words, size_t n, size_t i, uint64_t address, size_t *end)
{
    uint32_t ip = (uint32_t)address + 8;

    if ((words[i] & 0xfffff000) != 0xe28fc000)
        return 0;
    for (; i < n; i++) {
        const uint32_t word = words[i], turn = word >> 7 & 30, byte = word & 0xff;
        if ((word & 0xfffff000) == 0xe5bcf000) {
            *end = i + 1;
            return ip + (word & 0xfff);
        }
        if ((word & 0xffffe000) != 0xe28cc000 && (word & 0xfffff000) != 0xe28fc000)
            return 0;
        ip += turn == 0 ? byte : byte >> turn | byte << (32 - turn);
    }
    return 0;
}

/* ADRP x16, #; LDR x17, [x16, #]; ADD x16, x16, #; BR x17. */
static uint64_t a64_entry(const uint32_t *words, size_t n, size_t i, uint64_t address, size_t *end)
{
    if (n - i < 4 || (words[i] & 0x9f00001f) != 0x90000010 ||
        (words[i + 1] & 0xffc003ff) != 0xf9400211)
        return 0;
    const uint64_t pages = (words[i] >> 5 & 0x7ffff) << 2 | (words[i] >> 29 & 3);
    const uint64_t page = (address & ~UINT64_C(0xfff)) + (((pages ^ 1u << 20) - (1u << 20)) << 12);
    *end = i + 4;
    return page + (words[i + 1] >> 10 & 0xfff) * 8;
}

static bool add_plt_name(struct object_symbols *s, const char *symbol, uint64_t start, uint64_t end)
{
    char *name = NULL;

    if (symbol == NULL || symbol[0] == '\0')
        return true;
    if (!ARRAY_RESERVE(s->names, s->room_names, s->n_names + 1) ||
        asprintf(&name, "%s@plt", symbol) < 0)
        return false;
    s->names[s->n_names++] = name;
    return add_symbol(s, (struct code_symbol){name, start, end, UINT8_MAX});
}

/* The first instruction of an entry: that of ARM may have BX pc; NOP before it for callers in
 * Thumb, that of AArch64 BTI. */
static size_t entry_begin(const uint32_t *words, size_t i)
{
    return i > 0 && (words[i - 1] == 0x46c04778 || words[i - 1] == 0xd503245f) ? i - 1 : i;
}

static bool load_entries(struct object_symbols *s, Elf *elf, const struct code_section *plt,
                         const struct code_section *relocations, const uint32_t *words, size_t n)
{
    GElf_Ehdr header;
    size_t end = 0, found = 0;

    if (gelf_getehdr(elf, &header) == NULL)
        return true;
    for (size_t i = 0; i<n; i = end> i ? end : i + 1) {
        const uint64_t address = plt->header.sh_addr + i * 4;
        const uint64_t slot = header.e_machine == EM_ARM ? arm_entry(words, n, i, address, &end)
                                                         : a64_entry(words, n, i, address, &end);
        if (slot == 0)
            continue;
        const uint64_t begin = plt->header.sh_addr + entry_begin(words, i) * 4;
        if (!add_plt_name(s, relocated(elf, relocations, slot, &found), begin,
                          plt->header.sh_addr + end * 4))
            return false;
    }
    return true;
}

static bool load_plt(struct object_symbols *s, Elf *elf, const struct code_section *plt,
                     const struct code_section *relocations)
{
    Elf_Data *const data = elf_rawdata(plt->section, NULL);
    GElf_Ehdr header;

    if (data == NULL || data->d_buf == NULL || gelf_getehdr(elf, &header) == NULL ||
        (header.e_machine != EM_ARM && header.e_machine != EM_AARCH64))
        return true;
    /* BE-8: data is big-endian, instructions are not. */
    const bool is_big_endian =
        header.e_ident[EI_DATA] == ELFDATA2MSB && (header.e_flags & EF_ARM_BE8) == 0;
    const size_t n = data->d_size / 4;
    uint32_t *const words = malloc(n * sizeof *words + 1);
    if (words == NULL)
        return false;
    for (size_t i = 0; i < n; i++)
        words[i] = word_at((const uint8_t *)data->d_buf + 4 * i, is_big_endian);
    const bool done = load_entries(s, elf, plt, relocations, words, n);
    free(words);
    return done;
}

/* ---- sections ---- */

static bool find_section(Elf *elf, const char *name, uint32_t type, struct code_section *out)
{
    size_t names;

    *out = (struct code_section){0};
    if (elf_getshdrstrndx(elf, &names) != 0)
        return false;
    while ((out->section = elf_nextscn(elf, out->section)) != NULL) {
        if (gelf_getshdr(out->section, &out->header) == NULL)
            continue;
        out->name = elf_strptr(elf, names, out->header.sh_name);
        if (out->header.sh_type == type &&
            (name == NULL || (out->name != NULL && strcmp(out->name, name) == 0)))
            return true;
    }
    return false;
}

static bool load_sections(struct object_symbols *s, Elf *elf)
{
    Elf_Scn *section = NULL;
    GElf_Shdr header;

    while ((section = elf_nextscn(elf, section)) != NULL)
        if (gelf_getshdr(section, &header) != NULL && (header.sh_flags & SHF_EXECINSTR) != 0 &&
            !spans_add(&s->sections, header.sh_addr, header.sh_addr + header.sh_size, 0))
            return false;
    spans_sort(&s->sections);
    return true;
}

/* Source: Arm IHI 0038, exception handling table: pairs of words, each begins with a 31-bit offset
 * from itself to a function. */
static bool load_unwind_starts(struct object_symbols *s, Elf *elf)
{
    struct code_section index;
    Elf_Data *data;

    if (!find_section(elf, NULL, SHT_ARM_EXIDX, &index) ||
        (data = elf_rawdata(index.section, NULL)) == NULL || data->d_buf == NULL)
        return true;
    for (size_t i = 0; i + 8 <= data->d_size; i += 8) {
        const uint32_t word = word_at((const uint8_t *)data->d_buf + i,
                                      elf_getident(elf, NULL)[EI_DATA] == ELFDATA2MSB);
        const uint32_t offset = (word & 0x40000000) != 0 ? word | 0x80000000 : word & 0x7fffffff;
        const uint32_t start = (uint32_t)(index.header.sh_addr + i) + offset;
        if (!object_symbols_add_start(s, start & ~1u))
            return false;
    }
    return true;
}

/* How a CIE says that the FDEs of .eh_frame have addresses, DW_EH_PE_*. Source: Linux Standard
 * Base, augmentation string. */
static uint8_t address_encoding(const Dwarf_CIE *cie)
{
    const uint8_t *data = cie->augmentation_data;

    for (const char *letter = cie->augmentation; *letter != '\0'; letter++) {
        if (*letter == 'R' && data < cie->augmentation_data + cie->augmentation_data_size)
            return *data;
        if (*letter == 'L')
            data++;
        else if (*letter == 'P')
            data += 5; /* an encoding and four bytes, where compilers put any */
        else if (*letter != 'z' && *letter != 'S' && *letter != 'B')
            break;
    }
    return DW_EH_PE_omit;
}

/* Where the function of an FDE begins, if it is 32 bits from there as compilers write it. */
static bool fde_start(const struct code_section *frames, Elf *elf, Elf_Data *data,
                      const Dwarf_CFI_Entry *fde, uint64_t *start)
{
    const unsigned char *const ident = (const unsigned char *)elf_getident(elf, NULL);
    Dwarf_CFI_Entry cie;
    Dwarf_Off next;

    if (dwarf_next_cfi(ident, data, true, fde->fde.CIE_pointer, &next, &cie) != 0 ||
        !dwarf_cfi_cie_p(&cie) ||
        address_encoding(&cie.cie) != (DW_EH_PE_pcrel | DW_EH_PE_sdata4) ||
        fde->fde.end - fde->fde.start < 4)
        return false;
    const uint32_t offset = word_at(fde->fde.start, ident[EI_DATA] == ELFDATA2MSB);
    *start = frames->header.sh_addr + (uint64_t)(fde->fde.start - (const uint8_t *)data->d_buf) +
             (uint64_t)(int32_t)offset;
    return true;
}

static bool load_frame_starts(struct object_symbols *s, Elf *elf)
{
    const unsigned char *const ident = (const unsigned char *)elf_getident(elf, NULL);
    struct code_section frames;
    Elf_Data *data;
    Dwarf_CFI_Entry entry;
    uint64_t start;

    if (!find_section(elf, ".eh_frame", SHT_PROGBITS, &frames) ||
        (data = elf_rawdata(frames.section, NULL)) == NULL || data->d_buf == NULL)
        return true;
    for (Dwarf_Off at = 0, next; dwarf_next_cfi(ident, data, true, at, &next, &entry) == 0;
         at = next)
        if (!dwarf_cfi_cie_p(&entry) && fde_start(&frames, elf, data, &entry, &start) &&
            !object_symbols_add_start(s, start))
            return false;
    return true;
}

/* ---- what is known of all ---- */

static int better_first(const void *left, const void *right)
{
    const struct code_symbol *a = left, *b = right;

    const int order = ORDER(a->start, b->start, b->rank, a->rank, strlen(a->name), strlen(b->name));

    return order != 0 ? order : strcmp(a->name, b->name);
}

/* Only the best of the symbols at an address stays. */
static void choose(struct object_symbols *s)
{
    size_t n = 0;

    if (s->n_symbols > 0)
        qsort(s->symbols, s->n_symbols, sizeof *s->symbols, better_first);
    for (size_t i = 0; i < s->n_symbols; i++)
        if (n == 0 || s->symbols[n - 1].start != s->symbols[i].start)
            s->symbols[n++] = s->symbols[i];
    s->n_symbols = n;
}

/* A symbol without a size reaches to the next one, or to the end of its section. */
static uint64_t end_of(const struct object_symbols *s, size_t i)
{
    const struct code_symbol *const symbol = &s->symbols[i];
    const uint32_t section = spans_find(&s->sections, symbol->start);
    const uint64_t most =
        section != SPAN_NONE ? s->sections.at[section].end : symbol->start + REGION_BYTES;

    if (symbol->end > symbol->start)
        return symbol->end < most ? symbol->end : most;
    return i + 1 < s->n_symbols && s->symbols[i + 1].start < most ? s->symbols[i + 1].start : most;
}

/* In a file that names its local functions, too, code after a function's size is the function's:
 * sizes of assembly functions may be too small. */
static bool add_rest(struct object_symbols *s, size_t i)
{
    const struct code_symbol *const symbol = &s->symbols[i];
    const uint32_t section = spans_find(&s->sections, symbol->start);
    uint64_t end = section != SPAN_NONE ? s->sections.at[section].end : symbol->end;

    if (i + 1 < s->n_symbols && s->symbols[i + 1].start < end)
        end = s->symbols[i + 1].start;
    return !s->has_locals || spans_add(&s->labels, symbol->end, end, (uint32_t)i);
}

bool object_symbols_index(struct object_symbols *s)
{
    choose(s);
    spans_sort(&s->sections);
    for (size_t i = 0; i < s->n_symbols; i++) {
        const bool is_sized = s->symbols[i].end > s->symbols[i].start;
        s->symbols[i].end = end_of(s, i);
        if (!spans_add(is_sized ? &s->functions : &s->labels, s->symbols[i].start,
                       s->symbols[i].end, (uint32_t)i) ||
            !add_rest(s, i) || !object_symbols_add_start(s, s->symbols[i].start) ||
            !object_symbols_add_start(s, s->symbols[i].end)) /* what has no symbol lies between */
            return false;
    }
    spans_sort(&s->functions);
    spans_sort(&s->labels);
    return true;
}

static bool load_plts(struct object_symbols *s, Elf *elf)
{
    static const char *const names[] = {".plt", ".plt.sec", ".iplt"};
    struct code_section plt, relocations;

    if (!find_section(elf, ".rel.plt", SHT_REL, &relocations) &&
        !find_section(elf, ".rela.plt", SHT_RELA, &relocations))
        return true;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (find_section(elf, names[i], SHT_PROGBITS, &plt) &&
            !load_plt(s, elf, &plt, &relocations))
            return false;
    return true;
}

bool object_symbols_load(struct object_symbols *out, Dwfl_Module *module)
{
    GElf_Addr bias;
    GElf_Ehdr header;
    Elf *const elf = dwfl_module_getelf(module, &bias);

    if (elf == NULL || gelf_getehdr(elf, &header) == NULL)
        return true;
    return load_sections(out, elf) && load_table(out, module, header.e_machine == EM_ARM) &&
           load_plts(out, elf) && load_unwind_starts(out, elf) && load_frame_starts(out, elf) &&
           object_symbols_index(out);
}

bool object_symbols_add(struct object_symbols *symbols, const struct code_symbol *symbol)
{
    return spans_add(&symbols->sections, symbol->start, symbol->end, 0) &&
           add_symbol(symbols, *symbol);
}

void object_symbols_free(struct object_symbols *symbols)
{
    ARRAY_FREE_EACH(symbols->names, symbols->n_names);
    free(symbols->starts);
    free(symbols->symbols);
    spans_free(&symbols->functions);
    spans_free(&symbols->labels);
    spans_free(&symbols->sections);
}

bool object_symbols_add_start(struct object_symbols *symbols, uint64_t address)
{
    return ARRAY_APPEND(symbols->starts, symbols->n_starts, symbols->room_starts, address);
}

void object_symbols_sort(struct object_symbols *symbols)
{
    if (symbols->n_starts > 0)
        qsort(symbols->starts, symbols->n_starts, sizeof *symbols->starts, order_numbers);
}

/* How many starts are at or below an address. */
static size_t n_starts_to(const struct object_symbols *s, uint64_t address)
{
    size_t low = 0, high = s->n_starts;

    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (s->starts[middle] <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Code without a symbol: from one start to the next, within its section and between symbols. */
static struct code_symbol nameless(const struct object_symbols *s, uint64_t address)
{
    const uint32_t section = spans_find(&s->sections, address);
    const size_t n = n_starts_to(s, address);
    struct code_symbol region = {NULL, address & ~(uint64_t)(REGION_BYTES - 1), 0, 0};

    region.end = region.start + REGION_BYTES;
    if (section != SPAN_NONE) {
        region.start = s->sections.at[section].start;
        region.end = s->sections.at[section].end;
    }
    if (n > 0 && (section == SPAN_NONE ? address - s->starts[n - 1] < REGION_BYTES
                                       : s->starts[n - 1] > region.start))
        region.start = s->starts[n - 1];
    if (n < s->n_starts && s->starts[n] < region.end)
        region.end = s->starts[n];
    return region;
}

struct code_symbol object_symbols_find(const struct object_symbols *symbols, uint64_t address)
{
    uint32_t found = spans_find(&symbols->functions, address);

    if (found != SPAN_NONE)
        return symbols->symbols[symbols->functions.at[found].value];
    found = spans_find(&symbols->labels, address);
    return found != SPAN_NONE ? symbols->symbols[symbols->labels.at[found].value]
                              : nameless(symbols, address);
}
