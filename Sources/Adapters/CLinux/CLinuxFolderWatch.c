#include "CLinuxFolderWatch.h"

#include <errno.h>
#include <string.h>
#include <sys/inotify.h>
#include <unistd.h>

int tandem_folder_watch_open(void) {
    int descriptor = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    return descriptor < 0 ? -errno : descriptor;
}

int tandem_folder_watch_add(int descriptor, const char *path) {
    int folder = inotify_add_watch(descriptor, path,
        IN_MODIFY | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR);
    return folder < 0 ? -errno : folder;
}

void tandem_folder_watch_remove(int descriptor, int folder) { inotify_rm_watch(descriptor, folder); }

ssize_t tandem_folder_watch_read(int descriptor, void *buffer, size_t size) {
    for (;;) {
        ssize_t count = read(descriptor, buffer, size);
        if (count >= 0) return count;
        if (errno == EINTR) continue;
        if (errno == EAGAIN || errno == EWOULDBLOCK) return 0;
        return -errno;
    }
}

int tandem_folder_watch_next(const void *buffer, size_t count, size_t *offset, struct tandem_folder_event *event) {
    struct inotify_event head;
    while (*offset + sizeof head <= count) {
        const char *start = (const char *)buffer + *offset;
        memcpy(&head, start, sizeof head);
        if (head.len > count - *offset - sizeof head) return 0;
        *offset += sizeof head + head.len;
        event->folder = head.wd;
        event->name = head.len ? start + sizeof head : "";
        event->what = 0;
        if (head.mask & IN_Q_OVERFLOW) event->what |= TANDEM_FOLDER_LOST;
        if (head.mask & IN_MODIFY) event->what |= TANDEM_FOLDER_WRITTEN;
        if (head.mask & (IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO)) event->what |= TANDEM_FOLDER_MOVED;
        if (head.mask & IN_ISDIR) event->what |= TANDEM_FOLDER_IS_FOLDER;
        if (head.mask & (IN_IGNORED | IN_MOVE_SELF | IN_UNMOUNT)) event->what |= TANDEM_FOLDER_GONE;
        return 1;
    }
    return 0;
}
