#define _GNU_SOURCE
#include "CLinuxForeground.h"

#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static const int passed[] = {SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2};
enum { COUNT = sizeof passed / sizeof passed[0] };

static volatile pid_t receiver = 0;
// What came before it was known whom to pass it to.
static volatile sig_atomic_t early[COUNT];
static struct sigaction before[COUNT];

static void pass(int signal, siginfo_t *info, void *context) {
    (void)context;
    int kept = errno;
    pid_t program = receiver;
    // A terminal sends to its whole foreground group, to which the program belongs.
    if (info->si_code != SI_KERNEL) {
        if (program > 0) kill(program, signal);
        else
            for (int at = 0; at < COUNT; at++)
                if (passed[at] == signal) early[at] = 1;
    }
    errno = kept;
}

static void passEarly(pid_t program) {
    for (int at = 0; at < COUNT; at++)
        if (early[at]) {
            early[at] = 0;
            kill(program, passed[at]);
        }
}

static void restore(void) {
    for (int at = 0; at < COUNT; at++) sigaction(passed[at], &before[at], NULL);
}

pid_t tandem_foreground_start(char *const arguments[]) {
    posix_spawnattr_t attributes;
    sigset_t none, defaults;
    int error = posix_spawnattr_init(&attributes);
    if (error) return -error;
    receiver = 0;
    // Before it starts: a signal at any moment from here on is the program's, whichever thread takes it.
    for (int at = 0; at < COUNT; at++) {
        struct sigaction action = {0};
        early[at] = 0;
        sigaction(passed[at], NULL, &before[at]);
        // As nohup wants it: what is ignored here is ignored there.
        if (before[at].sa_handler == SIG_IGN && !(before[at].sa_flags & SA_SIGINFO)) continue;
        action.sa_sigaction = pass;
        action.sa_flags = SA_SIGINFO | SA_RESTART;
        sigemptyset(&action.sa_mask);
        sigaction(passed[at], &action, NULL);
    }
    sigemptyset(&defaults);
    sigaddset(&defaults, SIGPIPE);
    posix_spawnattr_setsigdefault(&attributes, &defaults);
    // Not this thread's mask: threads of a pool take no signals.
    sigemptyset(&none);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
    pid_t program = 0;
    error = posix_spawnp(&program, arguments[0], NULL, &attributes, arguments, environ);
    posix_spawnattr_destroy(&attributes);
    if (error) {
        restore();
        // Nothing runs that could take it.
        for (int at = 0; at < COUNT; at++)
            if (early[at]) raise(passed[at]);
        return -error;
    }
    receiver = program;
    passEarly(program);
    return program;
}

int tandem_foreground_wait(pid_t program, int *status) {
    int result = 0;
    // A handler of another thread may have looked just before it was known.
    passEarly(program);
    // Left as it is until its number cannot be given to another: then nothing is passed to a stranger.
    siginfo_t info;
    while (waitid(P_PID, (id_t)program, &info, WEXITED | WNOWAIT) < 0) {
        if (errno == EINTR) continue;
        result = -errno;
        break;
    }
    // Signals that came while it ran and that no thread has taken yet were meant for it: with the handlers of before they would
    // end this process instead of telling how the program ended.
    sigset_t late;
    sigemptyset(&late);
    for (int at = 0; at < COUNT; at++) sigaddset(&late, passed[at]);
    const struct timespec atOnce = {0};
    while (sigtimedwait(&late, NULL, &atOnce) > 0) continue;
    receiver = 0;
    if (!result && waitpid(program, status, 0) < 0) result = -errno;
    restore();
    return result;
}
