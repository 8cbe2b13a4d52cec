/* confine: runs a program under what systemd/arbiterd.service allows, without a service manager.
 *
 *     CONFINED=PROGRAM CONFINED_UNIT=FILE CONFINED_GROUPS=FILE CONFINED_FOLDER=FOLDER confine ARGUMENT...
 *
 * CONFINED_GROUPS is what `systemd-analyze syscall-filter` prints. Of the unit it applies SystemCallFilter,
 * RestrictAddressFamilies, MemoryDenyWriteExecute, RestrictNamespaces, RestrictSUIDSGID, LockPersonality, LimitNOFILE, UMask,
 * NoNewPrivileges; MemoryMax as a limit of what the process may write to, which is stricter; as root also DynamicUser (as
 * `nobody`) and the capabilities; and where mounts can be made ProtectSystem (all is read-only but the folder), ProcSubset and
 * ProtectProc. What the unit answers with an error kills the program here (SIGSYS), so that nothing goes unnoticed. Anything
 * that cannot be applied ends it with code 125.
 *
 * What is not tried: IPAddressDeny, PrivateDevices and other things that only the service manager can do. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/mount.h>
#include <sched.h>
#include <seccomp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
    CANNOT = 125,
    NOBODY = 65534,
    CALLS_MAX = 1024,
    NAME_SIZE = 64,
    TEXT_SIZE = 1 << 18,
    SET_ID = S_ISUID | S_ISGID,
    NAMESPACES = CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID |
                 CLONE_NEWNET,
};

static _Noreturn void give_up(const char *what)
{
    (void)fprintf(stderr, "confine: %s: %s\n", what, strerror(errno));
    exit(CANNOT);
}

static void must(bool holds, const char *what)
{
    if (!holds)
        give_up(what);
}

static const char *variable(const char *name)
{
    const char *value = getenv(name);
    must(value != NULL, name);
    return value;
}

/* ---- the unit ----------------------------------------------------------------------------------------------------- */

static char unit[TEXT_SIZE], groups[TEXT_SIZE];

/* Begins with a line end, so that every line has one before it. */
static void read_text(const char *path, char text[TEXT_SIZE])
{
    FILE *file = fopen(path, "re");
    must(file != NULL, path);
    text[0] = '\n';
    text[1 + fread(text + 1, 1, TEXT_SIZE - 2, file)] = '\0';
    (void)fclose(file);
}

/* The value of the setting behind `after` (NULL: the first one); NULL: there is none. */
static const char *next_value(const char *name, const char *after)
{
    char line[NAME_SIZE];
    (void)snprintf(line, sizeof line, "\n%s=", name);
    const char *found = strstr(after ? after : unit, line);
    return found ? found + strlen(line) : NULL;
}

static const char *value_of(const char *name)
{
    const char *value = next_value(name, NULL);
    errno = ENOENT;
    must(value != NULL, name);
    return value;
}

static bool is_on(const char *name)
{
    const char *value = next_value(name, NULL);
    return value && strncmp(value, "yes\n", 4) == 0;
}

/* "1G", "65536" */
static rlim_t size_of(const char *name)
{
    char *end = NULL;
    rlim_t size = strtoul(value_of(name), &end, 10);
    return *end == 'G' ? size << 30 : *end == 'M' ? size << 20 : size;
}

/* The words of a line, one after the other. */
static bool next_word(const char **at, char word[NAME_SIZE])
{
    *at += strspn(*at, " ");
    size_t length = strcspn(*at, " \n");
    must(length < NAME_SIZE, "a word of the unit");
    memcpy(word, *at, length);
    word[length] = '\0';
    *at += length;
    return length > 0;
}

/* ---- system calls ------------------------------------------------------------------------------------------------- */

static struct {
    char name[NAME_SIZE];
    bool allowed;
} calls[CALLS_MAX];

static size_t call_count;

static void set_call(const char *name, bool allowed)
{
    size_t i = 0;
    while (i < call_count && strcmp(calls[i].name, name) != 0)
        i++;
    must(i < CALLS_MAX, "too many system calls");
    call_count += i == call_count;
    (void)snprintf(calls[i].name, NAME_SIZE, "%s", name);
    calls[i].allowed = allowed;
}

/* A call, or a group of calls and groups. */
static void set_calls(const char *name, bool allowed)
{
    char title[NAME_SIZE + 2], word[NAME_SIZE];
    if (*name != '@') {
        set_call(name, allowed);
        return;
    }
    (void)snprintf(title, sizeof title, "\n%s\n", name);
    const char *at = strstr(groups, title);
    errno = ENOENT;
    must(at != NULL, name);
    for (at += strlen(title); *at == ' '; at += *at == '\n') {
        const char *end = strchr(at, '\n');
        if (next_word(&at, word) && *word != '#')
            set_calls(word, allowed);
        at = end ? end : "";
    }
}

static void read_filter(void)
{
    set_calls("@default", true); /* without being named */
    for (const char *value = next_value("SystemCallFilter", NULL); value;
         value = next_value("SystemCallFilter", value)) {
        char word[NAME_SIZE];
        bool allowed = *value != '~';
        const char *at = value + !allowed;
        while (next_word(&at, word))
            set_calls(word, allowed);
    }
}

static void allow(scmp_filter_ctx filter, const char *name)
{
    int number = seccomp_syscall_resolve_name(name);
    if (number >= 0) /* else another machine's */
        must(seccomp_rule_add(filter, SCMP_ACT_ALLOW, number, 0) == 0, name);
}

/* Where these bits of the argument have that value. */
static void allow_masked(scmp_filter_ctx filter, const char *name, unsigned argument, scmp_datum_t mask,
                         scmp_datum_t value)
{
    int number = seccomp_syscall_resolve_name(name);
    if (number >= 0)
        must(seccomp_rule_add(filter, SCMP_ACT_ALLOW, number, 1,
                              SCMP_CMP(argument, SCMP_CMP_MASKED_EQ, mask, value)) == 0,
             name);
}

static void allow_families(scmp_filter_ctx filter, const char *name)
{
    static const struct {
        const char *name;
        int family;
    } FAMILIES[] = {{"AF_INET", AF_INET}, {"AF_INET6", AF_INET6}, {"AF_UNIX", AF_UNIX}};
    char word[NAME_SIZE];
    for (const char *at = value_of("RestrictAddressFamilies"); next_word(&at, word);) {
        size_t i = 0;
        while (i < sizeof FAMILIES / sizeof *FAMILIES && strcmp(FAMILIES[i].name, word) != 0)
            i++;
        must(i < sizeof FAMILIES / sizeof *FAMILIES, word);
        allow_masked(filter, name, 0, UINT32_MAX, (scmp_datum_t)FAMILIES[i].family);
    }
}

/* Never both, and never executable later. */
static void allow_mapping(scmp_filter_ctx filter, const char *name)
{
    static const scmp_datum_t ALLOWED[] = {0, PROT_WRITE, PROT_EXEC};
    for (size_t i = 0; i < sizeof ALLOWED / sizeof *ALLOWED; i++)
        allow_masked(filter, name, 2, PROT_WRITE | PROT_EXEC, ALLOWED[i]);
}

static void allow_protecting(scmp_filter_ctx filter, const char *name)
{
    allow_masked(filter, name, 2, PROT_EXEC, 0);
}

static void allow_without_namespaces(scmp_filter_ctx filter, const char *name)
{
    allow_masked(filter, name, 0, NAMESPACES, 0);
}

static void allow_mode_1(scmp_filter_ctx filter, const char *name)
{
    allow_masked(filter, name, 1, SET_ID, 0);
}

static void allow_mode_2(scmp_filter_ctx filter, const char *name)
{
    allow_masked(filter, name, 2, SET_ID, 0);
}

/* Its flags lie in memory, where no filter sees them: the C library goes on with clone. */
static void refuse(scmp_filter_ctx filter, const char *name)
{
    must(seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), seccomp_syscall_resolve_name(name), 0) == 0, name);
}

static void forbid(scmp_filter_ctx filter, const char *name)
{
    (void)filter;
    (void)name;
}

/* Calls that other settings than SystemCallFilter narrow. */
static const struct {
    const char *name, *setting;
    void (*allow)(scmp_filter_ctx filter, const char *name);
} NARROWED[] = {
    {"socket", "RestrictAddressFamilies", allow_families},
    {"mmap", "MemoryDenyWriteExecute", allow_mapping},
    {"mprotect", "MemoryDenyWriteExecute", allow_protecting},
    {"pkey_mprotect", "MemoryDenyWriteExecute", allow_protecting},
    {"clone", "RestrictNamespaces", allow_without_namespaces},
    {"clone3", "RestrictNamespaces", refuse},
    {"unshare", "RestrictNamespaces", forbid},
    {"setns", "RestrictNamespaces", forbid},
    {"chmod", "RestrictSUIDSGID", allow_mode_1},
    {"fchmod", "RestrictSUIDSGID", allow_mode_1},
    {"fchmodat", "RestrictSUIDSGID", allow_mode_2},
    {"personality", "LockPersonality", forbid},
};

static void allow_call(scmp_filter_ctx filter, const char *name)
{
    for (size_t i = 0; i < sizeof NARROWED / sizeof *NARROWED; i++)
        if (strcmp(NARROWED[i].name, name) == 0) {
            (void)value_of(NARROWED[i].setting);
            NARROWED[i].allow(filter, name);
            return;
        }
    allow(filter, name);
}

static void apply_filter(void)
{
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_KILL_PROCESS);
    must(filter != NULL, "seccomp_init");
    read_filter();
    for (size_t i = 0; i < call_count; i++)
        if (calls[i].allowed)
            allow_call(filter, calls[i].name);
    must(seccomp_load(filter) == 0, "seccomp_load");
    seccomp_release(filter);
}

/* ---- limits, files, the user -------------------------------------------------------------------------------------- */

static void apply_limits(void)
{
    struct rlimit files = {size_of("LimitNOFILE"), size_of("LimitNOFILE")}, given;
    must(getrlimit(RLIMIT_NOFILE, &given) == 0, "the limit of files");
    if (files.rlim_max > given.rlim_max) /* a container's, which nobody in it may raise */
        files = (struct rlimit){given.rlim_max, given.rlim_max};
    const struct rlimit memory = {size_of("MemoryMax"), size_of("MemoryMax")};
    must(setrlimit(RLIMIT_NOFILE, &files) == 0, "LimitNOFILE");
    must(setrlimit(RLIMIT_DATA, &memory) == 0, "MemoryMax");
    (void)umask((mode_t)strtoul(value_of("UMask"), NULL, 8));
}

static void make_read_only(const char *path, bool read_only, unsigned flags)
{
    struct mount_attr attributes = {0};
    if (read_only)
        attributes.attr_set = MOUNT_ATTR_RDONLY;
    else
        attributes.attr_clr = MOUNT_ATTR_RDONLY;
    must(syscall(SYS_mount_setattr, AT_FDCWD, path, flags, &attributes, sizeof attributes) == 0, path);
}

/* In a container not even root may do everything. */
static bool is_tried(bool done, const char *setting)
{
    if (!done)
        (void)fprintf(stderr, "confine: %s is not tried: %s\n", setting, strerror(errno));
    return done;
}

static void protect_files(const char *folder)
{
    must(strncmp(value_of("ProtectSystem"), "strict\n", 7) == 0, "ProtectSystem");
    if (!is_tried(unshare(CLONE_NEWNS) == 0, "ProtectSystem"))
        return;
    must(mount(NULL, "/", NULL, MS_PRIVATE | MS_REC, NULL) == 0, "private mounts");
    (void)is_tried(
        mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, "subset=pid,hidepid=invisible") == 0,
        "ProcSubset");
    must(mount(folder, folder, NULL, MS_BIND, NULL) == 0, folder);
    make_read_only("/", true, AT_RECURSIVE);
    make_read_only(folder, false, 0);
}

/* Flat, as daemon_process has it. */
static void give_folder(const char *path)
{
    DIR *folder = opendir(path);
    must(folder != NULL && fchown(dirfd(folder), NOBODY, NOBODY) == 0, path);
    for (const struct dirent *entry = readdir(folder); entry; entry = readdir(folder))
        if (entry->d_name[0] != '.')
            (void)fchownat(dirfd(folder), entry->d_name, NOBODY, NOBODY, AT_SYMLINK_NOFOLLOW);
    (void)closedir(folder);
}

static void become_nobody(void)
{
    must(is_on("DynamicUser"), "DynamicUser");
    must(*value_of("CapabilityBoundingSet") == '\n', "CapabilityBoundingSet");
    for (int capability = 0; prctl(PR_CAPBSET_READ, capability, 0, 0, 0) >= 0; capability++)
        must(prctl(PR_CAPBSET_DROP, capability, 0, 0, 0) == 0, "the bounding set");
    must(setgroups(0, NULL) == 0 && setresgid(NOBODY, NOBODY, NOBODY) == 0 &&
             setresuid(NOBODY, NOBODY, NOBODY) == 0,
         "the user");
    must(prctl(PR_SET_PDEATHSIG, SIGKILL) == 0,
         "the end of whoever started this"); /* forgotten with the user */
}

int main(int count, char **arguments)
{
    const char *program = variable("CONFINED"), *folder = variable("CONFINED_FOLDER");
    (void)count;
    read_text(variable("CONFINED_UNIT"), unit);
    read_text(variable("CONFINED_GROUPS"), groups);
    /* The user that it becomes may not find its way there. */
    int fd = open(program, O_PATH | O_CLOEXEC);
    must(fd >= 0, program);
    apply_limits();
    if (geteuid() == 0) {
        give_folder(folder);
        protect_files(folder);
        become_nobody();
    }
    must(is_on("NoNewPrivileges") && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0, "NoNewPrivileges");
    apply_filter();
    (void)syscall(SYS_execveat, fd, "", arguments, environ, AT_EMPTY_PATH);
    give_up(program);
}
