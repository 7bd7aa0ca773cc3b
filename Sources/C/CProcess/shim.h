#pragma once
#include <fts.h>
#include <signal.h>
#include <spawn.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <unistd.h>

// glibc declares these only under _GNU_SOURCE, which Swift's view of its headers does not define.
extern int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int from);
extern int posix_spawn_file_actions_addchdir_np(posix_spawn_file_actions_t *actions, const char *path);
extern int pipe2(int descriptors[2], int flags);
extern int pidfd_open(pid_t process, unsigned int flags);
extern int pidfd_send_signal(int descriptor, int signal, siginfo_t *info, unsigned int flags);
static const short process_spawn_new_session = 0x80; // POSIX_SPAWN_SETSID

static inline int process_set_undumpable(void) { return prctl(PR_SET_DUMPABLE, 0ul, 0ul, 0ul, 0ul); }
static inline int process_limit_core(void) {
    const struct rlimit none = { 0, 0 };
    return setrlimit(RLIMIT_CORE, &none);
}

// `struct ucred`, which glibc declares only under _GNU_SOURCE.
struct process_credentials { pid_t process; uid_t user; gid_t group; };

// Sends bytes and a descriptor in one message; the result of sendmsg(2).
static inline ssize_t process_send_descriptor(int socket, const void *bytes, size_t count, int descriptor) {
    struct iovec data = { (void *)bytes, count };
    union { char bytes[CMSG_SPACE(sizeof(int))]; struct cmsghdr align; } control = { { 0 } };
    struct msghdr message = { 0 };
    message.msg_iov = &data;
    message.msg_iovlen = 1;
    message.msg_control = control.bytes;
    message.msg_controllen = sizeof control.bytes;
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof(int));
    memcpy(CMSG_DATA(header), &descriptor, sizeof(int));
    return sendmsg(socket, &message, MSG_NOSIGNAL);
}

// Receives bytes and at most one descriptor, -1 for none; the result of recvmsg(2). More are closed.
// `sender` is the process that sent them, 0 if the kernel doesn't say; it does after process_receive_senders().
static inline ssize_t process_receive_descriptor(int socket, void *bytes, size_t count, int *descriptor, pid_t *sender) {
    struct iovec data = { bytes, count };
    // The kernel puts the credentials first. Space for a descriptor has room for two, as it is rounded up.
    enum { room = CMSG_SPACE(sizeof(struct process_credentials)) + CMSG_LEN(sizeof(int)) };
    union { char bytes[room]; struct cmsghdr align; } control;
    struct msghdr message = { 0 };
    message.msg_iov = &data;
    message.msg_iovlen = 1;
    message.msg_control = control.bytes;
    message.msg_controllen = room;
    *descriptor = -1;
    *sender = 0;
    const ssize_t result = recvmsg(socket, &message, 0x40000000 /* MSG_CMSG_CLOEXEC */);
    if (result < 0) return result;
    for (struct cmsghdr *header = CMSG_FIRSTHDR(&message); header; header = CMSG_NXTHDR(&message, header)) {
        if (header->cmsg_level != SOL_SOCKET) continue;
        if (header->cmsg_type == SCM_RIGHTS) {
            // Without the credentials in it, the room is enough for several.
            const size_t descriptors = (header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
            for (size_t index = 0; index < descriptors; index++) {
                int each;
                memcpy(&each, CMSG_DATA(header) + index * sizeof(int), sizeof(int));
                if (descriptors == 1) *descriptor = each;
                else close(each);
            }
        } else if (header->cmsg_type == 2 /* SCM_CREDENTIALS */) {
            struct process_credentials credentials;
            memcpy(&credentials, CMSG_DATA(header), sizeof credentials);
            *sender = credentials.process;
        }
    }
    return result;
}

// Has the kernel say who sends each message; the result of setsockopt(2).
static inline int process_receive_senders(int socket) {
    const int on = 1;
    return setsockopt(socket, SOL_SOCKET, SO_PASSCRED, &on, sizeof on);
}
