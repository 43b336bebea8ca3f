#include "qemu/plugin/lock_memory.h"

#include <elf.h>
#include <link.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#ifndef MCL_ONFAULT
#define MCL_ONFAULT 4
#endif

/* The tables of QEMU's own file, as they lie in memory. */
struct tables {
    const ElfW(Rela) * relocations[2]; /* of calls, and of all else */
    size_t n_bytes[2];
    const ElfW(Sym) * symbols;
    const char *names;
};

static int lock_when_touched(int flags)
{
    return mlockall(flags | MCL_ONFAULT);
}

/* Some C libraries leave these addresses as they are in the file. */
static const void *place(const struct dl_phdr_info *object, ElfW(Addr) at)
{
    return (const void *)(at < object->dlpi_addr ? at + object->dlpi_addr : at);
}

static void read_tables(const struct dl_phdr_info *object, const ElfW(Dyn) * entry,
                        struct tables *out)
{
    for (; entry->d_tag != DT_NULL; entry++) {
        if (entry->d_tag == DT_JMPREL)
            out->relocations[0] = place(object, entry->d_un.d_ptr);
        else if (entry->d_tag == DT_PLTRELSZ)
            out->n_bytes[0] = entry->d_un.d_val;
        else if (entry->d_tag == DT_RELA)
            out->relocations[1] = place(object, entry->d_un.d_ptr);
        else if (entry->d_tag == DT_RELASZ)
            out->n_bytes[1] = entry->d_un.d_val;
        else if (entry->d_tag == DT_SYMTAB)
            out->symbols = place(object, entry->d_un.d_ptr);
        else if (entry->d_tag == DT_STRTAB)
            out->names = place(object, entry->d_un.d_ptr);
    }
}

/* Where the address of a function of a library is kept, in QEMU; NULL if it is nowhere. */
static void **find_slot(const struct dl_phdr_info *object, const struct tables *t, const char *name)
{
    for (unsigned i = 0; i < 2 && t->symbols != NULL && t->names != NULL; i++) {
        const ElfW(Rela) *const all = t->relocations[i];
        const size_t n = all != NULL ? t->n_bytes[i] / sizeof *all : 0;
        for (size_t k = 0; k < n; k++) {
            const ElfW(Sym) *const symbol = &t->symbols[ELF64_R_SYM(all[k].r_info)];
            if (ELF64_R_SYM(all[k].r_info) != 0 && symbol->st_shndx == SHN_UNDEF &&
                strcmp(t->names + symbol->st_name, name) == 0)
                return (void **)(object->dlpi_addr + all[k].r_offset);
        }
    }
    return NULL;
}

/* Returns whether the loader has made the place read-only. */
static bool is_made_read_only(const struct dl_phdr_info *object, uintptr_t at)
{
    for (unsigned i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *const segment = &object->dlpi_phdr[i];
        if (segment->p_type == PT_GNU_RELRO &&
            at - object->dlpi_addr - segment->p_vaddr < segment->p_memsz)
            return true;
    }
    return false;
}

static void put(void **slot, bool is_read_only)
{
    int (*const function)(int) = lock_when_touched;
    const uintptr_t page_bytes = (uintptr_t)sysconf(_SC_PAGESIZE);
    void *const page = (void *)((uintptr_t)slot & ~(page_bytes - 1));

    if (mprotect(page, page_bytes, PROT_READ | PROT_WRITE) != 0)
        return;
    memcpy(slot, &function, sizeof function);
    if (is_read_only)
        mprotect(page, page_bytes, PROT_READ);
}

/* The first object is the program, QEMU. */
static int see_object(struct dl_phdr_info *object, size_t size, void *unused)
{
    struct tables tables = {.symbols = NULL};

    (void)size, (void)unused;
    for (unsigned i = 0; i < object->dlpi_phnum; i++)
        if (object->dlpi_phdr[i].p_type == PT_DYNAMIC)
            read_tables(object, (const void *)(object->dlpi_addr + object->dlpi_phdr[i].p_vaddr),
                        &tables);
    void **const slot = find_slot(object, &tables, "mlockall");
    if (slot != NULL)
        put(slot, is_made_read_only(object, (uintptr_t)slot));
    return 1;
}

void lock_memory_when_touched(void)
{
    dl_iterate_phdr(see_object, NULL);
}
