#include "private.h"

#include <errno.h>
#include <stdlib.h>

#include <spa/param/video/format-utils.h>
#include <spa/pod/builder.h>

struct mdhost_pw_capture {
        struct pw_stream *stream;
        struct spa_hook hook;
        struct spa_video_info_raw format;
        mdhost_pw_capture_events events;
        void *data;
};

static void state_changed(void *data, enum pw_stream_state old, enum pw_stream_state state, const char *error) {
        struct mdhost_pw_capture *capture = data;
        (void) error;
        // The source was there, and is not any more; or it never came.
        if (state == PW_STREAM_STATE_ERROR || (state == PW_STREAM_STATE_UNCONNECTED && old != state))
                capture->events.ended(capture->data);
}

static void parameter_changed(void *data, uint32_t id, const struct spa_pod *parameter) {
        struct mdhost_pw_capture *capture = data;
        uint8_t memory[512];
        struct spa_pod_builder builder = SPA_POD_BUILDER_INIT(memory, sizeof(memory));
        const struct spa_pod *parameters[1];
        if (!parameter || id != SPA_PARAM_Format) return;
        if (spa_format_video_raw_parse(parameter, &capture->format) < 0) return;
        // In memory that can be read as it is, not in that of a graphics card.
        parameters[0] = spa_pod_builder_add_object(
                &builder, SPA_TYPE_OBJECT_ParamBuffers, SPA_PARAM_Buffers, SPA_PARAM_BUFFERS_dataType,
                SPA_POD_CHOICE_FLAGS_Int(1 << SPA_DATA_MemPtr | 1 << SPA_DATA_MemFd));
        pw_stream_update_params(capture->stream, parameters, 1);
}

static void show(struct mdhost_pw_capture *capture, const struct spa_data *block) {
        const struct spa_video_info_raw *format = &capture->format;
        uint32_t row = format->size.width * 4, offset, stride;
        bool is_red_first = format->format == SPA_VIDEO_FORMAT_RGBx || format->format == SPA_VIDEO_FORMAT_RGBA;
        if (!block->data || !block->chunk || block->chunk->size == 0) return;
        if (block->chunk->flags & SPA_CHUNK_FLAG_CORRUPTED) return;
        offset = SPA_MIN(block->chunk->offset, block->maxsize);
        stride = block->chunk->stride > 0 ? (uint32_t) block->chunk->stride : row;
        // The source's word on its own buffer isn't taken.
        if (row == 0 || stride < row || format->size.height == 0) return;
        if ((uint64_t) stride * (format->size.height - 1) + row > block->maxsize - offset) return;
        capture->events.picture(
                capture->data, SPA_PTROFF(block->data, offset, void), stride, format->size.width, format->size.height,
                is_red_first);
}

static void process(void *data) {
        struct mdhost_pw_capture *capture = data;
        struct pw_buffer *newest = NULL, *buffer;
        while ((buffer = pw_stream_dequeue_buffer(capture->stream))) {
                if (newest) pw_stream_queue_buffer(capture->stream, newest);
                newest = buffer;
        }
        if (!newest) return;
        if (newest->buffer->n_datas > 0) show(capture, &newest->buffer->datas[0]);
        pw_stream_queue_buffer(capture->stream, newest);
}

static const struct pw_stream_events stream_events = {
        .version = PW_VERSION_STREAM_EVENTS,
        .state_changed = state_changed,
        .param_changed = parameter_changed,
        .process = process,
};

mdhost_pw_capture *mdhost_pw_capture_new(
        mdhost_pw *connection, uint32_t node, uint32_t rate, const mdhost_pw_capture_events *events, void *data) {
        uint8_t memory[1024];
        struct spa_pod_builder builder = SPA_POD_BUILDER_INIT(memory, sizeof(memory));
        const struct spa_pod *parameters[1];
        struct mdhost_pw_capture *capture = calloc(1, sizeof(*capture));
        int result;
        if (!capture) return NULL;
        capture->events = *events;
        capture->data = data;
        capture->stream = pw_stream_new(
                connection->core, "mdhost screen",
                pw_properties_new(
                        PW_KEY_MEDIA_TYPE, "Video", PW_KEY_MEDIA_CATEGORY, "Capture", PW_KEY_MEDIA_ROLE, "Screen", NULL));
        result = capture->stream ? 0 : -errno;
        if (result == 0) {
                pw_stream_add_listener(capture->stream, &capture->hook, &stream_events, capture);
                parameters[0] = spa_pod_builder_add_object(
                        &builder, SPA_TYPE_OBJECT_Format, SPA_PARAM_EnumFormat,
                        SPA_FORMAT_mediaType, SPA_POD_Id(SPA_MEDIA_TYPE_video),
                        SPA_FORMAT_mediaSubtype, SPA_POD_Id(SPA_MEDIA_SUBTYPE_raw),
                        SPA_FORMAT_VIDEO_format, SPA_POD_CHOICE_ENUM_Id(
                                5, SPA_VIDEO_FORMAT_BGRx, SPA_VIDEO_FORMAT_BGRx, SPA_VIDEO_FORMAT_BGRA,
                                SPA_VIDEO_FORMAT_RGBx, SPA_VIDEO_FORMAT_RGBA),
                        SPA_FORMAT_VIDEO_size, SPA_POD_CHOICE_RANGE_Rectangle(
                                &SPA_RECTANGLE(1280, 720), &SPA_RECTANGLE(1, 1), &SPA_RECTANGLE(16384, 16384)),
                        SPA_FORMAT_VIDEO_framerate, SPA_POD_CHOICE_RANGE_Fraction(
                                &SPA_FRACTION(rate, 1), &SPA_FRACTION(0, 1), &SPA_FRACTION(1000, 1)));
                result = pw_stream_connect(
                        capture->stream, PW_DIRECTION_INPUT, node,
                        PW_STREAM_FLAG_AUTOCONNECT | PW_STREAM_FLAG_MAP_BUFFERS, parameters, 1);
        }
        if (result >= 0) return capture;
        mdhost_pw_capture_destroy(capture);
        errno = -result;
        return NULL;
}

void mdhost_pw_capture_destroy(mdhost_pw_capture *capture) {
        if (capture->stream) pw_stream_destroy(capture->stream);
        free(capture);
}
