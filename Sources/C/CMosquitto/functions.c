#include "CMosquitto.h"

#include <CDeferredLibrary.h>

// Every called function must be listed here; otherwise linking fails.
#define MOSQUITTO_FUNCTIONS(F) \
        F(mosquitto_connect_bind_v5) F(mosquitto_connect_v5_callback_set) F(mosquitto_destroy) \
        F(mosquitto_disconnect_v5) F(mosquitto_disconnect_v5_callback_set) F(mosquitto_int_option) \
        F(mosquitto_lib_init) F(mosquitto_loop_misc) F(mosquitto_loop_read) F(mosquitto_loop_write) \
        F(mosquitto_message_v5_callback_set) F(mosquitto_new) F(mosquitto_property_add_int32) \
        F(mosquitto_property_free_all) F(mosquitto_publish_v5) F(mosquitto_publish_v5_callback_set) \
        F(mosquitto_reason_string) F(mosquitto_socket) F(mosquitto_strerror) F(mosquitto_subscribe_v5) \
        F(mosquitto_subscribe_v5_callback_set) F(mosquitto_threaded_set) F(mosquitto_tls_set) \
        F(mosquitto_unsubscribe_v5) F(mosquitto_unsubscribe_v5_callback_set) F(mosquitto_username_pw_set) \
        F(mosquitto_want_write)

MDHOST_DEFERRED_LIBRARY(libmosquitto, "libmosquitto.so.1", MOSQUITTO_FUNCTIONS)

const char *mdhost_mosquitto_load(void) { return mdhost_deferred_library_load(&libmosquitto); }
