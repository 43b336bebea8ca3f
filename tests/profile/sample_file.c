/* Writes the sample profile as armpmu.data.
 *
 * usage: sample_file FILE */
#include <stdio.h>
#include <stdlib.h>

#include "profile/profile_file.h"
#include "profile/sample.h"

int main(int argc, char **argv)
{
    struct profile *const profile = sample_profile();
    FILE *const file = argc == 2 ? fopen(argv[1], "wb") : NULL;
    struct armpmu_error err;

    if (file == NULL || profile_file_write(profile, file, &err) != ARMPMU_OK)
        return EXIT_FAILURE;
    profile_free(profile);
    return fclose(file) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
