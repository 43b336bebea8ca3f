/* The value of -plugin: QEMU's option parser gets every argument back as it was. */
#include "qemu/launcher/plugin_option.h"

#include <stdlib.h>
#include <string.h>

#include "../../test.h"

static void check(int line, const struct plugin_argument *arguments, const char *want)
{
    char *const option = plugin_option(arguments);
    if (option == NULL || strcmp(option, want) != 0)
        fail_msg("line %d: got %s, want %s", line, option, want);
    free(option);
}

TEST(arguments_are_joined_by_commas)
{
    check(__LINE__, (struct plugin_argument[]){{"file", "/a.so"}, {NULL, NULL}}, "file=/a.so");
    check(__LINE__, (struct plugin_argument[]){{"file", "/a.so"}, {"irq", "gic:132"}, {NULL, NULL}},
          "file=/a.so,irq=gic:132");
    check(__LINE__, (struct plugin_argument[]){{NULL, NULL}}, "");
}

TEST(an_argument_without_a_value_is_left_out)
{
    check(__LINE__,
          (struct plugin_argument[]){
              {"file", NULL}, {"a", "1"}, {"irq", NULL}, {"b", ""}, {NULL, NULL}},
          "a=1,b=");
}

TEST(commas_in_values_are_doubled)
{
    check(__LINE__,
          (struct plugin_argument[]){{"file", "/a,b/,c.so"}, {"machine", ",,"}, {NULL, NULL}},
          "file=/a,,b/,,c.so,machine=,,,,");
}
