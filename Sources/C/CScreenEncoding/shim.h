#ifndef MDHOST_CSCREENENCODING_SHIM_H
#define MDHOST_CSCREENENCODING_SHIM_H

#include <errno.h>
#include <string.h>
#include <sys/ioctl.h>

#include <libavcodec/avcodec.h>
#include <libavdevice/avdevice.h>
#include <libavformat/avformat.h>
#include <libavutil/channel_layout.h>
#include <libavutil/error.h>
#include <libavutil/log.h>
#include <libavutil/opt.h>
#include <libavutil/time.h>
#include <libswresample/swresample.h>
#include <libswscale/swscale.h>

// Values of macros that Swift does not import, and calls with arrays of pointers.

static const int mdhost_screen_again = AVERROR(EAGAIN);
static const int mdhost_screen_search_children = AV_OPT_SEARCH_CHILDREN;
static const int mdhost_screen_flush = AVFMT_FLAG_FLUSH_PACKETS;
static const int mdhost_screen_custom_output = AVFMT_FLAG_CUSTOM_IO;

/// The number of bytes that wait in a pipe; negative on failure.
static inline int mdhost_screen_pipe_length(int descriptor) {
        int length = 0;
        return ioctl(descriptor, FIONREAD, &length) < 0 ? -1 : length;
}

/// Scales a packed picture into a part of a planar one, whose place is even.
static inline int mdhost_screen_scale(
        struct SwsContext *context, const uint8_t *pixels, int stride, int height, AVFrame *frame, int x, int y) {
        const uint8_t *sources[4] = { pixels };
        const int source_strides[4] = { stride };
        uint8_t *planes[4] = {
                frame->data[0] + (size_t)y * frame->linesize[0] + x,
                frame->data[1] + (size_t)(y / 2) * frame->linesize[1] + x / 2,
                frame->data[2] + (size_t)(y / 2) * frame->linesize[2] + x / 2,
        };
        const int strides[4] = { frame->linesize[0], frame->linesize[1], frame->linesize[2] };
        return sws_scale(context, sources, source_strides, 0, height, planes, strides);
}

static inline void mdhost_screen_blacken(AVFrame *frame) {
        memset(frame->data[0], 16, (size_t)frame->linesize[0] * frame->height);
        memset(frame->data[1], 128, (size_t)frame->linesize[1] * (frame->height / 2));
        memset(frame->data[2], 128, (size_t)frame->linesize[2] * (frame->height / 2));
}

/// Turns interleaved stereo of 16 bit into the two planes of floats that the AAC encoder takes.
static inline void mdhost_screen_separate(AVFrame *frame, const int16_t *samples, int count) {
        float *left = (float *)frame->data[0], *right = (float *)frame->data[1];
        int index;
        for (index = 0; index < count; index++) {
                left[index] = samples[2 * index] / 32768.0f;
                right[index] = samples[2 * index + 1] / 32768.0f;
        }
}

static inline void mdhost_screen_set_stereo(AVCodecContext *context) {
        const AVChannelLayout stereo = AV_CHANNEL_LAYOUT_STEREO;
        context->ch_layout = stereo;
}

static inline void mdhost_screen_set_stereo_frame(AVFrame *frame) {
        const AVChannelLayout stereo = AV_CHANNEL_LAYOUT_STEREO;
        frame->ch_layout = stereo;
}

#endif
