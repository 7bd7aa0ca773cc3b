// Functions that Glibc's module leaves out.
#include <malloc.h>
#include <sys/eventfd.h>
