/// The factor for all time limits: a build with a sanitizer (scripts/sanitize) is several times slower.
#if SANITIZED
    let slowness = 8
#else
    let slowness = 1
#endif
