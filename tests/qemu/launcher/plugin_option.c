/* The value of -plugin: QEMU's option parser gets every argument back as it was. */
#include "qemu/launcher/plugin_option.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void check(int line, const struct plugin_argument *arguments, const char *want)
{
    char *const option = plugin_option(arguments);
    if (option == NULL || strcmp(option, want) != 0)
        fail_msg("line %d: got %s, want %s", line, option, want);
    free(option);
}

static void arguments_are_joined_by_commas(void **state)
{
    (void)state;
    check(__LINE__, (struct plugin_argument[]){{"file", "/a.so"}, {NULL, NULL}}, "file=/a.so");
    check(__LINE__, (struct plugin_argument[]){{"file", "/a.so"}, {"irq", "gic:132"}, {NULL, NULL}},
          "file=/a.so,irq=gic:132");
    check(__LINE__, (struct plugin_argument[]){{NULL, NULL}}, "");
}

static void an_argument_without_a_value_is_left_out(void **state)
{
    (void)state;
    check(__LINE__,
          (struct plugin_argument[]){
              {"file", NULL}, {"a", "1"}, {"irq", NULL}, {"b", ""}, {NULL, NULL}},
          "a=1,b=");
}

static void commas_in_values_are_doubled(void **state)
{
    (void)state;
    check(__LINE__,
          (struct plugin_argument[]){{"file", "/a,b/,c.so"}, {"machine", ",,"}, {NULL, NULL}},
          "file=/a,,b/,,c.so,machine=,,,,");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arguments_are_joined_by_commas),
        cmocka_unit_test(an_argument_without_a_value_is_left_out),
        cmocka_unit_test(commas_in_values_are_doubled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
