#include "CLinuxNetwork.h"

#include <errno.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

int tandem_watch_addresses(void) {
    int descriptor = socket(AF_NETLINK, SOCK_RAW | SOCK_NONBLOCK | SOCK_CLOEXEC, NETLINK_ROUTE);
    if (descriptor < 0) return -errno;
    struct sockaddr_nl address;
    memset(&address, 0, sizeof address);
    address.nl_family = AF_NETLINK;
    address.nl_groups = RTMGRP_IPV4_IFADDR | RTMGRP_IPV6_IFADDR;
    if (bind(descriptor, (struct sockaddr *)&address, sizeof address) < 0) {
        int code = errno;
        close(descriptor);
        return -code;
    }
    return descriptor;
}

int tandem_addresses_changed(int descriptor) {
    int changed = 0;
    // Messages are aligned to their headers.
    _Alignas(struct nlmsghdr) char buffer[16 * 1024];
    for (;;) {
        struct sockaddr_nl sender;
        socklen_t length = sizeof sender;
        ssize_t count = recvfrom(descriptor, buffer, sizeof buffer, 0, (struct sockaddr *)&sender, &length);
        if (count < 0) {
            if (errno == EINTR) continue;
            if (errno == EAGAIN || errno == EWOULDBLOCK) return changed;
            // The kernel had more to tell than the socket holds.
            if (errno == ENOBUFS) {
                changed = 1;
                continue;
            }
            return -errno;
        }
        // Other programs of this machine may write to the socket too.
        if (length != sizeof sender || sender.nl_pid != 0) continue;
        int left = (int)count;
        for (struct nlmsghdr *message = (struct nlmsghdr *)buffer; NLMSG_OK(message, left); message = NLMSG_NEXT(message, left)) {
            if (message->nlmsg_type == RTM_NEWADDR || message->nlmsg_type == RTM_DELADDR) changed = 1;
        }
    }
}
