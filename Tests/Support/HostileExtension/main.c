// An extension that tries what extensions must not, and prints a line for each attempt: its name and what came of it.
// In C, as a confinement has to hold for programs in any language.
//
// Its victims come in the environment: HOSTILE_FILES, HOSTILE_FOLDERS and HOSTILE_SOCKETS as NAME=PATH, separated by
// colons, and HOSTILE_DAEMON, a process number. With HOSTILE_ONLY it makes that attempt alone.
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
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *only;

static int wanted(const char *name) { return only == NULL || strcmp(only, name) == 0; }

// Says what came of an attempt: a result that is not negative is a success.
static void tell(const char *name, long result) {
    if (result >= 0) printf("%s\tdone\n", name);
    else printf("%s\trefused\t%s\n", name, strerror(errno));
    fflush(stdout);
}

static void count(const char *name, long number, long most) {
    printf("%s\t%s\t%ld, then %s\n", name, number < most ? "limited" : "done", number, strerror(errno));
    fflush(stdout);
}

#define TRY(name, expression) do { if (wanted(name)) { errno = 0; tell(name, (long)(expression)); } } while (0)

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

// What every extension may do: a confinement that refuses these is of no use.
static void use(void) {
    int pair[2];
    TRY("may: open internet sockets", socket(AF_INET6, SOCK_STREAM, 0));
    TRY("may: ask for interfaces", socket(AF_NETLINK, SOCK_RAW, NETLINK_ROUTE));
    TRY("may: pairs of sockets", socketpair(AF_UNIX, SOCK_STREAM, 0, pair));
    TRY("may: read the system", open("/usr/lib/os-release", O_RDONLY));
    TRY("may: write its own folder", open("own", O_WRONLY | O_CREAT | O_TRUNC, 0600));
    TRY("may: signal itself", kill(getpid(), 0));
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
    if (daemon != NULL) attack(atoi(daemon));
    leave();
    TRY("listen on a port it did not declare", listen_on(47999, 1));
    TRY("listen without binding", listen_on(0, 0));
    TRY("listen on a port of the system's choice", listen_on(0, 1));
    TRY("listen on a declared port", listen_on(47998, 1));
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
