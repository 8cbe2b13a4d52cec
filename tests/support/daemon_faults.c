#include "tests/support/daemon_faults.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static const char NAME[] = "tests/torture/faults.so";
static struct faults *shared;

/* Beside the daemon, for that is the one build that fits it. */
static bool find_library(char path[DAEMON_PATH_SIZE + sizeof NAME])
{
    const char *given = getenv("FAULTS");
    if (given) {
        (void)snprintf(path, DAEMON_PATH_SIZE, "%s", given);
    } else {
        if (!daemon_process_binary(path))
            return false;
        char *slash = strrchr(path, '/');
        memcpy(slash ? slash + 1 : path, NAME, sizeof NAME);
    }
    return access(path, R_OK) == 0;
}

bool faults_begin(const struct daemon_process *process)
{
    char library[DAEMON_PATH_SIZE + sizeof NAME], path[DAEMON_PATH_SIZE + 32],
        whole[FAULTS_FOLDER_SIZE + 4096];
    (void)snprintf(path, sizeof path, "%s.faults", process->folder);
    if (!find_library(library) || !realpath(library, whole))
        return false;
    int fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (fd < 0)
        return false;
    void *mapped = MAP_FAILED;
    if (ftruncate(fd, sizeof *shared) == 0)
        mapped = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    (void)close(fd);
    if (mapped == MAP_FAILED)
        return false;
    shared = mapped;
    (void)snprintf(shared->folder, sizeof shared->folder, "%s", process->folder);
    return setenv(FAULTS_VARIABLE, path, 1) == 0 && setenv("LD_PRELOAD", whole, 1) == 0;
}

void faults_end(void)
{
    if (!shared)
        return;
    const char *path = getenv(FAULTS_VARIABLE);
    if (path)
        (void)unlink(path);
    (void)unsetenv(FAULTS_VARIABLE);
    (void)unsetenv("LD_PRELOAD");
    (void)munmap(shared, sizeof *shared);
    shared = NULL;
}

void faults_arm(const struct fault *fault)
{
    atomic_store(&shared->first, 0); /* nothing fails while the rest is set */
    atomic_store(&shared->kind, fault->kind);
    atomic_store(&shared->files, fault->files ? fault->files : FAULT_FILES);
    atomic_store(&shared->operations, fault->operations ? fault->operations : FAULT_CALLS);
    atomic_store(&shared->last, fault->last);
    atomic_store(&shared->calls, 0);
    atomic_store(&shared->met, 0);
    atomic_store(&shared->first, fault->first);
}

void faults_heal(void)
{
    atomic_store(&shared->first, 0);
}

uint32_t faults_calls(void)
{
    return atomic_load(&shared->calls);
}

uint32_t faults_met(void)
{
    return atomic_load(&shared->met);
}
