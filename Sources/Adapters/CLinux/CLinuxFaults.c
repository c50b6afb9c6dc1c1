#define _GNU_SOURCE
#include "CLinuxFaults.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

static const int faults[] = {SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV};
enum { count = sizeof faults / sizeof faults[0] };

static _Atomic int noted = -1;
static struct sigaction earlier[count];
static int is_installed = 0;

// Async-signal-safe: write, sigaction, signal, getpid and raise are.
static void note(int number, siginfo_t *info, void *context) {
    (void)context;
    int saved = errno;
    int descriptor = atomic_load(&noted);
    if (descriptor >= 0) {
        char line[] = "signal 00\n";
        line[7] = (char)('0' + number / 10 % 10);
        line[8] = (char)('0' + number % 10);
        ssize_t written = write(descriptor, line, sizeof line - 1);
        (void)written;
    }
    // A fault happens again on return and ends the program then; a signal that was sent does not come by itself. Swift's own report of a
    // crash counts on the former, so that the program would go on after one that another program sent: that one ends it at once.
    int was_sent = info == NULL || info->si_code <= 0;
    if (was_sent && (info == NULL || info->si_pid != getpid())) {
        signal(number, SIG_DFL);
    } else {
        for (int index = 0; index < count; index++) {
            if (faults[index] == number) sigaction(number, &earlier[index], NULL);
        }
    }
    if (was_sent) raise(number);
    errno = saved;
}

int tandem_note_faults(int descriptor) {
    atomic_store(&noted, descriptor);
    if (descriptor < 0 || is_installed) return 0;
    is_installed = 1;
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = note;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigemptyset(&action.sa_mask);
    for (int index = 0; index < count; index++) {
        if (sigaction(faults[index], &action, &earlier[index]) != 0) return -errno;
    }
    return 0;
}
