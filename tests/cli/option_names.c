/* Prints the options of every command, a line each: the command ("-" in front of one), the command
 * whose help tells it, the letter or "-", the name, and perf's name or "-", what stands behind the
 * name ("-": nothing, "value" or "optional"), "negated" or "-", and a value that is right, or "-".
 */
#include <stdio.h>

#include "cli/commands.h"

static void print_value(const struct option_row *row)
{
    if (row->kind == OPTION_NUMBER)
        printf(" %llu\n", (unsigned long long)row->least);
    else
        printf(" %s\n", row->words != NULL ? row->words[0] : "-");
}

static void print(const char *command, const struct option_row *rows)
{
    for (struct option_cursor at = options_begin(rows); at.row != NULL; options_next(&at)) {
        const struct option_row *const row = at.row;
        if (!option_is_one(row))
            continue;
        printf("%s %s %c %s %s %s %s", command, options_tells(&at) ? command : at.outer->listed_by,
               row->letter != '\0' ? row->letter : '-', row->name,
               row->other_name != NULL ? row->other_name : "-",
               row->metavar == NULL ? "-"
               : row->optional      ? "optional"
                                    : "value",
               row->negated ? "negated" : "-");
        print_value(row);
    }
}

int main(void)
{
    print("-", front_rows);
    for (size_t i = 0; commands[i] != NULL; i++)
        print(commands[i]->name, commands[i]->options);
    return 0;
}
