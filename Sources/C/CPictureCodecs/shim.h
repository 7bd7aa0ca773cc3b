#ifndef MDHOST_CPICTURECODECS_SHIM_H
#define MDHOST_CPICTURECODECS_SHIM_H

#include <png.h>
#include <turbojpeg.h>
#include <webp/decode.h>
#include <webp/encode.h>

// Values of macros that Swift does not import.

static const png_uint_32 mdhost_png_bgra = PNG_FORMAT_BGRA;

#endif
