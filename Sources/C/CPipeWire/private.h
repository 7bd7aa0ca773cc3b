#ifndef MDHOST_CPIPEWIRE_PRIVATE_H
#define MDHOST_CPIPEWIRE_PRIVATE_H

#include "CPipeWire.h"

#include <pipewire/pipewire.h>

struct mdhost_pw {
        struct pw_thread_loop *loop;
        struct pw_context *context;
        struct pw_core *core;
        struct spa_hook hook;
        int answered;
        bool is_lost;
        // Whether a program that comes to a sink may bring the rate of the driver that it comes from.
        bool moves_rate;
        void (*lost)(void *data);
        void *data;
};

#endif
