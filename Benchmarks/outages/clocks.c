/* A machine that wakes from a suspend, for one process: the time in the file named by OUTAGES_CLOCK (8 bytes, nanoseconds) is added to
 * CLOCK_REALTIME and CLOCK_BOOTTIME, as the kernel adds the time of the suspend. CLOCK_MONOTONIC stays as it is. Timers that were set
 * before fire when their time has come by the new clock. Preloaded into the programs that bin/outages starts; never this machine's clock. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#define BILLION 1000000000LL
#define TIMERS 1024

static const volatile int64_t none;
static const volatile int64_t *offset = &none;
static int64_t applied;

/* Timers by descriptor: those of shifted clocks, and what they were set to. */
static struct timer { int is_ours, is_armed, flags; struct itimerspec set; } timers[TIMERS];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int is_shifted(clockid_t clock) {
    return clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE || clock == CLOCK_BOOTTIME || clock == CLOCK_BOOTTIME_ALARM
        || clock == CLOCK_REALTIME_ALARM;
}

static struct timespec plus(struct timespec time, int64_t nanoseconds) {
    int64_t sum = time.tv_sec * BILLION + time.tv_nsec + nanoseconds;
    if (sum < 1) sum = 1;
    return (struct timespec){ sum / BILLION, sum % BILLION };
}

static int set_timer(int fd, int flags, const struct itimerspec *new, struct itimerspec *old) {
    return (int)syscall(SYS_timerfd_settime, fd, flags, new, old);
}

/* The kernel's clock stands behind by the offset. */
static int set_shifted(int fd, const struct timer *timer, struct itimerspec *old) {
    struct itimerspec set = timer->set;
    if ((timer->flags & TFD_TIMER_ABSTIME) && (set.it_value.tv_sec || set.it_value.tv_nsec)) {
        set.it_value = plus(set.it_value, -*offset);
    }
    return set_timer(fd, timer->flags, &set, old);
}

static void *watch(void *unused) {
    (void)unused;
    for (;;) {
        struct timespec nap = { 0, 2000000 };
        syscall(SYS_nanosleep, &nap, NULL);
        if (*offset == applied) continue;
        pthread_mutex_lock(&lock);
        int64_t jump = *offset - applied;
        applied = *offset;
        for (int fd = 0; fd < TIMERS; fd++) {
            struct timer *timer = &timers[fd];
            if (!timer->is_ours || !timer->is_armed) continue;
            if (timer->flags & TFD_TIMER_ABSTIME) {
                set_shifted(fd, timer, NULL);
            } else {
                /* What is left of a wait goes by during the suspend too. */
                struct itimerspec left;
                if (syscall(SYS_timerfd_gettime, fd, &left) == 0 && (left.it_value.tv_sec || left.it_value.tv_nsec)) {
                    left.it_value = plus(left.it_value, -jump);
                    set_timer(fd, 0, &left, NULL);
                }
            }
        }
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}

__attribute__((constructor)) static void start(void) {
    const char *path = getenv("OUTAGES_CLOCK");
    if (!path) return;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return;
    void *page = mmap(NULL, sizeof(int64_t), PROT_READ, MAP_SHARED, fd, 0);
    close(fd);
    if (page == MAP_FAILED) return;
    offset = page;
    applied = *offset;
    /* What this program starts has the real time. */
    unsetenv("LD_PRELOAD");
    unsetenv("OUTAGES_CLOCK");
    pthread_t thread;
    if (pthread_create(&thread, NULL, watch, NULL) == 0) pthread_detach(thread);
}

int clock_gettime(clockid_t clock, struct timespec *time) {
    static int (*real)(clockid_t, struct timespec *);
    if (!real) real = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
    int result = real(clock, time);
    if (result == 0 && is_shifted(clock)) *time = plus(*time, *offset);
    return result;
}

int gettimeofday(struct timeval *time, void *zone) {
    struct timespec now;
    (void)zone;
    if (clock_gettime(CLOCK_REALTIME, &now) != 0) return -1;
    time->tv_sec = now.tv_sec;
    time->tv_usec = now.tv_nsec / 1000;
    return 0;
}

time_t time(time_t *into) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (into) *into = now.tv_sec;
    return now.tv_sec;
}

int timerfd_create(int clock, int flags) {
    int fd = (int)syscall(SYS_timerfd_create, clock, flags);
    if (fd >= 0 && fd < TIMERS) {
        pthread_mutex_lock(&lock);
        timers[fd] = (struct timer){ .is_ours = is_shifted(clock) };
        pthread_mutex_unlock(&lock);
    }
    return fd;
}

int timerfd_settime(int fd, int flags, const struct itimerspec *new, struct itimerspec *old) {
    if (fd < 0 || fd >= TIMERS || !timers[fd].is_ours) return set_timer(fd, flags, new, old);
    pthread_mutex_lock(&lock);
    timers[fd].is_armed = new->it_value.tv_sec || new->it_value.tv_nsec;
    timers[fd].flags = flags;
    timers[fd].set = *new;
    int result = set_shifted(fd, &timers[fd], old);
    pthread_mutex_unlock(&lock);
    return result;
}

/* A descriptor that is closed may be another timer's next; that one says so itself, any other must not be set. */
int close(int fd) {
    if (fd >= 0 && fd < TIMERS && timers[fd].is_ours) {
        pthread_mutex_lock(&lock);
        timers[fd].is_ours = 0;
        pthread_mutex_unlock(&lock);
    }
    return (int)syscall(SYS_close, fd);
}

/* Waits until a time of the wall clock: the kernel's is behind. */
int pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *until) {
    static int (*real)(pthread_cond_t *, pthread_mutex_t *, const struct timespec *);
    if (!real) {
        real = (int (*)(pthread_cond_t *, pthread_mutex_t *, const struct timespec *))dlsym(RTLD_NEXT, "pthread_cond_timedwait");
    }
    struct timespec wall;
    clock_gettime(CLOCK_REALTIME, &wall);
    /* A condition on the monotonic clock is given a time far before the wall clock's. */
    if (until->tv_sec + 365LL * 86400 < wall.tv_sec) return real(condition, mutex, until);
    struct timespec shifted = plus(*until, -*offset);
    return real(condition, mutex, &shifted);
}

int sem_timedwait(sem_t *semaphore, const struct timespec *until) {
    static int (*real)(sem_t *, const struct timespec *);
    if (!real) real = (int (*)(sem_t *, const struct timespec *))dlsym(RTLD_NEXT, "sem_timedwait");
    struct timespec shifted = plus(*until, -*offset);
    return real(semaphore, &shifted);
}
