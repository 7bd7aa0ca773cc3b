#ifndef MDHOST_DEFERREDFIXTURE_H
#define MDHOST_DEFERREDFIXTURE_H

// Of the system's compression library, which everything here is linked with anyway.
const char *zlibVersion(void);

/// Each returns why the library cannot be used; NULL where it can.
const char *deferred_fixture_load(void);
const char *deferred_fixture_load_missing(void);
const char *deferred_fixture_load_incomplete(void);

#endif
