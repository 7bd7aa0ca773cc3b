#pragma once

// Keeps the next job that this thread enqueues for Swift's pool of threads, until task_resumption_end().
void task_resumption_begin(void);

// Returns the job, which the caller has to run, or NULL if there was none.
void *task_resumption_end(void);
