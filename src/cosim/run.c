#include "cosim/run.h"

#include <stdlib.h>

void run_result_free(struct run_result *result)
{
    free(result->threads);
    free(result->beside);
    result->beside = NULL;
    result->threads = NULL;
    result->n_threads = 0;
    for (size_t i = 0; i < result->n_files; i++)
        free(result->files[i].path);
    free(result->files);
    result->files = NULL;
    result->n_files = 0;
}
