// Ways around a refusal by path: links, magic links, equivalent calls, newer calls.
#define _GNU_SOURCE
#include "hostile.h"

#include <fcntl.h>
#include <netinet/in.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <sys/timex.h>
#include <sys/un.h>
#include <unistd.h>

static long open_through(const char *root, const char *path) {
    char whole[4200];
    snprintf(whole, sizeof whole, "%s%s", root, path);
    return open(whole, O_RDONLY);
}

static long bind_at(const char *folder) {
    int pair[2];
    struct sockaddr_un address = { .sun_family = AF_UNIX };
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0) return -1;
    snprintf(address.sun_path, sizeof address.sun_path, "%s-socket", folder);
    return bind(pair[0], (struct sockaddr *)&address, sizeof address);
}

static long exchange(const char *one, const char *other) {
    return syscall(SYS_renameat2, AT_FDCWD, one, AT_FDCWD, other, 2);
}

// Every change is undone, so that each attempt finds the file.
void take(const char *name, const char *path) {
    char label[256], beside[4200];
    struct stat status;
    // Where even its existence is out of sight, it is tried for all that.
    if (stat(path, &status) == 0 && !S_ISREG(status.st_mode)) return;
    snprintf(beside, sizeof beside, "%s-hostile", path);
#define TAKE(what, expression) do { \
        snprintf(label, sizeof label, what " (%s)", name); errno = 0; tell(label, (long)(expression)); \
    } while (0)
    TAKE("empty", truncate(path, 0));
    TAKE("empty by reading", open(path, O_RDONLY | O_TRUNC));
    TAKE("link into its own folder", link(path, "linked"));
    unlink("linked");
    TAKE("link by descriptor", ({
        char link_name[64];
        snprintf(link_name, sizeof link_name, "/proc/self/fd/%d", open(path, O_PATH));
        linkat(AT_FDCWD, link_name, AT_FDCWD, "linked-too", AT_SYMLINK_FOLLOW);
    }));
    TAKE("move into its own folder", rename(path, "moved"));
    rename("moved", path);
    TAKE("move its own file there", ({
        close(open("bait", O_WRONLY | O_CREAT, 0600));
        rename("bait", beside);
    }));
    unlink(beside);
    TAKE("exchange with its own file", exchange("own", path) == 0 ? exchange("own", path) : -1);
    TAKE("link there", symlink("/", beside));
    unlink(beside);
    TAKE("make a folder there", mkdir(beside, 0700));
    rmdir(beside);
    TAKE("a socket there", bind_at(path));
    TAKE("read by a link of its own", ({
        symlink(path, "way");
        const int file = open("way", O_RDONLY);
        unlink("way");
        file;
    }));
    TAKE("read by the root of /proc", open_through("/proc/self/root", path));
    TAKE("read by the thread's root", open_through("/proc/thread-self/root", path));
    TAKE("read by its working folder", open_through("/proc/self/cwd/../../../../../../../../../..", path));
    TAKE("open anew what is open as a path", ({
        char link_name[64];
        snprintf(link_name, sizeof link_name, "/proc/self/fd/%d", open(path, O_PATH));
        open(link_name, O_RDONLY);
    }));
    TAKE("execute", execl(path, path, (char *)NULL));
    TAKE("execute by descriptor", syscall(SYS_execveat, open(path, O_PATH), "", NULL, NULL, AT_EMPTY_PATH));
    TAKE("times by descriptor", syscall(SYS_utimensat, open(path, O_PATH), "", NULL, AT_EMPTY_PATH));
    TAKE("owner by descriptor", fchownat(open(path, O_PATH), "", getuid(), getgid(), AT_EMPTY_PATH));
    TAKE("attributes by path", syscall(463, AT_FDCWD, path, 0, "user.hostile", NULL, 0));
#undef TAKE
}

void see(const char *name, const char *path) {
    char label[256], other[4200], target[256];
    struct stat status;
    struct statfs system;
    struct statx details;
#define SEE(what, expression) do { \
        snprintf(label, sizeof label, "see by " what " (%s)", name); errno = 0; tell(label, (long)(expression)); \
    } while (0)
    SEE("stat", stat(path, &status));
    SEE("lstat", lstat(path, &status));
    SEE("statx", statx(AT_FDCWD, path, 0, STATX_ALL, &details));
    SEE("statfs", statfs(path, &system));
    SEE("access", access(path, F_OK));
    SEE("faccessat2", syscall(439, AT_FDCWD, path, F_OK, AT_SYMLINK_NOFOLLOW));
    SEE("open as a path", open(path, O_PATH));
    snprintf(other, sizeof other, "/proc/self/root%s", path);
    SEE("the root of /proc", stat(other, &status));
    snprintf(other, sizeof other, "/proc/self/cwd/../../../../../../../../../..%s", path);
    SEE("its working folder", stat(other, &status));
    SEE("a link of its own", ({
        symlink(path, "sight");
        const int result = stat("sight", &status);
        unlink("sight");
        result;
    }));
    snprintf(other, sizeof other, "%s-link", path);
    SEE("readlink", readlink(other, target, sizeof target));
#undef SEE
}

static void open_of(pid_t process, const char *file, int flags) {
    char path[64], label[96];
    snprintf(path, sizeof path, "/proc/%d/%s", process, file);
    snprintf(label, sizeof label, "open the daemon's %s", file);
    TRY(label, open(path, flags));
}

void touch(pid_t daemon) {
    open_of(daemon, "oom_score_adj", O_WRONLY);
    open_of(daemon, "timerslack_ns", O_WRONLY);
    open_of(daemon, "comm", O_WRONLY);
    open_of(daemon, "clear_refs", O_WRONLY);
    open_of(daemon, "mem", O_RDWR);
    open_of(daemon, "root", O_RDONLY | O_DIRECTORY);
    open_of(daemon, "cwd", O_RDONLY | O_DIRECTORY);
    open_of(daemon, "exe", O_RDONLY);
    TRY("a descriptor of the daemon's process", syscall(434, daemon, 0));
    TRY("signal by such a descriptor", syscall(424, syscall(434, daemon, 0), 23, NULL, 0));
    TRY("copy a descriptor of the daemon", syscall(438, syscall(434, daemon, 0), 0, 0));
    TRY("page out the daemon", syscall(440, syscall(434, daemon, 0), NULL, 0, 21, 0));
    TRY("move the daemon's pages", syscall(SYS_move_pages, daemon, 0, NULL, NULL, NULL, 0));
    TRY("compare descriptors with the daemon", syscall(SYS_kcmp, daemon, getpid(), 0, 0, 0));
    TRY("queue a signal for the daemon", syscall(SYS_rt_sigqueueinfo, daemon, 23, NULL));
    TRY("set the daemon's scheduling attributes", syscall(SYS_sched_setattr, daemon, NULL, 0));
    TRY("group itself with the daemon", setpgid(0, getpgid(daemon)));
}

void other_ways(void) {
    struct timex time = { 0 };
    TRY("raw socket", socket(AF_INET, SOCK_RAW, IPPROTO_ICMP));
    TRY("Bluetooth socket", socket(31, SOCK_SEQPACKET, 0));
    TRY("cipher socket", socket(38, SOCK_SEQPACKET, 0));
    TRY("kernel events socket", socket(AF_NETLINK, SOCK_DGRAM, 15));
    TRY("connections of others", socket(AF_NETLINK, SOCK_DGRAM, 4));
    TRY("packet filter socket", socket(AF_NETLINK, SOCK_DGRAM, 12));
    TRY("a Landlock of its own", syscall(444, NULL, 0, 1));
    TRY("a filter of its own", syscall(SYS_seccomp, 1, 0, NULL));
    TRY("a filter by prctl", prctl(PR_SET_SECCOMP, 2, NULL));
    TRY("somebody may trace it", prctl(PR_SET_PTRACER, -1));
    TRY("adopt orphans", prctl(PR_SET_CHILD_SUBREAPER, 1));
    TRY("keep capabilities", prctl(PR_SET_KEEPCAPS, 1));
    TRY("change its own mappings", prctl(PR_SET_MM, 0, 0, 0, 0));
    TRY("set the clock", syscall(SYS_clock_adjtime, 0, &time));
    TRY("open a mount", syscall(428, AT_FDCWD, "/", 0));
    TRY("a queue of the system", syscall(SYS_mq_open, "/hostile", O_CREAT | O_RDWR, 0600, NULL));
    TRY("semaphores of the system", syscall(SYS_semget, 0, 1, 01600));
    TRY("memory of others", syscall(SYS_shmat, 0, NULL, 0));
    TRY("a pipe with a name", mkfifo("pipe", 0600));
    TRY("splice", syscall(SYS_vmsplice, 1, NULL, 0, 0));
    TRY("open /dev/tty", open("/dev/tty", O_RDWR));
    TRY("open /dev/kmsg", open("/dev/kmsg", O_RDONLY));
    TRY("open /dev/mem", open("/dev/mem", O_RDONLY));
    TRY("open /dev/vda", open("/dev/vda", O_RDONLY));
    TRY("open /proc/sys/kernel/core_pattern", open("/proc/sys/kernel/core_pattern", O_WRONLY));
    TRY("open /sys/fs/cgroup/cgroup.procs", open("/sys/fs/cgroup/cgroup.procs", O_WRONLY));
    TRY("open /etc/shadow", open("/etc/shadow", O_RDONLY));
    TRY("open /etc/machine-id", open("/etc/machine-id", O_RDONLY));
    TRY("open /var/log", open("/var/log", O_RDONLY | O_DIRECTORY));
    TRY("open /var/spool/cron", open("/var/spool/cron", O_RDONLY | O_DIRECTORY));
    TRY("open /proc/self/oom_score_adj", open("/proc/self/oom_score_adj", O_WRONLY));
}
