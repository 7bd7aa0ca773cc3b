#ifndef MDHOST_CPIPEWIRE_PRIVATE_H
#define MDHOST_CPIPEWIRE_PRIVATE_H

#include "CPipeWire.h"

#include <pipewire/filter.h>
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
        // See dummy.c.
        int playing;
        struct pw_filter *dummy;
        struct spa_hook dummy_hook;
        struct pw_proxy *dummy_link;
};

// Counts the sinks that programs play to: one more, or one less.
void mdhost_pw_count_playing(struct mdhost_pw *connection, int change);

#endif
