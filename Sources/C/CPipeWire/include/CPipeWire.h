#ifndef MDHOST_CPIPEWIRE_H
#define MDHOST_CPIPEWIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// What of libpipewire is macros, inline functions and variable arguments, as functions that Swift can call. Its headers lie in a
// folder of their own, which only this target knows.

#pragma clang assume_nonnull begin

/// A connection with a thread of its own, on which all callbacks are called, with its lock held.
typedef struct mdhost_pw mdhost_pw;

/// Loads the library, before anything else here.
///
/// @return Why it cannot be used; NULL where it can.
const char *_Nullable mdhost_pw_load(void);

/// Connects to a server.
///
/// @param socket Its socket's path; NULL for the server of the environment.
/// @param lost The server went away.
/// @return NULL with `errno` where none answers within that many seconds.
mdhost_pw *_Nullable mdhost_pw_open(
        const char *_Nullable socket, int seconds, void (*lost)(void *data), void *data);
/// Every sink has to be destroyed before.
void mdhost_pw_close(mdhost_pw *connection);
void mdhost_pw_lock(mdhost_pw *connection);
void mdhost_pw_unlock(mdhost_pw *connection);

/// A sink of signed 16 bit, little end first, two channels, that runs the graph it is in by itself, block by block.
typedef struct mdhost_pw_sink mdhost_pw_sink;

typedef struct {
        /// Whether programs play to it.
        void (*running)(void *data, bool is_running);
        /// It takes levels; told again when what it shows of them may be another.
        void (*ready)(void *data);
        /// What its properties say: the loudest of its channels, negative where they say nothing of it; 0, 1, or negative.
        void (*level)(void *data, float volume, int is_muted);
        /// One block, or less.
        void (*samples)(void *data, const void *bytes, size_t length);
        /// The timer fired.
        void (*tick)(void *data);
} mdhost_pw_sink_events;

/// The functions of a sink want the lock.
///
/// @param name The node's; what people see is the description.
/// @return NULL with `errno`.
mdhost_pw_sink *_Nullable mdhost_pw_sink_new(
        mdhost_pw *connection, const char *name, const char *description, uint32_t rate, uint32_t block,
        const mdhost_pw_sink_events *events, void *data);
void mdhost_pw_sink_destroy(mdhost_pw_sink *sink);
/// What people see from now on.
void mdhost_pw_sink_set_description(mdhost_pw_sink *sink, const char *description);
/// Has the programs play one block, which then comes as samples.
void mdhost_pw_sink_run(mdhost_pw_sink *sink);
/// Has the timer fire once, at that time of the monotonic clock in nanoseconds; at once where it is past.
void mdhost_pw_sink_set_timer(mdhost_pw_sink *sink, uint64_t time);
/// Sets what the sink shows, and leaves the samples alone, as somebody else makes them softer.
void mdhost_pw_sink_set_volume(mdhost_pw_sink *sink, float volume);
void mdhost_pw_sink_set_mute(mdhost_pw_sink *sink, bool is_muted);

#pragma clang assume_nonnull end

#endif
