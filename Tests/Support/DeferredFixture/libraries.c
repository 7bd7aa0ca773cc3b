#include "DeferredFixture.h"

#include <CDeferredLibrary.h>

#define PRESENT(F) F(zlibVersion)
#define MISSING(F) F(mdhost_fixture_nowhere)
#define INCOMPLETE(F) F(mdhost_fixture_unknown)

MDHOST_DEFERRED_LIBRARY(present, "libz.so.1", PRESENT)
MDHOST_DEFERRED_LIBRARY(missing, "libmdhost-missing.so.1", MISSING)
MDHOST_DEFERRED_LIBRARY(incomplete, "libz.so.1", INCOMPLETE)

const char *deferred_fixture_load(void) { return mdhost_deferred_library_load(&present); }
const char *deferred_fixture_load_missing(void) { return mdhost_deferred_library_load(&missing); }
const char *deferred_fixture_load_incomplete(void) { return mdhost_deferred_library_load(&incomplete); }
