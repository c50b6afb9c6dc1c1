#define _GNU_SOURCE
#include "CLinuxProgram.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
    FIRST_OF_ITS_OWN = STDERR_FILENO + 1,
    // CLOSE_RANGE_CLOEXEC, which older headers do not have.
    CLOSE_WITH_START = 1 << 2
};

static const int told[] = {SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGPIPE, SIGCHLD, SIGUSR1, SIGUSR2};
enum { TOLD = sizeof told / sizeof told[0] };
static int wasIgnored[TOLD];

void tandem_note_start(void) {
    for (int at = 0; at < TOLD; at++) {
        struct sigaction now;
        wasIgnored[at] = sigaction(told[at], NULL, &now) == 0 && !(now.sa_flags & SA_SIGINFO) && now.sa_handler == SIG_IGN;
    }
}

// What was opened without O_CLOEXEC, by a library or by whoever started this process, would stay open from start to start; a lock among it
// would keep the state folder from the new start for ever.
static int closeWithStart(void) {
#ifdef SYS_close_range
    // From Linux 5.11 on.
    if (syscall(SYS_close_range, (unsigned)FIRST_OF_ITS_OWN, ~0u, (unsigned)CLOSE_WITH_START) == 0) return 0;
#endif
    DIR *folder = opendir("/proc/self/fd");
    if (folder == NULL) return -errno;
    int result = 0;
    struct dirent *entry;
    while ((entry = readdir(folder)) != NULL) {
        // 0 for "." and "..", which are below the first one as well.
        int descriptor = atoi(entry->d_name);
        if (descriptor < FIRST_OF_ITS_OWN) continue;
        int flags = fcntl(descriptor, F_GETFD);
        // EBADF: closed since the folder was read.
        if (flags < 0) continue;
        if (fcntl(descriptor, F_SETFD, flags | FD_CLOEXEC) < 0 && errno != EBADF) result = -errno;
    }
    closedir(folder);
    return result;
}

int tandem_start_again(const char *path, char *const arguments[]) {
    // Before anything is changed.
    if (access(path, X_OK) != 0) return -errno;
    int result = closeWithStart();
    if (result < 0) return result;
    for (int at = 0; at < TOLD; at++) signal(told[at], wasIgnored[at] ? SIG_IGN : SIG_DFL);
    // From here on a signal to end that is still to be taken ends the process, as it was meant.
    sigset_t none;
    sigemptyset(&none);
    int error = pthread_sigmask(SIG_SETMASK, &none, NULL);
    if (error) return -error;
    execv(path, arguments);
    return -errno;
}
