#ifndef MDHOST_CPULSEAUDIO_H
#define MDHOST_CPULSEAUDIO_H

#include <pulse/context.h>
#include <pulse/error.h>
#include <pulse/introspect.h>
#include <pulse/mainloop.h>
#include <pulse/operation.h>
#include <pulse/proplist.h>
#include <pulse/stream.h>
#include <pulse/subscribe.h>

/// Loads the library; before that, none of its functions may be called.
///
/// @return The reason it can't be used; NULL on success.
const char *_Nullable mdhost_pulse_load(void);

#endif
