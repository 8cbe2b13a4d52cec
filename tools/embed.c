/* embed: prints files as one table of C, to be built into the binary.
 *
 *     embed FILE…
 *
 * prints the definition of `documents` (api/documents.h): a row a file, named as it is without its folders. Where
 * FILE.gz is there too, it is the same text compressed. Runs on the building machine. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { LINE_BYTES = 15, PATH_SIZE = 4096 };

struct embedded {
    size_t size;
    uint64_t hash; /* FNV-1a */
};

static int print_bytes(const char *array, int number, FILE *file, struct embedded *embedded)
{
    *embedded = (struct embedded){0, UINT64_C(0xcbf29ce484222325)};
    printf("static const char %s_%d[] = {", array, number);
    for (int byte; (byte = getc(file)) != EOF; embedded->size++) {
        embedded->hash = (embedded->hash ^ (uint64_t)byte) * UINT64_C(0x100000001b3);
        printf("%s'\\x%02x',", embedded->size % LINE_BYTES == 0 ? "\n" : "", (unsigned)byte);
    }
    puts("\n0};");
    int failed = ferror(file);
    return fclose(file) != 0 || failed;
}

static int print_file(const char *path, int number, struct embedded *plain, struct embedded *compressed)
{
    char name[PATH_SIZE];
    if (snprintf(name, sizeof name, "%s.gz", path) >= (int)sizeof name)
        return 1;
    FILE *file = fopen(path, "rb");
    if (!file) {
        perror(path);
        return 1;
    }
    if (print_bytes("bytes", number, file, plain) != 0)
        return 1;
    FILE *gzip = fopen(name, "rb");
    *compressed = (struct embedded){0};
    return gzip ? print_bytes("gzip", number, gzip, compressed) : 0;
}

static void print_row(const char *path, int number, const struct embedded files[2])
{
    const char *slash = strrchr(path, '/');
    printf("{\"%s\", \"%016llx\", bytes_%d, %zu, ", slash ? slash + 1 : path,
           (unsigned long long)files[0].hash, number, files[0].size);
    if (files[1].size)
        printf("gzip_%d, %zu},\n", number, files[1].size);
    else
        puts("NULL, 0},");
}

enum { FILES_MAX = 64 };

int main(int argc, char **argv)
{
    struct embedded files[FILES_MAX][2];
    if (argc < 2 || argc > FILES_MAX) {
        (void)fputs("usage: embed FILE...\n", stderr);
        return 2;
    }
    puts("#include \"api/documents.h\"");
    for (int i = 1; i < argc; i++) {
        if (print_file(argv[i], i, &files[i][0], &files[i][1]) != 0)
            return 1;
    }
    puts("const struct document documents[] = {");
    for (int i = 1; i < argc; i++)
        print_row(argv[i], i, files[i]);
    printf("};\nconst size_t document_count = %d;\n", argc - 1);
    return fflush(stdout) != 0;
}
