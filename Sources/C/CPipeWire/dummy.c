#include "private.h"

#include <stdio.h>

// Where `moves_rate`, a program that is linked to nothing yet is driven by the first driver that has programs, and then gives its
// rate to the idle output that it's linked to. If that driver were a sink of ours, the output would change the rate back, which
// unlinks the program, and so on for ever. So while a sink plays, this node has PipeWire's own driver ("Dummy-Driver") drive such
// programs, which comes first and has the usual rate. It counts as a program only because it's linked, with itself.

static void link_with_itself(struct mdhost_pw *connection) {
        char id[16];
        const struct spa_dict_item items[] = {
                SPA_DICT_ITEM_INIT(PW_KEY_LINK_OUTPUT_NODE, id), SPA_DICT_ITEM_INIT(PW_KEY_LINK_INPUT_NODE, id),
        };
        snprintf(id, sizeof(id), "%u", pw_filter_get_node_id(connection->dummy));
        connection->dummy_link = pw_core_create_object(
                connection->core, "link-factory", PW_TYPE_INTERFACE_Link, PW_VERSION_LINK, &SPA_DICT_INIT_ARRAY(items), 0);
}

static void state_changed(void *data, enum pw_filter_state old, enum pw_filter_state state, const char *error) {
        struct mdhost_pw *connection = data;
        (void) old, (void) error;
        if (state == PW_FILTER_STATE_PAUSED && !connection->dummy_link) link_with_itself(connection);
}

static const struct pw_filter_events events = { .version = PW_VERSION_FILTER_EVENTS, .state_changed = state_changed };

static void add_port(struct pw_filter *filter, enum pw_direction direction, const char *name) {
        struct pw_properties *properties = pw_properties_new(
                PW_KEY_FORMAT_DSP, "32 bit float mono audio", PW_KEY_PORT_NAME, name, NULL);
        if (properties) pw_filter_add_port(filter, direction, PW_FILTER_PORT_FLAG_MAP_BUFFERS, 0, properties, NULL, 0);
}

static void begin(struct mdhost_pw *connection) {
        struct pw_properties *properties = pw_properties_new(
                PW_KEY_NODE_NAME, "mdhost.dummy", PW_KEY_NODE_GROUP, "pipewire.dummy", PW_KEY_NODE_WANT_DRIVER, "false",
                // As few wake-ups as others let it have. With a forced quantum, mpv stopped for ever at its first block.
                PW_KEY_NODE_LATENCY, "8192/48000", NULL);
        if (!properties) return;
        connection->dummy = pw_filter_new(connection->core, "mdhost.dummy", properties);
        if (!connection->dummy) return;
        pw_filter_add_listener(connection->dummy, &connection->dummy_hook, &events, connection);
        add_port(connection->dummy, PW_DIRECTION_INPUT, "input");
        add_port(connection->dummy, PW_DIRECTION_OUTPUT, "output");
        // Without it, programs that play nothing yet are worse off, but the sinks are not.
        pw_filter_connect(connection->dummy, PW_FILTER_FLAG_RT_PROCESS, NULL, 0);
}

static void end(struct mdhost_pw *connection) {
        if (connection->dummy_link) pw_proxy_destroy(connection->dummy_link);
        connection->dummy_link = NULL;
        if (connection->dummy) pw_filter_destroy(connection->dummy);
        connection->dummy = NULL;
}

void mdhost_pw_count_playing(struct mdhost_pw *connection, int change) {
        connection->playing += change;
        if (connection->playing > 0 && !connection->dummy) begin(connection);
        if (connection->playing == 0) end(connection);
}
