#define _GNU_SOURCE
#include "CLinuxTerminal.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

int tandem_terminal_resize(int master, uint16_t columns, uint16_t rows) {
    struct winsize size = {.ws_row = rows, .ws_col = columns};
    return ioctl(master, TIOCSWINSZ, &size) == 0 ? 0 : errno;
}

// Characters are UTF-8: erasing one in a line takes all of its bytes.
static int set_modes(int master) {
    struct termios modes;
    if (tcgetattr(master, &modes) != 0) return errno;
    modes.c_iflag |= IUTF8;
    return tcsetattr(master, TCSANOW, &modes) == 0 ? 0 : errno;
}

int tandem_terminal_open(uint16_t columns, uint16_t rows, char *path, size_t path_size) {
    int master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK);
    if (master < 0) return -errno;
    int failure = 0;
    if (unlockpt(master) != 0) failure = errno;
    if (failure == 0) failure = ptsname_r(master, path, path_size);
    if (failure == 0) failure = tandem_terminal_resize(master, columns, rows);
    if (failure == 0) failure = set_modes(master);
    if (failure != 0) {
        close(master);
        return -failure;
    }
    return master;
}

// The limit of open files that this program was started with. A server raises its own; programs that still use select(2) break
// above 1024, so a shell gets what its person's other shells have.
static struct rlimit first_limit;

__attribute__((constructor)) static void note_limit(void) {
    if (getrlimit(RLIMIT_NOFILE, &first_limit) != 0) first_limit.rlim_cur = 0;
}

uint64_t tandem_terminal_first_limit(void) { return (uint64_t)first_limit.rlim_cur; }

static void restore_limit(pid_t process) {
    struct rlimit limit;
    if (first_limit.rlim_cur == 0 || getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur == first_limit.rlim_cur) return;
    limit.rlim_cur = first_limit.rlim_cur < limit.rlim_max ? first_limit.rlim_cur : limit.rlim_max;
    // It may be over already, which is its parent's to notice.
    (void)prlimit(process, RLIMIT_NOFILE, &limit, NULL);
}

static int spawn(
    const char *terminal,
    const char *program,
    char *const *arguments,
    char *const *environment,
    const char *folder,
    pid_t *process
) {
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_t actions;
    int failure = posix_spawnattr_init(&attributes);
    if (failure != 0) return failure;
    failure = posix_spawn_file_actions_init(&actions);
    if (failure != 0) {
        posix_spawnattr_destroy(&attributes);
        return failure;
    }
    // A program that ignores or blocks a signal would hand that on to the shell and to everything started from it.
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    failure = posix_spawnattr_setflags(
        &attributes, POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    if (failure == 0) failure = posix_spawnattr_setsigmask(&attributes, &none);
    if (failure == 0) failure = posix_spawnattr_setsigdefault(&attributes, &all);
    // The leader of a session that opens a terminal without O_NOCTTY gets it as the controlling one.
    if (failure == 0) failure = posix_spawn_file_actions_addopen(&actions, 0, terminal, O_RDWR, 0);
    if (failure == 0) failure = posix_spawn_file_actions_adddup2(&actions, 0, 1);
    if (failure == 0) failure = posix_spawn_file_actions_adddup2(&actions, 0, 2);
    if (failure == 0) failure = posix_spawn_file_actions_addchdir_np(&actions, folder);
    if (failure == 0) failure = posix_spawn_file_actions_addclosefrom_np(&actions, 3);
    if (failure == 0) failure = posix_spawn(process, program, &actions, &attributes, arguments, environment);
    if (failure == 0) restore_limit(*process);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    return failure;
}

struct spawning {
    const char *terminal;
    const char *program;
    char *const *arguments;
    char *const *environment;
    const char *folder;
    mode_t mask;
    pid_t *process;
    int failure;
};

static void *spawn_masked(void *context) {
    struct spawning *spawning = context;
    // From here on this thread has a umask of its own, which its children inherit.
    if (unshare(CLONE_FS) != 0) {
        spawning->failure = errno;
        return NULL;
    }
    umask(spawning->mask);
    spawning->failure = spawn(
        spawning->terminal, spawning->program, spawning->arguments, spawning->environment, spawning->folder,
        spawning->process);
    return NULL;
}

int tandem_terminal_spawn(
    const char *terminal,
    const char *program,
    char *const *arguments,
    char *const *environment,
    const char *folder,
    int mask,
    pid_t *process
) {
    if (mask < 0) return spawn(terminal, program, arguments, environment, folder, process);
    struct spawning spawning = {terminal, program, arguments, environment, folder, (mode_t)mask, process, 0};
    pthread_t thread;
    int failure = pthread_create(&thread, NULL, spawn_masked, &spawning);
    if (failure != 0) return failure;
    pthread_join(thread, NULL);
    return spawning.failure;
}

int tandem_process_open(pid_t process) {
    // The descriptor is closed on exec by itself.
    int descriptor = (int)syscall(SYS_pidfd_open, process, 0);
    return descriptor < 0 ? -errno : descriptor;
}

int tandem_process_reap(pid_t process, int *code, int *signal) {
    siginfo_t info = {0};
    *code = -1;
    *signal = -1;
    if (waitid(P_PID, (id_t)process, &info, WEXITED | WNOHANG) != 0) return errno;
    if (info.si_pid == 0) return EAGAIN;
    if (info.si_code == CLD_EXITED) {
        *code = info.si_status;
    } else {
        *signal = info.si_status;
    }
    return 0;
}
