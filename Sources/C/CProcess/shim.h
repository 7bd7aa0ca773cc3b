#pragma once
#include <fts.h>
#include <signal.h>
#include <spawn.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/types.h>

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
