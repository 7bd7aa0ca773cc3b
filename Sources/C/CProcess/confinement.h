#pragma once
// The calls with which a process confines itself: kernel calls without a glibc function, and variadic ones.
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

// MARK: Landlock, whose header on Debian 12 knows the second of its versions only

// The version of the kernel's Landlock, or -1.
static inline int confinement_landlock_version(void) { return (int)syscall(444, (void *)0, (size_t)0, 1u); }

// A rule set, or -1. Older kernels take only as much of the structure as they know.
static inline int confinement_landlock_make(uint64_t files, uint64_t network, uint64_t scopes, size_t size) {
    const struct { uint64_t files, network, scopes; } attributes = { files, network, scopes };
    return (int)syscall(444, &attributes, size, 0u);
}

static inline int confinement_landlock_allow_path(int rules, int path, uint64_t access) {
    const struct __attribute__((packed)) { uint64_t access; int32_t path; } rule = { access, path };
    return (int)syscall(445, rules, 1, &rule, 0u);
}

static inline int confinement_landlock_allow_port(int rules, uint16_t port, uint64_t access) {
    const struct { uint64_t access, port; } rule = { access, port };
    return (int)syscall(445, rules, 2, &rule, 0u);
}

static inline int confinement_landlock_enforce(int rules) { return (int)syscall(446, rules, 0u); }

// MARK: seccomp

static inline int confinement_install_filter(struct sock_filter *instructions, unsigned short count) {
    struct sock_fprog program = { count, instructions };
    return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0u, &program);
}

// MARK: privileges and life

static inline int confinement_no_new_privileges(void) { return prctl(PR_SET_NO_NEW_PRIVS, 1ul, 0ul, 0ul, 0ul); }
static inline int confinement_end_with_parent(void) { return prctl(PR_SET_PDEATHSIG, (unsigned long)SIGKILL); }

// Gives up every capability, also those that executing a program as root would give back.
static inline int confinement_drop_capabilities(void) {
    for (unsigned long capability = 0; capability < 64; capability++) {
        // Fails beyond the last one and for users, who have none to give.
        if (prctl(PR_CAPBSET_DROP, capability, 0ul, 0ul, 0ul) != 0) break;
    }
    struct { uint32_t version; int process; } header = { 0x20080522, 0 };
    const struct { uint32_t effective, permitted, inheritable; } none[2] = { { 0, 0, 0 }, { 0, 0, 0 } };
    return (int)syscall(SYS_capset, &header, none);
}

// Sets both limits, to what the hard one was if that is lower.
static inline int confinement_limit(int resource, rlim_t value) {
    struct rlimit limits;
    if (getrlimit(resource, &limits) != 0) return -1;
    if (value > limits.rlim_max) value = limits.rlim_max;
    limits.rlim_cur = limits.rlim_max = value;
    return setrlimit(resource, &limits);
}

static const int confinement_core_size = RLIMIT_CORE, confinement_descriptors = RLIMIT_NOFILE,
    confinement_file_size = RLIMIT_FSIZE, confinement_memory = RLIMIT_DATA, confinement_processes = __RLIMIT_NPROC;

// For naming the file to the kernel, not for reading it; -1 on failure.
static inline int confinement_open_path(const char *path) { return open(path, __O_PATH | O_CLOEXEC); }

// MARK: a user namespace of its own

static inline int confinement_write(const char *path, const char *text) {
    const int file = open(path, O_WRONLY | O_CLOEXEC);
    if (file < 0) return -1;
    const size_t count = strlen(text);
    const int result = write(file, text, count) == (ssize_t)count ? 0 : -1;
    close(file);
    return result;
}

// Enters a new user namespace with only the own user and group, under their own numbers.
static inline int confinement_enter_user_namespace(void) {
    char users[40], groups[40];
    snprintf(users, sizeof users, "%u %u 1", getuid(), getuid());
    snprintf(groups, sizeof groups, "%u %u 1", getgid(), getgid());
    if (syscall(SYS_unshare, 0x10000000 /* CLONE_NEWUSER */) != 0) return -1;
    if (confinement_write("/proc/self/setgroups", "deny") != 0) return -1;
    if (confinement_write("/proc/self/uid_map", users) != 0) return -1;
    return confinement_write("/proc/self/gid_map", groups);
}

// Returns whether the above would work. Some systems allow the namespace and then refuse the user number, which can't be
// undone: so a child tries it.
static inline int confinement_can_enter_user_namespace(void) {
    const pid_t child = fork();
    if (child < 0) return 0;
    if (child == 0) _exit(confinement_enter_user_namespace() == 0 ? 0 : 1);
    int status = 0;
    while (waitpid(child, &status, 0) < 0) {
        if (errno != EINTR) return 0;
    }
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

// MARK: a namespace of mounts of its own

// What is mounted here or elsewhere from now on is not seen on the other side.
static inline int confinement_enter_mount_namespace(void) {
    if (syscall(SYS_unshare, 0x20000 /* CLONE_NEWNS */) != 0) return -1;
    return mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL);
}

static inline int confinement_mount_memory(const char *path) {
    return mount("mdhost", path, "tmpfs", MS_NOSUID | MS_NODEV | MS_NOEXEC, "mode=755,size=1m,nr_inodes=16k");
}

// With all that is mounted in it: a part of it may not be shown alone to who has no rights over the rest.
static inline int confinement_bind(const char *from, const char *to) {
    return mount(from, to, NULL, MS_BIND | MS_REC, NULL);
}

static inline int confinement_unmount(const char *path) { return umount2(path, MNT_DETACH); }

// Something to mount on.
static inline int confinement_make_place(const char *path, int folder) {
    if (folder) return mkdir(path, 0755) == 0 || errno == EEXIST ? 0 : -1;
    const int file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    if (file < 0) return -1;
    close(file);
    return 0;
}

static const uint64_t confinement_view_read_only = 1, confinement_view_no_set_id = 2;

// mount_setattr (Linux 5.12), which glibc has since 2.36 only.
static inline int confinement_restrict(const char *path, uint64_t attributes, int all) {
    const struct { uint64_t set, clear, propagation, users; } change = { attributes, 0, 0, 0 };
    return (int)syscall(442, AT_FDCWD, path, all ? 0x8000u /* AT_RECURSIVE */ : 0u, &change, sizeof change);
}

// What is mounted at the path becomes the root, and nothing of the old one stays.
static inline int confinement_change_root(const char *path) {
    if (chdir(path) != 0) return -1;
    if (syscall(SYS_pivot_root, ".", ".") != 0) return -1;
    if (umount2(".", MNT_DETACH) != 0) return -1;
    return chdir("/");
}

#ifdef SANITIZED
// MARK: builds with a sanitizer, whose runtime and scripts/sanitize.d/runtime.c are linked into every program

extern const char *const sanitizer_reports; // Absolute path of the folder for its reports.
void __sanitizer_sandbox_on_notify(void *arguments); // Ends the runtime's own thread.
#endif
