#ifndef MDHOST_DEFERREDFIXTURE_H
#define MDHOST_DEFERREDFIXTURE_H

// Functions of the system's compression library, which all programs here are linked with anyway.
const char *zlibVersion(void);

/// Each returns the reason the library can't be used; NULL on success.
const char *deferred_fixture_load(void);
const char *deferred_fixture_load_missing(void);
const char *deferred_fixture_load_incomplete(void);

#endif
