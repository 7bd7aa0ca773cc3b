// Makes Dispatch check its pool of threads every 10 seconds instead of every second, in this project's own programs.
//
// On Linux, Dispatch wakes each process that has ever used it once a second, for as long as the process lives, to read
// from /proc whether threads of its pool are blocked, and to add others then. With a daemon and a process for each protocol
// this is most of what they do while nothing happens. There is no setting for it. The library sets that timer by a function
// that it exports and calls like anybody else, so that a program's function of the same name takes its place. Every other
// call is handed on unchanged.
//
// A program whose tasks block all threads of the pool waits longer for further threads. This project's programs don't; those
// of other authors and the tests may, so that they keep the usual interval.
#define _GNU_SOURCE
#include "CDispatchPacing.h"
#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef void (*set_timer)(void *source, uint64_t start, uint64_t interval, uint64_t leeway);

static const uint64_t second = 1000000000ull;
static const uint64_t forever = ~0ull; // DISPATCH_TIME_FOREVER

static set_timer original(void) {
    static _Atomic(set_timer) found;
    set_timer function = atomic_load(&found);
    if (function == NULL) {
        function = (set_timer)dlsym(RTLD_NEXT, "dispatch_source_set_timer");
        if (function == NULL) abort();
        atomic_store(&found, function);
    }
    return function;
}

// `mdhost`, `mdhost-page`, `mdhost-dlna`, …
static bool is_own_program(void) {
    const char *name = program_invocation_short_name;
    return strcmp(name, "mdhost") == 0 || strncmp(name, "mdhost-", strlen("mdhost-")) == 0;
}

// The page is kept on while no browser shows it, and none of its tasks waits in a thread of the pool: its sockets, its bus and
// its keeper have threads of their own. Its pool needs no check at all.
static bool never_blocks(void) { return strcmp(program_invocation_short_name, "mdhost-page") == 0; }

__attribute__((visibility("default"))) void
dispatch_source_set_timer(void *source, uint64_t start, uint64_t interval, uint64_t leeway) {
    const set_timer function = original();
    if (interval == second && leeway == 0 && is_own_program()) {
        Dl_info caller, library;
        // Timers of programs come from other objects than the library itself.
        if (dladdr(__builtin_return_address(0), &caller) != 0 && dladdr((void *)function, &library) != 0
            && caller.dli_fbase == library.dli_fbase) {
            function(source, never_blocks() ? forever : start, dispatch_pacing_interval, second);
            return;
        }
    }
    function(source, start, interval, leeway);
}
