/// How many times as long everything may take: a build with a sanitizer (scripts/sanitize) is several times slower.
#if SANITIZED
    let slowness = 8
#else
    let slowness = 1
#endif
