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

struct spawning {
    // The terminal to open as all three streams; NULL: they are `streams`.
    const char *terminal;
    int streams[3];
    const char *program;
    char *const *arguments;
    char *const *environment;
    const char *folder;
    mode_t mask;
    pid_t *process;
    int failure;
};

static int add_streams(posix_spawn_file_actions_t *actions, const struct spawning *spawning) {
    int failure = 0;
    // The leader of a session that opens a terminal without O_NOCTTY gets it as the controlling one.
    if (spawning->terminal != NULL) {
        failure = posix_spawn_file_actions_addopen(actions, 0, spawning->terminal, O_RDWR, 0);
        if (failure == 0) failure = posix_spawn_file_actions_adddup2(actions, 0, 1);
        if (failure == 0) failure = posix_spawn_file_actions_adddup2(actions, 0, 2);
        return failure;
    }
    for (int stream = 0; stream < 3 && failure == 0; stream++)
        failure = posix_spawn_file_actions_adddup2(actions, spawning->streams[stream], stream);
    return failure;
}

static int spawn(const struct spawning *spawning) {
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
    if (failure == 0) failure = add_streams(&actions, spawning);
    if (failure == 0) failure = posix_spawn_file_actions_addchdir_np(&actions, spawning->folder);
    if (failure == 0) failure = posix_spawn_file_actions_addclosefrom_np(&actions, 3);
    if (failure == 0)
        failure = posix_spawn(
            spawning->process, spawning->program, &actions, &attributes, spawning->arguments, spawning->environment);
    if (failure == 0) restore_limit(*spawning->process);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    return failure;
}

static void *spawn_masked(void *context) {
    struct spawning *spawning = context;
    // From here on this thread has a umask of its own, which its children inherit.
    if (unshare(CLONE_FS) != 0) {
        spawning->failure = errno;
        return NULL;
    }
    umask(spawning->mask);
    spawning->failure = spawn(spawning);
    return NULL;
}

static int spawn_with_mask(struct spawning *spawning, int mask) {
    if (mask < 0) return spawn(spawning);
    spawning->mask = (mode_t)mask;
    pthread_t thread;
    int failure = pthread_create(&thread, NULL, spawn_masked, spawning);
    if (failure != 0) return failure;
    pthread_join(thread, NULL);
    return spawning->failure;
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
    struct spawning spawning = {terminal, {-1, -1, -1}, program, arguments, environment, folder, 0, process, 0};
    return spawn_with_mask(&spawning, mask);
}

int tandem_process_spawn(
    const int streams[3],
    const char *program,
    char *const *arguments,
    char *const *environment,
    const char *folder,
    int mask,
    pid_t *process
) {
    struct spawning spawning = {
        NULL, {streams[0], streams[1], streams[2]}, program, arguments, environment, folder, 0, process, 0};
    return spawn_with_mask(&spawning, mask);
}

int tandem_pipe_open(int ends[2], int open_blocking) {
    // Numbers from 3 on, so that none of them is one of the streams it becomes.
    int made[2];
    if (pipe2(made, O_CLOEXEC) != 0) return errno;
    int failure = 0;
    for (int index = 0; index < 2; index++) {
        ends[index] = fcntl(made[index], F_DUPFD_CLOEXEC, 3);
        if (ends[index] < 0) failure = errno;
        close(made[index]);
    }
    // The program's end blocks, as programs expect; ours does not.
    if (failure == 0 && fcntl(ends[1 - open_blocking], F_SETFL, O_NONBLOCK) != 0) failure = errno;
    if (failure != 0)
        for (int index = 0; index < 2; index++)
            if (ends[index] >= 0) close(ends[index]);
    return failure;
}

ssize_t tandem_pipe_write(int pipe, const void *bytes, size_t count) {
    // Writing to a pipe that nothing reads raises SIGPIPE in the thread that writes: held back for the call, and taken if it came.
    sigset_t broken, earlier, waiting;
    sigemptyset(&broken);
    sigaddset(&broken, SIGPIPE);
    sigpending(&waiting);
    int was_waiting = sigismember(&waiting, SIGPIPE) == 1;
    if (pthread_sigmask(SIG_BLOCK, &broken, &earlier) != 0) return -EINVAL;
    ssize_t wrote;
    do wrote = write(pipe, bytes, count);
    while (wrote < 0 && errno == EINTR);
    int failure = wrote < 0 ? errno : 0;
    if (failure == EPIPE && !was_waiting) {
        struct timespec none = {0, 0};
        while (sigtimedwait(&broken, NULL, &none) < 0 && errno == EINTR) {
        }
    }
    pthread_sigmask(SIG_SETMASK, &earlier, NULL);
    return failure != 0 ? -failure : wrote;
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
