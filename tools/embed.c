/* embed: prints files as C arrays, to be built into the binary.
 *
 *     embed NAME FILE [NAME FILE]…
 *
 * prints for each the definition of document_NAME and document_NAME_size. Runs on the building machine. */
#include <stdio.h>

enum { LINE_BYTES = 15 };

static int embed(const char *name, const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file) {
        perror(path);
        return 1;
    }
    printf("extern const char document_%s[];\nextern const size_t document_%s_size;\n", name, name);
    printf("const char document_%s[] = {", name);
    size_t size = 0;
    for (int byte; (byte = getc(file)) != EOF; size++)
        printf("%s'\\x%02x',", size % LINE_BYTES == 0 ? "\n" : "", (unsigned)byte);
    printf("\n0};\nconst size_t document_%s_size = %zu;\n", name, size);
    int failed = ferror(file);
    return fclose(file) != 0 || failed;
}

int main(int argc, char **argv)
{
    if (argc < 3 || argc % 2 == 0) {
        (void)fputs("usage: embed NAME FILE [NAME FILE]...\n", stderr);
        return 2;
    }
    puts("#include <stddef.h>");
    for (int i = 1; i < argc; i += 2) {
        if (embed(argv[i], argv[i + 1]) != 0)
            return 1;
    }
    return fflush(stdout) != 0;
}
