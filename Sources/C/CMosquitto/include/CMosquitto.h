#ifndef MDHOST_CMOSQUITTO_H
#define MDHOST_CMOSQUITTO_H

#include <mosquitto.h>
#include <mqtt_protocol.h>
#include <poll.h>
#include <stdbool.h>

/// Loads the library; before that, none of its functions may be called.
///
/// @return The reason it can't be used; NULL on success.
const char *_Nullable mdhost_mosquitto_load(void);

#endif
