#ifndef MDHOST_CPIPEWIRE_H
#define MDHOST_CPIPEWIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The macros, inline functions and variadic functions of libpipewire as functions that Swift can call. Its headers are in a
// folder of their own, which only this target includes.

#pragma clang assume_nonnull begin

/// A connection with a thread of its own, on which all callbacks are called, with its lock held.
typedef struct mdhost_pw mdhost_pw;

/// Loads the library, before anything else here.
///
/// @return The reason it can't be used; NULL on success.
const char *_Nullable mdhost_pw_load(void);

/// Connects to a server.
///
/// @param socket Its socket's path; NULL for the server of the environment.
/// @param lost Called when the server is gone.
/// @return NULL with `errno` if no server answers within that many seconds.
mdhost_pw *_Nullable mdhost_pw_open(
        const char *_Nullable socket, int seconds, void (*lost)(void *data), void *data);
/// The same through a socket that a portal handed out.
///
/// @param descriptor Taken over, also when this fails.
mdhost_pw *_Nullable mdhost_pw_open_descriptor(int descriptor, int seconds, void (*lost)(void *data), void *data);
/// All sinks and captures must be destroyed before.
void mdhost_pw_close(mdhost_pw *connection);
void mdhost_pw_lock(mdhost_pw *connection);
void mdhost_pw_unlock(mdhost_pw *connection);

/// A sink of signed 16 bit, little end first, two channels, that drives its graph by itself, block by block.
typedef struct mdhost_pw_sink mdhost_pw_sink;

typedef struct {
        /// Reports whether programs play to it.
        void (*running)(void *data, bool is_running);
        /// Ready for levels; called again when the shown level may have changed.
        void (*ready)(void *data);
        /// The level in its properties: the loudest of its channels, or negative if missing; then the mute: 0, 1, or negative.
        void (*level)(void *data, float volume, int is_muted);
        /// One block, or less.
        void (*samples)(void *data, const void *bytes, size_t length);
        /// The timer fired.
        void (*tick)(void *data);
} mdhost_pw_sink_events;

/// The functions of a sink must be called with the lock held.
///
/// @param name The node's name; people see the description.
/// @return NULL with `errno`.
mdhost_pw_sink *_Nullable mdhost_pw_sink_new(
        mdhost_pw *connection, const char *name, const char *description, uint32_t rate, uint32_t block,
        const mdhost_pw_sink_events *events, void *data);
void mdhost_pw_sink_destroy(mdhost_pw_sink *sink);
/// Sets the name that people see.
void mdhost_pw_sink_set_description(mdhost_pw_sink *sink, const char *description);
/// Tells how long the next block is, in frames of that rate. It may differ from what was asked for, because of programs with a
/// wish of their own or the settings of the server; the samples arrive converted.
void mdhost_pw_sink_block(mdhost_pw_sink *sink, uint32_t *frames, uint32_t *rate);
/// Makes the programs play one block, which then arrives as samples.
void mdhost_pw_sink_run(mdhost_pw_sink *sink);
/// Sets the timer to fire once, at that time of the monotonic clock in nanoseconds; at once if it has passed.
void mdhost_pw_sink_set_timer(mdhost_pw_sink *sink, uint64_t time);
/// Sets the level that the sink shows without scaling the samples, because the device applies the level.
void mdhost_pw_sink_set_volume(mdhost_pw_sink *sink, float volume);
void mdhost_pw_sink_set_mute(mdhost_pw_sink *sink, bool is_muted);
/// Tells programs the time in nanoseconds from playing a sample to the sink until it is heard.
void mdhost_pw_sink_set_latency(mdhost_pw_sink *sink, uint64_t time);

/// The pictures of a node, such as a screen.
typedef struct mdhost_pw_capture mdhost_pw_capture;

typedef struct {
        /// The newest picture: four bytes a pixel, blue or red first; whole rows. Older ones that wait are left out.
        void (*picture)(
                void *data, const void *pixels, uint32_t stride, uint32_t width, uint32_t height, bool is_red_first);
        /// The node is gone, or can't give pictures.
        void (*ended)(void *data);
} mdhost_pw_capture_events;

/// The functions of a capture must be called with the lock held.
///
/// @param rate The wanted pictures a second.
/// @return NULL with `errno`.
mdhost_pw_capture *_Nullable mdhost_pw_capture_new(
        mdhost_pw *connection, uint32_t node, uint32_t rate, const mdhost_pw_capture_events *events, void *data);
void mdhost_pw_capture_destroy(mdhost_pw_capture *capture);

#pragma clang assume_nonnull end

#endif
