#include "COpus.h"

#include <CDeferredLibrary.h>

// What is called anywhere has to be here: linking says so otherwise.
#define OPUS_FUNCTIONS(F) \
        F(opus_decode) F(opus_decoder_create) F(opus_decoder_destroy) F(opus_encode) F(opus_encoder_create) \
        F(opus_encoder_ctl) F(opus_encoder_destroy) F(opus_strerror)

MDHOST_DEFERRED_LIBRARY(libopus, "libopus.so.0", OPUS_FUNCTIONS)

const char *mdhost_opus_load(void) { return mdhost_deferred_library_load(&libopus); }
