#include "profile/symbol_search.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "profile/demangle.h"
#include "profile/object_file.h"
#include "profile/object_symbols.h"

/* The compiler gives each copy of a mark a number. */
static bool is_mark_number(const char *known, size_t length)
{
    return strncmp(known, SYMBOL_MARK, strlen(SYMBOL_MARK)) == 0 && known[length] == '.' &&
           known[length + 1 + strspn(known + length + 1, "0123456789")] == '\0';
}

static bool is_called(const char *known, const char *wanted)
{
    const size_t length = strlen(wanted);
    return strncmp(known, wanted, length) == 0 &&
           (known[length] == '\0' || known[length] == '(' || is_mark_number(known, length));
}

static bool take(const struct symbol_lookup *search, const char *symbol, uint64_t address)
{
    struct symbol_matches *const matches = search->matches;
    char *const written = demangle(symbol);
    const bool is_it =
        is_called(symbol, search->name) || (written != NULL && is_called(written, search->name));

    if (!is_it && search->offer != NULL)
        search->offer(search->user, written != NULL ? written : symbol, address);
    free(written);
    if (!is_it)
        return true;
    for (size_t i = 0; i < matches->n; i++)
        if (matches->addresses[i] == address)
            return true;
    return ARRAY_APPEND(matches->addresses, matches->n, matches->room, address);
}

static bool take_all(const struct symbol_lookup *search, Dwfl_Module *module)
{
    GElf_Addr bias;
    GElf_Ehdr header;
    Elf *const elf = dwfl_module_getelf(module, &bias);
    const int n =
        elf != NULL && gelf_getehdr(elf, &header) != NULL ? dwfl_module_getsymtab(module) : 0;
    for (int i = 0; i < n; i++) {
        GElf_Sym symbol;
        GElf_Addr address;
        const char *const name =
            dwfl_module_getsym_info(module, i, &symbol, &address, NULL, NULL, NULL);
        const uint64_t start = header.e_machine == EM_ARM ? address & ~UINT64_C(1) : address;
        if (object_symbol_rank(&symbol, name) != 0 && !take(search, name, start))
            return false;
    }
    return true;
}

bool symbol_search(const char *path, const char *sysroot, const struct symbol_lookup *search)
{
    struct object_file file;
    const bool done = object_file_open(&file, path, sysroot) &&
                      (file.module == NULL || take_all(search, file.module));

    object_file_close(&file);
    return done;
}
