#include "CPulseAudio.h"

#include <CDeferredLibrary.h>

// Every called function must be listed here; otherwise linking fails.
#define PULSE_FUNCTIONS(F) \
        F(pa_context_connect) F(pa_context_disconnect) F(pa_context_errno) F(pa_context_get_client_info_list) \
        F(pa_context_get_server_info) F(pa_context_get_sink_info_by_index) \
        F(pa_context_get_sink_info_by_name) F(pa_context_get_sink_info_list) F(pa_context_get_sink_input_info_list) \
        F(pa_context_get_state) F(pa_context_move_sink_input_by_name) F(pa_context_set_sink_mute_by_name) F(pa_context_set_sink_volume_by_name) \
        F(pa_cvolume_max) F(pa_cvolume_set) \
        F(pa_context_is_local) F(pa_context_load_module) F(pa_context_new) F(pa_context_rttime_new) \
        F(pa_context_rttime_restart) F(pa_context_set_state_callback) F(pa_context_set_subscribe_callback) \
        F(pa_context_subscribe) F(pa_context_unload_module) F(pa_context_unref) F(pa_mainloop_free) \
        F(pa_mainloop_get_api) F(pa_mainloop_iterate) F(pa_mainloop_new) F(pa_mainloop_quit) F(pa_operation_get_state) \
        F(pa_operation_set_state_callback) F(pa_operation_unref) F(pa_proplist_free) F(pa_proplist_gets) \
        F(pa_proplist_new) F(pa_proplist_sets) F(pa_stream_connect_playback) F(pa_stream_cork) F(pa_stream_disconnect) \
        F(pa_stream_drain) F(pa_stream_get_state) F(pa_stream_get_time) F(pa_stream_is_suspended) \
        F(pa_stream_new_with_proplist) F(pa_stream_set_latency_update_callback) F(pa_stream_set_started_callback) \
        F(pa_stream_set_state_callback) F(pa_stream_set_suspended_callback) F(pa_stream_set_underflow_callback) \
        F(pa_stream_set_write_callback) F(pa_stream_unref) F(pa_stream_writable_size) F(pa_stream_write) \
        F(pa_strerror)

MDHOST_DEFERRED_LIBRARY(libpulse, "libpulse.so.0", PULSE_FUNCTIONS)

const char *mdhost_pulse_load(void) { return mdhost_deferred_library_load(&libpulse); }
