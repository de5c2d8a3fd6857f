/* SPDX-License-Identifier: MIT */
/* Many jobs in one call. */
#include "engine.h"

enum a2f_status a2f_batch(struct a2f_engine *engine, struct a2f_job *jobs,
                          size_t n, const struct a2f_run *run)
{
    static const struct a2f_run plain_run;
    enum a2f_status s = A2F_OK;

    if (run == NULL)
        run = &plain_run;
    for (size_t i = 0; i < n; i++) {
        struct a2f_task task;

        if (s == A2F_CANCELLED) {
            jobs[i].status = A2F_CANCELLED;
            continue;
        }
        if (a2f_task_begin(engine, &task, &jobs[i]) != A2F_OK)
            continue;
        jobs[i].status = a2f_compute(engine, &task, 1, run);
        s = jobs[i].status;
        a2f_task_end(&task, &jobs[i]);
    }
    return s == A2F_CANCELLED ? s : A2F_OK;
}
