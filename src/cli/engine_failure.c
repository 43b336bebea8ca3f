#include "cli/commands.h"

#include <sys/wait.h>

int shell_status(int wait_status)
{
    return WIFSIGNALED(wait_status) ? EXIT_SIGNAL + WTERMSIG(wait_status)
                                    : WEXITSTATUS(wait_status);
}

int engine_failure(enum armpmu_status status)
{
    switch (status) {
    case ARMPMU_NOT_FOUND:
        return EXIT_NOT_FOUND;
    case ARMPMU_NOT_ALLOWED:
    case ARMPMU_BAD_INPUT:
        return EXIT_NOT_EXECUTABLE;
    case ARMPMU_OK:
    case ARMPMU_BAD_CONFIG:
    case ARMPMU_NO_MEMORY:
    case ARMPMU_IO:
        break;
    }
    return EXIT_ARMPMU;
}
