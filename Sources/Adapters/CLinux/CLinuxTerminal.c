#define _GNU_SOURCE
#include "CLinuxTerminal.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/ioctl.h>
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

int tandem_terminal_spawn(
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
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    return failure;
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
