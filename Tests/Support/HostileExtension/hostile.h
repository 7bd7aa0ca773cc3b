#ifndef HOSTILE_H
#define HOSTILE_H

#include <errno.h>
#include <sys/types.h>

// The only attempt to make; all if NULL.
extern const char *only;

int wanted(const char *name);

// Prints the result of an attempt: a non-negative result is a success.
void tell(const char *name, long result);

#define TRY(name, expression) do { if (wanted(name)) { errno = 0; tell(name, (long)(expression)); } } while (0)

// Attempts on one private path, on the daemon's process, and on the system.
void take(const char *name, const char *path);
// What a path says of a file without opening it; a link to it is at the path with `-link` added.
void see(const char *name, const char *path);
void touch(pid_t daemon);
void other_ways(void);

#endif
