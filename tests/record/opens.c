/* Opens the library that its argument's folder has, calls it and closes it. */
#include <dlfcn.h>
#include <stddef.h>

int main(void)
{
    for (int i = 0; i < 3; i++) {
        void *library = dlopen(LIBRARY, RTLD_NOW);
        if (library == NULL)
            return 2;
        int (*function)(int) = (int (*)(int))dlsym(library, "from_library");
        if (function == NULL || function(100) != 4950)
            return 1;
        dlclose(library);
    }
    return 0;
}
