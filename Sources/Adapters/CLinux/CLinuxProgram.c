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
    sigset_t none, before;
    sigemptyset(&none);
    int error = pthread_sigmask(SIG_SETMASK, &none, &before);
    if (error) return -error;
    execv(path, arguments);
    result = -errno;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return result;
}
