#ifndef MDHOST_CFFMPEG_SHIM_H
#define MDHOST_CFFMPEG_SHIM_H

#include <errno.h>
#include <string.h>

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/avutil.h>
#include <libavutil/channel_layout.h>
#include <libavutil/dict.h>
#include <libavutil/error.h>
#include <libavutil/log.h>
#include <libavutil/mem.h>
#include <libavutil/opt.h>
#include <libswresample/swresample.h>

// Values of macros that Swift does not import.

static const int mdhost_av_again = AVERROR(EAGAIN);
static const int mdhost_av_end = AVERROR_EOF;
static const int mdhost_av_exit = AVERROR_EXIT;
static const int mdhost_av_invalid_data = AVERROR_INVALIDDATA;
static const int mdhost_av_no_decoder = AVERROR_DECODER_NOT_FOUND;
static const int mdhost_av_no_demuxer = AVERROR_DEMUXER_NOT_FOUND;
static const int mdhost_av_unsupported = AVERROR_PATCHWELCOME;
static const int mdhost_av_search_children = AV_OPT_SEARCH_CHILDREN;
static const int64_t mdhost_av_no_time = AV_NOPTS_VALUE;
static const int64_t mdhost_av_time_base = AV_TIME_BASE;

/// `NULL` after the last one.
static inline const AVDictionaryEntry *mdhost_av_next(const AVDictionary *dictionary, const AVDictionaryEntry *entry) {
        return av_dict_get(dictionary, "", entry, AV_DICT_IGNORE_SUFFIX);
}

/// A converter to interleaved signed 16 bit, two channels; a source without a layout gets the usual one of its channels.
static inline int mdhost_swr_stereo(SwrContext **context, const AVFrame *frame, int rate) {
        AVChannelLayout stereo = AV_CHANNEL_LAYOUT_STEREO;
        AVChannelLayout source;
        int result;
        if (frame->ch_layout.order == AV_CHANNEL_ORDER_UNSPEC) {
                av_channel_layout_default(&source, frame->ch_layout.nb_channels);
        } else {
                memset(&source, 0, sizeof(source));
                result = av_channel_layout_copy(&source, &frame->ch_layout);
                if (result < 0)
                        return result;
        }
        result = swr_alloc_set_opts2(
                context, &stereo, AV_SAMPLE_FMT_S16, rate, &source, frame->format, frame->sample_rate, 0, NULL);
        av_channel_layout_uninit(&source);
        return result < 0 ? result : swr_init(*context);
}

#endif
