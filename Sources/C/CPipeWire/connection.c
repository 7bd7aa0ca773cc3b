#include "private.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void info(void *data, const struct pw_core_info *info) {
        struct mdhost_pw *connection = data;
        int major, minor, micro;
        // Until 0.3.71. <https://gitlab.freedesktop.org/pipewire/pipewire/-/commit/a544c5d4a>
        connection->moves_rate = info->version && sscanf(info->version, "%d.%d.%d", &major, &minor, &micro) == 3
                && major == 0 && (minor < 3 || (minor == 3 && micro < 71));
}

static void done(void *data, uint32_t id, int number) {
        struct mdhost_pw *connection = data;
        (void) id;
        connection->answered = number;
        pw_thread_loop_signal(connection->loop, false);
}

static void error(void *data, uint32_t id, int number, int result, const char *message) {
        struct mdhost_pw *connection = data;
        (void) number, (void) message;
        // A sink's own errors are reported by its state.
        if (id != PW_ID_CORE || result != -EPIPE || connection->is_lost) return;
        connection->is_lost = true;
        pw_thread_loop_signal(connection->loop, false);
        connection->lost(connection->data);
}

static const struct pw_core_events core_events = {
        .version = PW_VERSION_CORE_EVENTS, .info = info, .done = done, .error = error,
};

static void begin(void) { pw_init(NULL, NULL); }

/// Returns a number of `errno`.
static int connect_core(struct mdhost_pw *connection, const char *socket, int descriptor, int seconds) {
        int number, result = 0;
        connection->context = pw_context_new(pw_thread_loop_get_loop(connection->loop), NULL, 0);
        if (!connection->context) {
                result = errno;
                if (descriptor >= 0) close(descriptor);
                return result;
        }
        connection->core = descriptor >= 0
                ? pw_context_connect_fd(connection->context, descriptor, NULL, 0)
                : pw_context_connect(
                        connection->context, socket ? pw_properties_new(PW_KEY_REMOTE_NAME, socket, NULL) : NULL, 0);
        if (!connection->core) return errno;
        pw_core_add_listener(connection->core, &connection->hook, &core_events, connection);
        result = pw_thread_loop_start(connection->loop);
        if (result < 0) return -result;
        pw_thread_loop_lock(connection->loop);
        number = pw_core_sync(connection->core, PW_ID_CORE, 0);
        result = 0;
        while (result == 0 && !connection->is_lost && connection->answered != number)
                result = pw_thread_loop_timed_wait(connection->loop, seconds);
        if (connection->is_lost) result = -EPIPE;
        pw_thread_loop_unlock(connection->loop);
        return -result;
}

static mdhost_pw *open_server(
        const char *socket, int descriptor, int seconds, void (*lost)(void *data), void *data) {
        static pthread_once_t once = PTHREAD_ONCE_INIT;
        struct mdhost_pw *connection = calloc(1, sizeof(*connection));
        int result;
        if (!connection) return NULL;
        pthread_once(&once, begin);
        connection->lost = lost;
        connection->data = data;
        connection->answered = -1;
        connection->loop = pw_thread_loop_new("mdhost-sound", NULL);
        result = connection->loop ? connect_core(connection, socket, descriptor, seconds) : errno;
        if (result == 0) return connection;
        mdhost_pw_close(connection);
        errno = result;
        return NULL;
}

mdhost_pw *mdhost_pw_open(const char *socket, int seconds, void (*lost)(void *data), void *data) {
        return open_server(socket, -1, seconds, lost, data);
}

mdhost_pw *mdhost_pw_open_descriptor(int descriptor, int seconds, void (*lost)(void *data), void *data) {
        return open_server(NULL, descriptor, seconds, lost, data);
}

void mdhost_pw_close(mdhost_pw *connection) {
        if (connection->loop) pw_thread_loop_stop(connection->loop);
        if (connection->core) {
                spa_hook_remove(&connection->hook);
                pw_core_disconnect(connection->core);
        }
        if (connection->context) pw_context_destroy(connection->context);
        if (connection->loop) pw_thread_loop_destroy(connection->loop);
        free(connection);
}

void mdhost_pw_lock(mdhost_pw *connection) { pw_thread_loop_lock(connection->loop); }

void mdhost_pw_unlock(mdhost_pw *connection) { pw_thread_loop_unlock(connection->loop); }
