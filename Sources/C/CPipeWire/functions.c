#include "CPipeWire.h"

#include <CDeferredLibrary.h>

// Every called function must be listed here; otherwise linking fails.
#define PIPEWIRE_FUNCTIONS(F) \
        F(pw_context_connect) F(pw_context_connect_fd) F(pw_context_destroy) F(pw_context_new) F(pw_core_disconnect) F(pw_init) \
        F(pw_filter_add_listener) F(pw_filter_add_port) F(pw_filter_connect) F(pw_filter_destroy) F(pw_filter_get_node_id) \
        F(pw_filter_new) F(pw_properties_new) F(pw_properties_set) F(pw_properties_setf) F(pw_proxy_destroy) \
        F(pw_stream_add_listener) F(pw_stream_connect) \
        F(pw_stream_dequeue_buffer) F(pw_stream_destroy) F(pw_stream_new) F(pw_stream_queue_buffer) \
        F(pw_stream_set_control) F(pw_stream_trigger_process) F(pw_stream_update_params) F(pw_stream_update_properties) \
        F(pw_thread_loop_destroy) F(pw_thread_loop_get_loop) F(pw_thread_loop_lock) F(pw_thread_loop_new) F(pw_thread_loop_signal) \
        F(pw_thread_loop_start) F(pw_thread_loop_stop) F(pw_thread_loop_timed_wait) F(pw_thread_loop_unlock)

MDHOST_DEFERRED_LIBRARY(libpipewire, "libpipewire-0.3.so.0", PIPEWIRE_FUNCTIONS)

const char *mdhost_pw_load(void) { return mdhost_deferred_library_load(&libpipewire); }
