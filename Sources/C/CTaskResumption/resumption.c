// Resumes tasks without Swift's pool of threads.
//
// A continuation that is resumed enqueues its task for the pool, whatever actor the task belongs to. A thread of the pool is
// woken, finds that the task continues on its actor, enqueues it there, and sleeps again: a switch of threads and several
// system calls, which take longer than most messages. Swift has no setting for it. But its runtime has a hook for everything
// that is enqueued for the pool, which Swift NIO uses, too.
#include "CTaskResumption.h"
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

#define SWIFT_CALL __attribute__((swiftcall))

typedef SWIFT_CALL void (*enqueue)(void *job);
typedef SWIFT_CALL void (*enqueue_hook)(void *job, enqueue original);

// The Swift runtime's.
extern enqueue_hook swift_task_enqueueGlobal_hook;

static _Thread_local bool is_keeping;
static _Thread_local void *kept;
// Another library's.
static enqueue_hook earlier;

static SWIFT_CALL void take(void *job, enqueue original) {
    if (is_keeping) {
        is_keeping = false;
        kept = job;
    } else if (earlier != NULL) {
        earlier(job, original);
    } else {
        original(job);
    }
}

static void install(void) {
    earlier = swift_task_enqueueGlobal_hook;
    __atomic_store_n(&swift_task_enqueueGlobal_hook, take, __ATOMIC_RELEASE);
}

void task_resumption_begin(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, install);
    is_keeping = true;
}

void *task_resumption_end(void) {
    void *job = kept;
    kept = NULL;
    is_keeping = false;
    return job;
}
