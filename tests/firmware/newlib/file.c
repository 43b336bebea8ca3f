/* Files: written, read, sought, renamed, removed; and one that is not there. */
#include <stdio.h>
#include <string.h>

int main(void)
{
    char line[64] = "";
    FILE *file = fopen("firmware-file.txt", "w");

    if (file == NULL)
        return 1;
    for (int i = 0; i < 100; i++)
        fprintf(file, "line %d\n", i);
    fclose(file);
    file = fopen("firmware-file.txt", "r");
    fseek(file, -8, SEEK_END);
    printf("%ld %s", ftell(file), fgets(line, sizeof line, file));
    rewind(file);
    unsigned n = 0;
    while (fgets(line, sizeof line, file) != NULL)
        n++;
    fclose(file);
    printf("%u lines, the last: %s", n, line);
    printf("rename %d\n", rename("firmware-file.txt", "firmware-other.txt"));
    printf("gone %d\n", fopen("firmware-file.txt", "r") == NULL);
    printf("remove %d, again %d\n", remove("firmware-other.txt"), remove("firmware-other.txt"));
    return 0;
}
