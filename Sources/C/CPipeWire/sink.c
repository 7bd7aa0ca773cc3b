#include "private.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include <spa/param/audio/format-utils.h>
#include <spa/param/latency-utils.h>
#include <spa/param/props.h>
#include <spa/pod/builder.h>
#include <spa/pod/iter.h>

struct mdhost_pw_sink {
        struct pw_loop *loop;
        struct pw_stream *stream;
        struct spa_hook hook;
        struct spa_source *timer;
        mdhost_pw_sink_events events;
        void *data;
        uint32_t rate, block;
        // Of the node that drives this one: itself, as a rule. NULL before there is one.
        const struct spa_io_position *position;
        // Only where programs may bring another rate.
        mdhost_pw *connection;
        struct spa_hook core_hook;
        int number;
        bool is_playing;
};

static void force_rate(struct mdhost_pw_sink *sink, uint32_t rate) {
        char text[16];
        struct spa_dict_item items[] = { SPA_DICT_ITEM_INIT("node.force-rate", text) };
        snprintf(text, sizeof(text), "%u", rate);
        pw_stream_update_properties(sink->stream, &SPA_DICT_INIT_ARRAY(items));
}

// The sink may not force its rate for longer: the rate that a program brings would be changed back, which unlinks the program,
// the driver that it came from takes it again, and so on for ever. It keeps the rate by `node.lock-rate`.
static void take_rate(struct mdhost_pw_sink *sink) {
        force_rate(sink, sink->rate);
        force_rate(sink, 0);
}

static void answered(void *data, uint32_t id, int number) {
        struct mdhost_pw_sink *sink = data;
        if (id == PW_ID_CORE && number == sink->number) take_rate(sink);
}

static const struct pw_core_events core_events = { .version = PW_VERSION_CORE_EVENTS, .done = answered };

static void keep_rate(struct mdhost_pw_sink *sink, enum pw_stream_state old) {
        // A new node takes a rate once it is active, which the library asks for only after this.
        if (old == PW_STREAM_STATE_CONNECTING) sink->number = pw_core_sync(sink->connection->core, PW_ID_CORE, 0);
        else if (sink->position && sink->position->clock.rate.denom != sink->rate) take_rate(sink);
}

static void count_playing(struct mdhost_pw_sink *sink, bool is_playing) {
        if (is_playing == sink->is_playing) return;
        sink->is_playing = is_playing;
        mdhost_pw_count_playing(sink->connection, is_playing ? 1 : -1);
}

static void state_changed(void *data, enum pw_stream_state old, enum pw_stream_state state, const char *error) {
        struct mdhost_pw_sink *sink = data;
        (void) error;
        if (old == PW_STREAM_STATE_CONNECTING && state == PW_STREAM_STATE_PAUSED) sink->events.ready(sink->data);
        if (sink->connection && state == PW_STREAM_STATE_PAUSED) keep_rate(sink, old);
        if (sink->connection) count_playing(sink, state == PW_STREAM_STATE_STREAMING);
        sink->events.running(sink->data, state == PW_STREAM_STATE_STREAMING);
}

static void place_changed(void *data, uint32_t id, void *area, uint32_t size) {
        struct mdhost_pw_sink *sink = data;
        if (id == SPA_IO_Position) sink->position = size >= sizeof(*sink->position) ? area : NULL;
}

static void tell_level(struct mdhost_pw_sink *sink, const struct spa_pod *properties) {
        const struct spa_pod_prop *property;
        float volumes[SPA_AUDIO_MAX_CHANNELS], volume = -1;
        int is_muted = -1;
        uint32_t count, index;
        bool flag;
        SPA_POD_OBJECT_FOREACH((const struct spa_pod_object *) properties, property) {
                switch (property->key) {
                case SPA_PROP_channelVolumes:
                        count = spa_pod_copy_array(
                                &property->value, SPA_TYPE_Float, volumes, SPA_AUDIO_MAX_CHANNELS);
                        for (index = 0; index < count; index++) volume = SPA_MAX(volume, volumes[index]);
                        break;
                case SPA_PROP_mute:
                        if (spa_pod_get_bool(&property->value, &flag) == 0) is_muted = flag;
                        break;
                }
        }
        sink->events.level(sink->data, volume, is_muted);
}

static void parameter_changed(void *data, uint32_t id, const struct spa_pod *parameter) {
        struct mdhost_pw_sink *sink = data;
        if (!parameter) return;
        if (id == SPA_PARAM_Format) sink->events.ready(sink->data);
        if (id == SPA_PARAM_Props) tell_level(sink, parameter);
}

static void process(void *data) {
        struct mdhost_pw_sink *sink = data;
        struct pw_buffer *buffer;
        while ((buffer = pw_stream_dequeue_buffer(sink->stream))) {
                struct spa_data *block = &buffer->buffer->datas[0];
                if (buffer->buffer->n_datas > 0 && block->data && block->chunk) {
                        uint32_t offset = SPA_MIN(block->chunk->offset, block->maxsize);
                        uint32_t length = SPA_MIN(block->chunk->size, block->maxsize - offset);
                        sink->events.samples(sink->data, SPA_PTROFF(block->data, offset, void), length);
                }
                pw_stream_queue_buffer(sink->stream, buffer);
        }
}

static const struct pw_stream_events stream_events = {
        .version = PW_VERSION_STREAM_EVENTS,
        .state_changed = state_changed,
        .io_changed = place_changed,
        .param_changed = parameter_changed,
        .process = process,
};

static void tick(void *data, uint64_t expirations) {
        struct mdhost_pw_sink *sink = data;
        (void) expirations;
        sink->events.tick(sink->data);
}

static struct pw_properties *properties_of(
        const char *name, const char *description, uint32_t rate, uint32_t block, bool moves_rate) {
        struct pw_properties *properties = pw_properties_new(
                PW_KEY_MEDIA_CLASS, "Audio/Sink", PW_KEY_NODE_NAME, name, PW_KEY_NODE_DESCRIPTION, description,
                PW_KEY_NODE_NICK, description, PW_KEY_NODE_VIRTUAL, "true", PW_KEY_DEVICE_ICON_NAME, "audio-speakers",
                // A low priority: a sound card is preferred to a speaker in another room.
                "priority.session", "100", "state.restore-props", "false", NULL);
        if (!properties) return NULL;
        pw_properties_setf(properties, PW_KEY_NODE_LATENCY, "%u/%u", block, rate);
        // For the whole graph that it drives: avoids needless resampling, and sets the length of blocks.
        pw_properties_setf(properties, PW_KEY_NODE_RATE, "1/%u", rate);
        if (moves_rate) pw_properties_set(properties, PW_KEY_NODE_LOCK_RATE, "true");
        else pw_properties_setf(properties, "node.force-rate", "%u", rate);
        pw_properties_setf(properties, "node.force-quantum", "%u", block);
        return properties;
}

mdhost_pw_sink *mdhost_pw_sink_new(
        mdhost_pw *connection, const char *name, const char *description, uint32_t rate, uint32_t block,
        const mdhost_pw_sink_events *events, void *data) {
        uint8_t memory[1024];
        struct spa_pod_builder builder = SPA_POD_BUILDER_INIT(memory, sizeof(memory));
        struct spa_audio_info_raw format = {
                .format = SPA_AUDIO_FORMAT_S16_LE, .rate = rate, .channels = 2,
                .position = { SPA_AUDIO_CHANNEL_FL, SPA_AUDIO_CHANNEL_FR },
        };
        const struct spa_pod *parameters[1];
        struct mdhost_pw_sink *sink = calloc(1, sizeof(*sink));
        int result;
        if (!sink) return NULL;
        sink->loop = pw_thread_loop_get_loop(connection->loop);
        sink->events = *events;
        sink->data = data;
        sink->rate = rate;
        sink->block = block;
        sink->number = -1;
        sink->timer = pw_loop_add_timer(sink->loop, tick, sink);
        sink->stream = pw_stream_new(
                connection->core, description, properties_of(name, description, rate, block, connection->moves_rate));
        result = sink->timer && sink->stream ? 0 : -errno;
        if (result == 0 && connection->moves_rate) {
                sink->connection = connection;
                pw_core_add_listener(connection->core, &sink->core_hook, &core_events, sink);
        }
        if (result == 0) {
                pw_stream_add_listener(sink->stream, &sink->hook, &stream_events, sink);
                parameters[0] = spa_format_audio_raw_build(&builder, SPA_PARAM_EnumFormat, &format);
                result = pw_stream_connect(
                        sink->stream, PW_DIRECTION_INPUT, PW_ID_ANY,
                        PW_STREAM_FLAG_MAP_BUFFERS | PW_STREAM_FLAG_DRIVER, parameters, 1);
        }
        if (result >= 0) return sink;
        mdhost_pw_sink_destroy(sink);
        errno = -result;
        return NULL;
}

void mdhost_pw_sink_destroy(mdhost_pw_sink *sink) {
        if (sink->timer) pw_loop_destroy_source(sink->loop, sink->timer);
        if (sink->connection) spa_hook_remove(&sink->core_hook);
        if (sink->stream) pw_stream_destroy(sink->stream);
        if (sink->connection) count_playing(sink, false);
        free(sink);
}

void mdhost_pw_sink_set_description(mdhost_pw_sink *sink, const char *description) {
        struct spa_dict_item items[] = {
                SPA_DICT_ITEM_INIT(PW_KEY_NODE_DESCRIPTION, description),
                SPA_DICT_ITEM_INIT(PW_KEY_NODE_NICK, description),
        };
        pw_stream_update_properties(sink->stream, &SPA_DICT_INIT_ARRAY(items));
}

void mdhost_pw_sink_block(mdhost_pw_sink *sink, uint32_t *frames, uint32_t *rate) {
        const struct spa_io_clock *clock = sink->position ? &sink->position->clock : NULL;
        bool is_set = clock && clock->duration > 0 && clock->duration <= UINT16_MAX && clock->rate.denom > 0;
        *frames = is_set ? (uint32_t) clock->duration : sink->block;
        *rate = is_set ? clock->rate.denom : sink->rate;
}

void mdhost_pw_sink_run(mdhost_pw_sink *sink) { pw_stream_trigger_process(sink->stream); }

void mdhost_pw_sink_set_timer(mdhost_pw_sink *sink, uint64_t time) {
        struct timespec value = { time / SPA_NSEC_PER_SEC, time % SPA_NSEC_PER_SEC };
        pw_loop_update_timer(sink->loop, sink->timer, &value, NULL, true);
}

void mdhost_pw_sink_set_volume(mdhost_pw_sink *sink, float volume) {
        float volumes[2] = { volume, volume }, unchanged[2] = { 1.0f, 1.0f };
        pw_stream_set_control(
                sink->stream, SPA_PROP_softVolumes, 2, unchanged, SPA_PROP_channelVolumes, 2, volumes, 0);
}

void mdhost_pw_sink_set_mute(mdhost_pw_sink *sink, bool is_muted) {
        float value = is_muted ? 1.0f : 0.0f, unchanged = 0.0f;
        pw_stream_set_control(sink->stream, SPA_PROP_softMute, 1, &unchanged, SPA_PROP_mute, 1, &value, 0);
}

void mdhost_pw_sink_set_latency(mdhost_pw_sink *sink, uint64_t time) {
        uint8_t memory[512];
        struct spa_pod_builder builder = SPA_POD_BUILDER_INIT(memory, sizeof(memory));
        struct spa_latency_info latency = SPA_LATENCY_INFO(
                SPA_DIRECTION_INPUT, .min_ns = time, .max_ns = time);
        const struct spa_pod *parameters[] = { spa_latency_build(&builder, SPA_PARAM_Latency, &latency) };
        pw_stream_update_params(sink->stream, parameters, 1);
}
