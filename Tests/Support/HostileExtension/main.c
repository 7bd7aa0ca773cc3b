// An extension that attempts forbidden operations, and prints a line for each: its name and result.
// In C, because the confinement must hold for programs in any language.
//
// Its victims come in the environment: HOSTILE_FILES, HOSTILE_CHANGES, HOSTILE_FOLDERS and HOSTILE_SOCKETS as NAME=PATH,
// separated by colons, and HOSTILE_DAEMON, a process number. With HOSTILE_ONLY it makes only that attempt.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/bpf.h>
#include <linux/audit.h>
#include <linux/netlink.h>
#include <netinet/in.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "hostile.h"

const char *only;

int wanted(const char *name) { return only == NULL || strcmp(only, name) == 0; }

void tell(const char *name, long result) {
    if (result >= 0) printf("%s\tdone\n", name);
    else printf("%s\trefused\t%s\n", name, strerror(errno));
    fflush(stdout);
}

static void count(const char *name, long number, long most) {
    printf("%s\t%s\t%ld, then %s\n", name, number < most ? "limited" : "done", number, strerror(errno));
    fflush(stdout);
}

static void each(const char *variable, void (*body)(const char *name, const char *path)) {
    char *text = getenv(variable), *rest = NULL;
    if (text == NULL || (text = strdup(text)) == NULL) return;
    for (char *entry = strtok_r(text, ":", &rest); entry != NULL; entry = strtok_r(NULL, ":", &rest)) {
        char *path = strchr(entry, '=');
        if (path == NULL) continue;
        *path++ = 0;
        if (wanted(entry)) body(entry, path);
    }
    free(text);
}

static void read_file(const char *name, const char *path) { tell(name, open(path, O_RDONLY)); }

static void write_in(const char *name, const char *path) {
    char file[4096];
    snprintf(file, sizeof file, "%s/hostile", path);
    tell(name, open(file, O_WRONLY | O_CREAT, 0600));
}

// Operations that Landlock doesn't cover: modes, owners, times and attributes of files, and notifications about them.
static void change(const char *name, const char *path) {
    char label[256];
    struct timeval times[2] = { { 0, 0 }, { 0, 0 } };
#define CHANGE(what, expression) do { \
        snprintf(label, sizeof label, what " (%s)", name); errno = 0; tell(label, (long)(expression)); \
    } while (0)
    CHANGE("chmod", chmod(path, 0666));
    CHANGE("fchmodat2", syscall(452, AT_FDCWD, path, 0666, 0));
    CHANGE("fchmod by way of /proc", ({
        char link[64];
        snprintf(link, sizeof link, "/proc/self/fd/%d", open(path, O_PATH));
        chmod(link, 0666);
    }));
    CHANGE("chown", chown(path, getuid(), getgid()));
    CHANGE("lchown", lchown(path, getuid(), getgid()));
    CHANGE("setxattr", setxattr(path, "user.hostile", "x", 1, 0));
    CHANGE("removexattr", removexattr(path, "user.hostile"));
    CHANGE("utimes", utimes(path, times));
    CHANGE("inotify", inotify_add_watch(inotify_init1(0), path, IN_ALL_EVENTS));
#undef CHANGE
}

// A program that another user could start as the person.
static int make_set_id(int mode, int temporary) {
    const char *folder = getenv("MDHOST_STATE_DIRECTORY");
    char path[4096];
    snprintf(path, sizeof path, "%s/set-id", folder ? folder : ".");
    umask(0);
    const int file = temporary ? open(folder ? folder : ".", O_TMPFILE | O_WRONLY, mode)
                               : open(path, O_WRONLY | O_CREAT, mode);
    return file;
}

static int change_own(int mode) {
    const char *folder = getenv("MDHOST_STATE_DIRECTORY");
    char path[4096];
    snprintf(path, sizeof path, "%s/own-mode", folder ? folder : ".");
    const int file = open(path, O_WRONLY | O_CREAT, 0600);
    return file < 0 ? -1 : fchmod(file, mode);
}

// A signal for events of a descriptor, sent to any process.
static void signal_by_descriptor(pid_t process) {
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) != 0) return;
    const struct { int type; pid_t pid; } owner = { 1, process };
    const int number = process;
    TRY("own a descriptor for the daemon", fcntl(pair[0], F_SETOWN, process));
    TRY("own a descriptor for a thread of the daemon", fcntl(pair[0], F_SETOWN_EX, &owner));
    TRY("choose the signal of a descriptor", fcntl(pair[0], F_SETSIG, SIGURG));
    TRY("have signals sent by a descriptor", fcntl(pair[0], F_SETFL, O_ASYNC));
    TRY("FIOSETOWN", ioctl(pair[0], FIOSETOWN, &number));
    TRY("SIOCSPGRP", ioctl(pair[0], SIOCSPGRP, &number));
    TRY("FIOASYNC", ioctl(pair[0], FIOASYNC, &number));
    TRY("news of a folder by signal", fcntl(open("/usr", O_RDONLY), F_NOTIFY, DN_CREATE));
    TRY("a lease", fcntl(open("/usr/lib/os-release", O_RDONLY), F_SETLEASE, F_RDLCK));
}

static void schedule(pid_t process) {
    cpu_set_t processors;
    const struct sched_param none = { 0 };
    CPU_ZERO(&processors);
    CPU_SET(0, &processors);
    TRY("bind the daemon to a processor", sched_setaffinity(process, sizeof processors, &processors));
    TRY("schedule the daemon last", sched_setscheduler(process, SCHED_IDLE, &none));
    TRY("set the daemon's scheduling parameters", sched_setparam(process, &none));
    TRY("the daemon's disk accesses last", syscall(SYS_ioprio_set, 1, process, (3 << 13) | 7));
    TRY("everybody's disk accesses last", syscall(SYS_ioprio_set, 3, getuid(), (3 << 13) | 7));
}

static long map_shared(int file, int flags) {
    void *memory = mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE, flags, file, 0);
    return memory == MAP_FAILED ? -1 : 0;
}

static long send_datagram(const char *path) {
    int pair[2];
    struct sockaddr_un address = { .sun_family = AF_UNIX };
    if (socketpair(AF_UNIX, SOCK_DGRAM, 0, pair) != 0) return -1;
    strncpy(address.sun_path, path, sizeof address.sun_path - 1);
    // A missing listener doesn't matter: reaching the path means that the attempt was allowed.
    const long sent = sendto(pair[0], "x", 1, 0, (struct sockaddr *)&address, sizeof address);
    return sent < 0 && errno != ENOENT && errno != ECONNREFUSED ? -1 : 0;
}

static void more(void) {
    TRY("make a set-user program", make_set_id(04755, 0));
    TRY("make a set-group program", make_set_id(02755, 0));
    TRY("make a set-user program without a name", make_set_id(04755, 1));
    TRY("make a set-group folder", mkdir("set-group", 02777));
    TRY("make its own file a set-user program", change_own(04755));
    TRY("let others write its own file", change_own(0666));
    TRY("make a device", mknod("device", S_IFCHR | 0600, 0x0101));
    TRY("shared anonymous memory", map_shared(-1, MAP_SHARED | MAP_ANONYMOUS));
    TRY("shared anonymous memory by way of /dev/zero", map_shared(open("/dev/zero", O_RDWR), MAP_SHARED));
    TRY("secret memory", syscall(447, 0));
    TRY("a queue of messages", syscall(SYS_msgget, 0, 0600 | 01000));
    TRY("a datagram to the journal", send_datagram("/run/systemd/journal/socket"));
    TRY("a datagram to the service manager", send_datagram("/run/systemd/notify"));
    TRY("hide from the daemon's looks", prctl(PR_SET_DUMPABLE, 0));
    TRY("a file by its handle", syscall(SYS_open_by_handle_at, AT_FDCWD, NULL, 0));
    TRY("openat2", syscall(437, AT_FDCWD, "/usr", NULL, 0));
    TRY("file attributes by way of statmount", syscall(457, NULL, NULL, 0, 0));
}

static void connect_to(const char *name, const char *path) {
    struct sockaddr_un address = { .sun_family = AF_UNIX };
    socklen_t size = sizeof address;
    strncpy(address.sun_path, path, sizeof address.sun_path - 1);
    if (path[0] == '@') {
        address.sun_path[0] = 0;
        size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + strlen(path));
    }
    const int link = socket(AF_UNIX, SOCK_STREAM, 0);
    tell(name, link < 0 ? -1 : connect(link, (struct sockaddr *)&address, size));
}

static int listen_on(unsigned short port, int binds) {
    struct sockaddr_in address = { .sin_family = AF_INET, .sin_port = htons(port) };
    const int listener = socket(AF_INET, SOCK_STREAM, 0);
    if (listener < 0) return -1;
    if (binds && bind(listener, (struct sockaddr *)&address, sizeof address) != 0) return -1;
    return listen(listener, 1);
}

static int run_own_file(void) {
    const char *folder = getenv("MDHOST_STATE_DIRECTORY");
    char path[4096];
    snprintf(path, sizeof path, "%s/program", folder ? folder : ".");
    const int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0700);
    if (file < 0) return -1;
    if (write(file, "#!/bin/sh\nexit 0\n", 17) != 17) return -1;
    close(file);
    return execl(path, path, (char *)NULL);
}

static void bomb(void) {
    static pid_t children[2000];
    long number = 0;
    for (; number < 2000; number++) {
        children[number] = fork();
        if (children[number] < 0) break;
        if (children[number] == 0) { for (;;) pause(); }
    }
    count("fork bomb", number, 2000);
    for (long index = 0; index < number; index++) kill(children[index], SIGKILL);
    while (waitpid(-1, NULL, 0) > 0) {}
}

static void *sleeper(void *unused) { for (;;) pause(); return unused; }

static void start_threads(void) {
    long number = 0;
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, 16384);
    for (pthread_t thread; number < 2000; number++) {
        if ((errno = pthread_create(&thread, &attributes, sleeper, NULL)) != 0) break;
    }
    count("threads", number, 2000);
}

static void hold_descriptors(void) {
    int held[10000], number = 0;
    while (number < 10000 && (held[number] = dup(0)) >= 0) number++;
    count("10,000 descriptors", number, 10000);
    while (number > 0) close(held[--number]);
}

// Files of great size without their contents, so that a machine that lets it pass takes no harm.
static void fill_file(void) {
    signal(SIGXFSZ, SIG_IGN);
    const char *folder = getenv("MDHOST_STATE_DIRECTORY");
    char path[4096];
    snprintf(path, sizeof path, "%s/large", folder ? folder : ".");
    const int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    long megabytes = 0;
    while (megabytes < 4096 && pwrite(file, "x", 1, (off_t)megabytes << 20) == 1) megabytes++;
    count("a huge file (MB)", file < 0 ? 4096 : megabytes, 4096);
    unlink(path);
}

static void take_memory(void) {
    long megabytes = 0;
    while (megabytes < 16384) {
        if (mmap(NULL, 16 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED) break;
        megabytes += 16;
    }
    count("memory (MB)", megabytes, 16384);
}

static void attack(pid_t daemon) {
    char word[16], path[64];
    struct iovec mine = { word, sizeof word }, theirs = { (void *)&attack, sizeof word };
    const struct rlimit none = { 0, 0 };
    TRY("ptrace the daemon", ptrace(PTRACE_SEIZE, daemon, NULL, NULL));
    TRY("read the daemon's memory", process_vm_readv(daemon, &mine, 1, &theirs, 1, 0));
    snprintf(path, sizeof path, "/proc/%d/mem", daemon);
    TRY("open the daemon's memory", open(path, O_RDONLY));
    snprintf(path, sizeof path, "/proc/%d/environ", daemon);
    TRY("read the daemon's environment", open(path, O_RDONLY));
    snprintf(path, sizeof path, "/proc/%d/fd/0", daemon);
    TRY("take the daemon's descriptors", open(path, O_RDONLY));
    // A signal that does nothing unless it is waited for.
    TRY("signal the daemon", kill(daemon, SIGURG));
    TRY("signal everything", kill(-1, SIGURG));
    TRY("limit the daemon", prlimit(daemon, RLIMIT_CORE, &none, NULL));
    TRY("slow the daemon down", setpriority(PRIO_PROCESS, (id_t)daemon, 19));
}

static void leave(void) {
    TRY("outlive the daemon", prctl(PR_SET_PDEATHSIG, 0));
    TRY("leave the session", setsid());
    TRY("a user namespace", unshare(CLONE_NEWUSER));
    TRY("a mount namespace", unshare(CLONE_NEWNS));
    TRY("enter namespaces", setns(open("/proc/self/ns/net", O_RDONLY), 0));
    TRY("clone into a namespace", syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, NULL, NULL, NULL, NULL));
    TRY("clone3", syscall(435, NULL, 0));
    TRY("mount", mount("none", "/tmp", "tmpfs", 0, NULL));
    TRY("chroot", chroot("/"));
    TRY("bpf", syscall(SYS_bpf, BPF_MAP_CREATE, NULL, 0));
    TRY("keyctl", syscall(SYS_keyctl, 0, -3, 0));
    TRY("perf_event_open", syscall(SYS_perf_event_open, NULL, 0, -1, -1, 0));
    TRY("userfaultfd", syscall(SYS_userfaultfd, 1));
    TRY("io_uring", syscall(425, 1, NULL));
    TRY("personality", personality(ADDR_NO_RANDOMIZE));
    TRY("type into a terminal", ioctl(0, TIOCSTI, "x"));
    TRY("reboot", syscall(SYS_reboot, 0, 0, 0, NULL));
    TRY("load a module", syscall(SYS_finit_module, -1, "", 0));
    TRY("kexec", syscall(SYS_kexec_load, 0, 0, NULL, 0));
    TRY("swapon", syscall(SYS_swapon, "/nothing", 0));
    TRY("shared memory", shmget(IPC_PRIVATE, 4096, 0600));
    TRY("memory that counts for nobody", syscall(SYS_memfd_create, "x", 0));
    TRY("packet socket", socket(AF_PACKET, SOCK_RAW, 0));
    TRY("audit socket", socket(AF_NETLINK, SOCK_RAW, NETLINK_AUDIT));
    TRY("virtual machine socket", socket(AF_VSOCK, SOCK_STREAM, 0));
}

// Operations that every extension needs: a confinement that refuses them is useless.
static void use(void) {
    int pair[2];
    TRY("may: open internet sockets", socket(AF_INET6, SOCK_STREAM, 0));
    TRY("may: ask for interfaces", socket(AF_NETLINK, SOCK_RAW, NETLINK_ROUTE));
    TRY("may: pairs of sockets", socketpair(AF_UNIX, SOCK_STREAM, 0, pair));
    TRY("may: read the system", open("/usr/lib/os-release", O_RDONLY));
    TRY("may: write its own folder", open("own", O_WRONLY | O_CREAT | O_TRUNC, 0600));
    TRY("may: signal itself", kill(getpid(), 0));
    TRY("may: not wait at a socket", fcntl(pair[0], F_SETFL, O_NONBLOCK));
    TRY("may: lock its own file", flock(open("own", O_RDWR), LOCK_EX));
    TRY("may: map its own file", ftruncate(open("own", O_RDWR), 1 << 20) == 0
        ? map_shared(open("own", O_RDWR), MAP_SHARED) : -1);
    TRY("may: share its own processor time", sched_setscheduler(0, SCHED_BATCH, &(struct sched_param) { 0 }));
    const char *temporary = getenv("TMPDIR");
    TRY("may: use its temporary folder", temporary ? open(temporary, O_TMPFILE | O_RDWR, 0600) : -1);
}

int main(void) {
    only = getenv("HOSTILE_ONLY");
    const char *daemon = getenv("HOSTILE_DAEMON");
    if (only == NULL) use();
    each("HOSTILE_FILES", read_file);
    each("HOSTILE_FOLDERS", write_in);
    each("HOSTILE_SOCKETS", connect_to);
    each("HOSTILE_CHANGES", change);
    each("HOSTILE_CHANGES", take);
    each("HOSTILE_CHANGES", see);
    if (daemon != NULL) {
        attack(atoi(daemon));
        signal_by_descriptor(atoi(daemon));
        schedule(atoi(daemon));
        touch(atoi(daemon));
    }
    leave();
    more();
    other_ways();
    TRY("listen on a port it did not declare", listen_on(27999, 1));
    TRY("listen without binding", listen_on(0, 0));
    TRY("listen on a port of the system's choice", listen_on(0, 1));
    TRY("listen on a declared port", listen_on(27998, 1));
    if (wanted("10,000 descriptors")) hold_descriptors();
    if (wanted("a huge file (MB)")) fill_file();
    if (wanted("fork bomb")) bomb();
    if (wanted("threads") && only != NULL) start_threads();
    if (wanted("memory (MB)")) take_memory();
    TRY("run a file it wrote", run_own_file());
    printf("end\n");
    fflush(stdout);
    return 0;
}
