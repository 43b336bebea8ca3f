#include <stdio.h>

#include "armpmu/catalog.h"

int main(void)
{
    printf("armpmu %s\n", armpmu_version);
    return 0;
}
