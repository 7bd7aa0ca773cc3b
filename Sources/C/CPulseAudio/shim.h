#ifndef MDHOST_CPULSEAUDIO_SHIM_H
#define MDHOST_CPULSEAUDIO_SHIM_H

#include <pulse/context.h>
#include <pulse/error.h>
#include <pulse/introspect.h>
#include <pulse/mainloop.h>
#include <pulse/operation.h>
#include <pulse/proplist.h>
#include <pulse/stream.h>
#include <pulse/subscribe.h>

#endif
