#define _GNU_SOURCE
#include "CBenchmarkIO.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { max_events = 256 };

int benchmark_poller(void) { return epoll_create1(EPOLL_CLOEXEC); }

int benchmark_watch(int poller, int socket, uint64_t token, int wants_write, int is_new) {
    struct epoll_event event = {
        .events = EPOLLIN | (wants_write ? EPOLLOUT : 0),
        .data.u64 = token,
    };
    return epoll_ctl(poller, is_new ? EPOLL_CTL_ADD : EPOLL_CTL_MOD, socket, &event);
}

int benchmark_unwatch(int poller, int socket) { return epoll_ctl(poller, EPOLL_CTL_DEL, socket, NULL); }

int benchmark_wait(int poller, struct benchmark_event *events, int capacity, int timeout_milliseconds) {
    struct epoll_event ready[max_events];
    int count = epoll_wait(poller, ready, capacity < max_events ? capacity : max_events, timeout_milliseconds);
    if (count < 0) return errno == EINTR ? 0 : -1;
    for (int index = 0; index < count; index++) {
        events[index].token = ready[index].data.u64;
        // An error or a hang-up is found out by reading.
        events[index].can_read = (ready[index].events & (EPOLLIN | EPOLLERR | EPOLLHUP)) != 0;
        events[index].can_write = (ready[index].events & EPOLLOUT) != 0;
    }
    return count;
}

int benchmark_core(int index) {
    cpu_set_t cores;
    if (sched_getaffinity(0, sizeof cores, &cores) != 0) return -1;
    for (int core = 0; core < CPU_SETSIZE; core++) {
        if (CPU_ISSET(core, &cores) && index-- == 0) return core;
    }
    return -1;
}

int benchmark_pin(int core) {
    cpu_set_t cores;
    CPU_ZERO(&cores);
    CPU_SET(core, &cores);
    return sched_setaffinity(0, sizeof cores, &cores);
}

pid_t benchmark_spawn(char *const *arguments, int core, int *output) {
    int ends[2];
    if (pipe(ends) != 0) return -1;
    pid_t parent = getpid();
    pid_t child = fork();
    if (child < 0) {
        close(ends[0]);
        close(ends[1]);
        return -1;
    }
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != parent) _exit(127);
        benchmark_pin(core);
        dup2(ends[1], STDOUT_FILENO);
        close(ends[0]);
        close(ends[1]);
        execvp(arguments[0], arguments);
        _exit(127);
    }
    close(ends[1]);
    *output = ends[0];
    return child;
}

int benchmark_reap(pid_t program, int timeout_milliseconds) {
    struct timespec step = {.tv_nsec = 10 * 1000 * 1000};
    for (int waited = 0; waited <= timeout_milliseconds; waited += 10) {
        pid_t ended = waitpid(program, NULL, WNOHANG);
        if (ended == program || (ended < 0 && errno == ECHILD)) return 1;
        nanosleep(&step, NULL);
    }
    return 0;
}

pid_t benchmark_start(char *const *arguments, long soft_file_limit, const char *error_path, int *output) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return -1;
    pid_t parent = getpid();
    pid_t child = fork();
    if (child < 0) {
        close(ends[0]);
        close(ends[1]);
        return -1;
    }
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != parent) _exit(127);
        struct rlimit limit;
        if (getrlimit(RLIMIT_NOFILE, &limit) != 0) _exit(127);
        limit.rlim_cur = (rlim_t)soft_file_limit;
        if (setrlimit(RLIMIT_NOFILE, &limit) != 0) _exit(127);
        int errors = open(error_path, O_WRONLY | O_CREAT | O_APPEND, 0600);
        int nothing = open("/dev/null", O_RDONLY);
        if (errors < 0 || nothing < 0) _exit(127);
        dup2(nothing, STDIN_FILENO);
        dup2(ends[1], STDOUT_FILENO);
        dup2(errors, STDERR_FILENO);
        close(nothing);
        close(errors);
        execvp(arguments[0], arguments);
        _exit(127);
    }
    close(ends[1]);
    *output = ends[0];
    return child;
}

int benchmark_ended_by(pid_t program) {
    siginfo_t info = {0};
    // Left as a zombie, so that its number stays ours until it is reaped.
    if (waitid(P_PID, (id_t)program, &info, WEXITED | WNOHANG | WNOWAIT) != 0) return 0;
    if (info.si_pid == 0) return -1;
    return info.si_code == CLD_EXITED ? 0 : info.si_status;
}

int benchmark_connect(uint32_t source, uint16_t port) {
    int made = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (made < 0) return -1;
    int yes = 1;
    struct linger reset = {.l_onoff = 1, .l_linger = 0};
    struct sockaddr_in from = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(source)};
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    setsockopt(made, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    setsockopt(made, SOL_SOCKET, SO_LINGER, &reset, sizeof reset);
    setsockopt(made, IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, &yes, sizeof yes);
    if (bind(made, (struct sockaddr *)&from, sizeof from) != 0 ||
        (connect(made, (struct sockaddr *)&to, sizeof to) != 0 && errno != EINPROGRESS)) {
        int reason = errno;
        close(made);
        errno = reason;
        return -1;
    }
    return made;
}

int benchmark_connect_path(const char *path) {
    struct sockaddr_un to = {.sun_family = AF_UNIX};
    if (strlen(path) >= sizeof to.sun_path) {
        errno = ENAMETOOLONG;
        return -1;
    }
    strcpy(to.sun_path, path);
    int made = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (made < 0) return -1;
    if (connect(made, (struct sockaddr *)&to, sizeof to) != 0) {
        int reason = errno;
        close(made);
        errno = reason;
        return -1;
    }
    return made;
}

long benchmark_raise_file_limit(void) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return -1;
    limit.rlim_cur = limit.rlim_max;
    if (setrlimit(RLIMIT_NOFILE, &limit) != 0) return -1;
    return (long)limit.rlim_cur;
}

uint64_t benchmark_nanoseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}
