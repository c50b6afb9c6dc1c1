#define _GNU_SOURCE
#include "CConfinement.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

// Landlock by its numbers: the headers of a distribution may be older than its kernel. Source: linux/landlock.h.
#define LANDLOCK_CREATE 444
#define LANDLOCK_ADD_RULE 445
#define LANDLOCK_RESTRICT 446
#define LANDLOCK_VERSION_FLAG 1u
#define LANDLOCK_RULE_PATH 1
#define ACCESS_READING (1ull << 0 | 1ull << 2 | 1ull << 3)  // EXECUTE, READ_FILE, READ_DIR
#define NETWORK_TCP (1ull << 0 | 1ull << 1)                  // BIND_TCP, CONNECT_TCP
#define SCOPE_ALL (1ull << 0 | 1ull << 1)                    // ABSTRACT_UNIX_SOCKET, SIGNAL

struct ruleset {
    uint64_t files;
    uint64_t network;
    uint64_t scopes;
};

struct path_rule {
    uint64_t allowed;
    int32_t parent;
} __attribute__((packed));

// All rights over files that a version of Landlock knows.
static uint64_t file_rights(long version) {
    int count = version >= 5 ? 16 : version >= 3 ? 15 : version >= 2 ? 14 : 13;
    return (1ull << count) - 1;
}

static int restrict_files(void) {
    long version = syscall(LANDLOCK_CREATE, NULL, 0, LANDLOCK_VERSION_FLAG);
    if (version < 1) return 0;
    struct ruleset ruleset = {
        .files = file_rights(version),
        .network = version >= 4 ? NETWORK_TCP : 0,
        .scopes = version >= 6 ? SCOPE_ALL : 0,
    };
    // An older kernel refuses a structure with members that it does not know.
    size_t size = version >= 6 ? sizeof ruleset : version >= 4 ? 2 * sizeof(uint64_t) : sizeof(uint64_t);
    int rules = (int)syscall(LANDLOCK_CREATE, &ruleset, size, 0);
    if (rules < 0) return 0;
    int holds = 0;
    struct path_rule reading = {.allowed = ACCESS_READING, .parent = open("/", O_PATH | O_CLOEXEC)};
    if (reading.parent >= 0) {
        holds = syscall(LANDLOCK_ADD_RULE, rules, LANDLOCK_RULE_PATH, &reading, 0) == 0
                && syscall(LANDLOCK_RESTRICT, rules, 0) == 0;
        close(reading.parent);
    }
    close(rules);
    return holds;
}

int tandem_confine_early(void) {
    (void)close_range(3, ~0u, 0);
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return 0;
    return restrict_files() ? TANDEM_CONFINED_LANDLOCK : 0;
}

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

#ifdef ARCHITECTURE

#define LOAD(offset) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (offset))
#define RETURN(value) BPF_STMT(BPF_RET | BPF_K, (value))
#define REFUSE RETURN(SECCOMP_RET_ERRNO | EPERM)
#define NUMBER offsetof(struct seccomp_data, nr)
// The lower half of an argument: both architectures are little-endian.
#define ARGUMENT(index) (offsetof(struct seccomp_data, args) + (index) * sizeof(uint64_t))
#define UPPER(index) (ARGUMENT(index) + sizeof(uint32_t))
#define ALLOW(name) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_##name, 0, 1), RETURN(SECCOMP_RET_ALLOW)
// Runs the next `count` statements for one system call only; these end in a RETURN.
#define WHERE(name, count) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_##name, 0, (count))
// Allows it where the argument has none of the bits.
#define ALLOW_WITHOUT(name, argument, bits) \
    WHERE(name, 4), LOAD(ARGUMENT(argument)), BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, (bits), 0, 1), REFUSE, \
        RETURN(SECCOMP_RET_ALLOW)
// Allows it where the argument is the value.
#define ALLOW_FOR(name, argument, value) \
    WHERE(name, 4), LOAD(ARGUMENT(argument)), BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (value), 1, 0), REFUSE, \
        RETURN(SECCOMP_RET_ALLOW)

static int filter_system_calls(void) {
    uint32_t own = (uint32_t)getpid();
    struct sock_filter statements[] = {
        LOAD(offsetof(struct seccomp_data, arch)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0),
        RETURN(SECCOMP_RET_KILL_PROCESS),
        LOAD(NUMBER),
        // The streams: no other descriptor is open.
        ALLOW(read), ALLOW(write), ALLOW(readv), ALLOW(writev), ALLOW(close), ALLOW(fstat), ALLOW(lseek),
        // Memory, none of which may become code.
        ALLOW(munmap), ALLOW(brk), ALLOW(mremap), ALLOW(madvise),
        ALLOW_WITHOUT(mmap, 2, PROT_EXEC),
        ALLOW_WITHOUT(mprotect, 2, PROT_EXEC),
        // Threads, and no process. glibc falls back to clone, whose flags can be looked at.
        ALLOW(futex), ALLOW(set_robust_list), ALLOW(rseq), ALLOW(sched_yield), ALLOW(sched_getaffinity),
        ALLOW(gettid), ALLOW(getpid), ALLOW(exit), ALLOW(exit_group), ALLOW(restart_syscall), ALLOW(membarrier),
        WHERE(clone3, 1), RETURN(SECCOMP_RET_ERRNO | ENOSYS),
        WHERE(clone, 4), LOAD(ARGUMENT(0)), BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, CLONE_THREAD, 1, 0), REFUSE,
        RETURN(SECCOMP_RET_ALLOW),
        ALLOW_FOR(prctl, 0, PR_SET_NAME),
        // An abort of its own.
        ALLOW_FOR(tgkill, 0, own),
        ALLOW(rt_sigaction), ALLOW(rt_sigprocmask), ALLOW(rt_sigreturn), ALLOW(sigaltstack),
        // Time and chance.
        ALLOW(clock_gettime), ALLOW(clock_getres), ALLOW(clock_nanosleep), ALLOW(nanosleep), ALLOW(gettimeofday),
        ALLOW(setitimer), ALLOW(getrandom), ALLOW(getrusage), ALLOW(sysinfo), ALLOW(getcpu),
        // Its own limits may be read: the new ones are at address 0.
        WHERE(prlimit64, 6), LOAD(ARGUMENT(2)), BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 2), LOAD(UPPER(2)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 1, 0), REFUSE, RETURN(SECCOMP_RET_ALLOW),
        REFUSE,
    };
    struct sock_fprog program = {.len = sizeof statements / sizeof *statements, .filter = statements};
    return syscall(__NR_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program) == 0;
}

#else

static int filter_system_calls(void) { return 0; }

#endif

static int limit(int resource, rlim_t most) {
    struct rlimit value = {most, most};
    return setrlimit(resource, &value) == 0;
}

// Bytes of address space in use; more than any program begins with where the system does not say it.
static uint64_t address_space(void) {
    FILE *file = fopen("/proc/self/statm", "re");
    unsigned long pages = 0;
    if (file != NULL) {
        if (fscanf(file, "%lu", &pages) != 1) pages = 0;
        fclose(file);
    }
    return pages > 0 ? (uint64_t)pages * (uint64_t)sysconf(_SC_PAGESIZE) : 1ull << 30;
}

int tandem_confine_fully(uint64_t memory) {
    int holds = limit(RLIMIT_AS, address_space() + memory);
    holds &= limit(RLIMIT_CORE, 0);
    holds &= limit(RLIMIT_FSIZE, 0);
    holds &= limit(RLIMIT_NOFILE, 0);
    holds &= prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) == 0;
    return (holds ? TANDEM_CONFINED_LIMITS : 0) | (filter_system_calls() ? TANDEM_CONFINED_SYSTEM_CALLS : 0);
}

void tandem_confine_time(uint32_t seconds) {
    struct itimerval value = {.it_value = {.tv_sec = seconds}};
    (void)setitimer(ITIMER_PROF, &value, NULL);
}
