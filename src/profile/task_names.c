#include "profile/task_names.h"

#include <string.h>

#include <dwarf.h>
#include <elfutils/libdw.h>

#include "profile/object_file.h"

#define VARIABLE "pxCurrentTCB"
#define MEMBER   "pcTaskName"

static bool is_named(Dwarf_Die *die, const char *name)
{
    const char *const own = dwarf_diename(die);

    return own != NULL && strcmp(own, name) == 0;
}

/* Finds the variable, and the structure that it points to. */
static bool find_variable(Dwarf_Die *unit, uint64_t *address, Dwarf_Die *record)
{
    Dwarf_Die child;
    Dwarf_Attribute attribute;
    Dwarf_Op *operations;
    size_t n;

    if (dwarf_child(unit, &child) != 0)
        return false;
    do {
        if (dwarf_tag(&child) != DW_TAG_variable || !is_named(&child, VARIABLE) ||
            dwarf_getlocation(dwarf_attr_integrate(&child, DW_AT_location, &attribute), &operations,
                              &n) != 0 ||
            n != 1 || operations[0].atom != DW_OP_addr)
            continue;
        *address = operations[0].number;
        return dwarf_formref_die(dwarf_attr_integrate(&child, DW_AT_type, &attribute), record) !=
                   NULL &&
               dwarf_peel_type(record, record) == 0 && dwarf_tag(record) == DW_TAG_pointer_type &&
               dwarf_formref_die(dwarf_attr(record, DW_AT_type, &attribute), record) != NULL &&
               dwarf_peel_type(record, record) == 0;
    } while (dwarf_siblingof(&child, &child) == 0);
    return false;
}

static bool find_name(Dwarf_Die *record, uint64_t *offset, uint64_t *n_bytes)
{
    Dwarf_Die member, type;
    Dwarf_Attribute attribute;
    Dwarf_Word at, size;

    if (dwarf_child(record, &member) != 0)
        return false;
    do {
        if (dwarf_tag(&member) != DW_TAG_member || !is_named(&member, MEMBER))
            continue;
        if (dwarf_formudata(dwarf_attr(&member, DW_AT_data_member_location, &attribute), &at) !=
                0 ||
            dwarf_formref_die(dwarf_attr(&member, DW_AT_type, &attribute), &type) == NULL ||
            dwarf_aggregate_size(&type, &size) != 0)
            return false;
        *offset = at;
        *n_bytes = size;
        return true;
    } while (dwarf_siblingof(&member, &member) == 0);
    return false;
}

bool task_names_find(const char *path, uint64_t *current, uint64_t *offset, uint64_t *n_bytes)
{
    struct object_file file;
    Dwarf_Die *unit = NULL, record;
    Dwarf_Addr bias;
    bool is_found = false;

    if (object_file_open(&file, path, NULL) && file.module != NULL)
        while (!is_found && (unit = dwfl_module_nextcu(file.module, unit, &bias)) != NULL)
            is_found = find_variable(unit, current, &record) && find_name(&record, offset, n_bytes);
    object_file_close(&file);
    return is_found;
}
