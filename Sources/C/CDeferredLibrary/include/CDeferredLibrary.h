#ifndef MDHOST_CDEFERREDLIBRARY_H
#define MDHOST_CDEFERREDLIBRARY_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

// Functions of a library that is loaded on first use, not with the program.
//
// Each function has a stub of its own name here, which jumps to the library's function: callers and the library's own headers
// stay as they are. Before the library is loaded, nothing may call them.

struct mdhost_deferred_function {
        const char *_Nonnull name;
        void *_Nullable *_Nonnull address;
};

struct mdhost_deferred_library {
        const char *_Nonnull file;
        const struct mdhost_deferred_function *_Nonnull functions;
        size_t count;
        pthread_mutex_t lock;
        bool is_loaded;
};

/// Loads the library unless it is loaded; it stays loaded. A call after a failure tries again. Thread-safe.
///
/// @return The reason its functions can't be called, valid until the next call on this thread; NULL on success.
const char *_Nullable mdhost_deferred_library_load(struct mdhost_deferred_library *_Nonnull library);

#if defined(__x86_64__)
#define MDHOST_DEFERRED_JUMP(name) "jmp *mdhost_address_of_" #name "(%rip)\n"
#elif defined(__aarch64__)
// Register 16 is the one that linkers use for stubs of their own.
#define MDHOST_DEFERRED_JUMP(name)                                                                                              \
        "bti c\nadrp x16, mdhost_address_of_" #name "\nldr x16, [x16, #:lo12:mdhost_address_of_" #name "]\nbr x16\n"
#else
#error "No stub is known for this architecture"
#endif

// Hidden, so that the library itself never finds the stub in place of its own function.
#define MDHOST_DEFERRED_STUB(name)                                                                                              \
        __attribute__((visibility("hidden"))) void *mdhost_address_of_##name;                                                   \
        __asm__(".text\n.p2align 4\n.globl " #name "\n.hidden " #name "\n.type " #name ", @function\n" #name ":\n"              \
                MDHOST_DEFERRED_JUMP(name) ".size " #name ", . - " #name "\n");
#define MDHOST_DEFERRED_ENTRY(name) { #name, &mdhost_address_of_##name },

/// Defines the stubs, and the library as a variable that `mdhost_deferred_library_load` takes.
///
/// @param list A macro that applies the macro it is given to each function's name.
#define MDHOST_DEFERRED_LIBRARY(variable, soname, list)                                                                         \
        list(MDHOST_DEFERRED_STUB) static const struct mdhost_deferred_function variable##_functions[] = {                      \
                list(MDHOST_DEFERRED_ENTRY)                                                                                     \
        };                                                                                                                      \
        struct mdhost_deferred_library variable = {                                                                             \
                .file = soname,                                                                                                 \
                .functions = variable##_functions,                                                                              \
                .count = sizeof(variable##_functions) / sizeof(*variable##_functions),                                          \
                .lock = PTHREAD_MUTEX_INITIALIZER,                                                                              \
        };

#endif
