#ifndef MDHOST_COPUS_H
#define MDHOST_COPUS_H

#include <opus/opus.h>

/// Loads the library; before that, none of its functions may be called.
///
/// @return Why it cannot be used; NULL where it can.
const char *_Nullable mdhost_opus_load(void);

// Swift has no functions with a variable number of arguments, nor the macros that check them.

static inline int mdhost_opus_set_bitrate(OpusEncoder *_Nonnull encoder, opus_int32 bitrate) {
        return opus_encoder_ctl(encoder, OPUS_SET_BITRATE(bitrate));
}

static inline int mdhost_opus_set_complexity(OpusEncoder *_Nonnull encoder, opus_int32 complexity) {
        return opus_encoder_ctl(encoder, OPUS_SET_COMPLEXITY(complexity));
}

#endif
