// Linked into every program of a build with a sanitizer (scripts/sanitize): the place of its reports, and hints for events that
// the sanitizer can't see.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef REPORTS
#error "REPORTS: absolute path of the folder for reports"
#endif

const char *const sanitizer_reports = REPORTS;

#define OPTIONS                                                                                                        \
    "symbolize=0:exitcode=0:handle_segv=0:handle_abort=0:handle_sigill=0:handle_sigfpe=0:handle_sigbus=0"                 \
    ":stack_trace_format='    #%n %m+%o':log_path='" REPORTS "/"

static char text[1024];
static unsigned length;

// Without the C library, whose functions the runtime has replaced and not yet made ready when it asks for its options.
static void add(const char *more) {
    for (; *more != 0 && length < sizeof text - 1; more++) text[length++] = *more;
}

// Returns the text after the last `mark` in the link's target.
static void add_link(const char *path, char mark) {
    char target[256];
    const long size = syscall(SYS_readlink, path, target, sizeof target - 1);
    target[size < 0 ? 0 : size] = 0;
    const char *rest = target;
    for (const char *place = target; *place != 0; place++) {
        if (*place == mark) rest = place + 1;
    }
    add(rest);
}

// Programs go on and end as they would have: the reports are judged afterwards. They tell addresses alone, as a confined
// program can start no other to look up names. Each process has a file of its own, also one of a host of the lab, which
// counts its processes anew.
static const char *options(const char *more) {
    add(OPTIONS);
    add_link("/proc/self/exe", '/');
    add("-");
    add_link("/proc/self/ns/pid", '[');
    add("':");
    add(more);
    return text;
}

#ifdef THREAD
const char *__tsan_default_options(void) { return options("halt_on_error=0:second_deadlock_stack=1"); }

void __tsan_acquire(void *address);
void __tsan_release(void *address);

// Mutex of the Swift library takes and gives what nobody else wants by an atomic operation in the program itself, which the
// sanitizer sees. Waiting for it and waking others is done in the library, which is built without: said here in its place.
#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"
#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context))
typedef SWIFT void Lock(uint32_t thread, SELF void *mutex);
typedef SWIFT void Unlock(SELF void *mutex);
SWIFT void lock_slowly(uint32_t thread, SELF void *mutex) __asm__(LOCK);
SWIFT void unlock_slowly(SELF void *mutex) __asm__(UNLOCK);

static Lock *lock;
static Unlock *unlock;

__attribute__((constructor)) static void find_mutex(void) {
    lock = (Lock *)dlsym(RTLD_NEXT, LOCK);
    unlock = (Unlock *)dlsym(RTLD_NEXT, UNLOCK);
}

SWIFT void lock_slowly(uint32_t thread, SELF void *mutex) {
    lock(thread, mutex);
    __tsan_acquire(mutex);
}

SWIFT void unlock_slowly(SELF void *mutex) {
    __tsan_release(mutex);
    unlock(mutex);
}
#endif

#ifdef ADDRESS
// What is freed is kept for a while, as wrong uses of it are found that way; less of it than usual, as the daemon ends an
// extension that has more than 512 MB.
const char *__asan_default_options(void) {
    return options("abort_on_error=1:detect_leaks=1:quarantine_size_mb=64");
}

// Leaks are looked for by a process that traces this one, which a confined program cannot have, nor one that is about to
// become it: that one lives for a moment.
int __lsan_is_turned_off(void) {
    return syscall(SYS_prctl, PR_GET_NO_NEW_PRIVS, 0ul, 0ul, 0ul, 0ul) == 1 ||
           strcmp(program_invocation_short_name, "mdhost-confine") == 0;
}
#endif
