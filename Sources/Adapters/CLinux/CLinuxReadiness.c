#include "CLinuxReadiness.h"

#include <errno.h>
#include <sys/epoll.h>

int tandem_ready_open(void) { return epoll_create1(EPOLL_CLOEXEC); }

static int control(int set, int operation, int descriptor, uint64_t id, uint32_t events) {
    struct epoll_event event = {.events = events, .data = {.u64 = id}};
    return epoll_ctl(set, operation, descriptor, &event) == 0 ? 0 : -errno;
}

int tandem_ready_add(int set, int descriptor, uint64_t id) {
    // Also without events a hang-up would be told, again and again, but for the one shot.
    return control(set, EPOLL_CTL_ADD, descriptor, id, EPOLLONESHOT);
}

int tandem_ready_arm(int set, int descriptor, uint64_t id, int writes) {
    return control(set, EPOLL_CTL_MOD, descriptor, id, EPOLLONESHOT | (writes ? EPOLLOUT : EPOLLIN | EPOLLRDHUP));
}

int tandem_ready_remove(int set, int descriptor) { return control(set, EPOLL_CTL_DEL, descriptor, 0, 0); }

int tandem_ready_wait(int set, uint64_t *ids, int count) {
    struct epoll_event events[64];
    int found = epoll_wait(set, events, count < 64 ? count : 64, -1);
    if (found < 0) { return -errno; }
    for (int index = 0; index < found; index++) { ids[index] = events[index].data.u64; }
    return found;
}
