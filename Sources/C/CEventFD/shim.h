// What Glibc's module leaves out.
#include <sys/eventfd.h>
