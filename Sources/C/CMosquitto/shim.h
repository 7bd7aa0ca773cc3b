#ifndef MDHOST_CMOSQUITTO_SHIM_H
#define MDHOST_CMOSQUITTO_SHIM_H

#include <mosquitto.h>
#include <mqtt_protocol.h>
#include <poll.h>

#endif
