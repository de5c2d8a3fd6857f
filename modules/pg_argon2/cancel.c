/* SPDX-License-Identifier: MIT */
/* Cancel, timeout, terminate, and errors from afar; see cancel.h. */
#include "shim.h"

#include "cancel.h"

/* Whether CHECK_FOR_INTERRUPTS would do anything at all. */
static bool interruptible(void)
{
    return InterruptPending && InterruptHoldoffCount == 0 &&
           CritSectionCount == 0;
}

/* Whether it is bound to end the statement or the session. */
static bool must_stop(void)
{
    return ProcDiePending ||
           (QueryCancelPending && QueryCancelHoldoffCount == 0);
}

/* An ordinary cancel or terminate is only noticed here, and raised when the
 * core is done: even FATAL, which ends the process where it is raised, then
 * finds everything clean. What else is pending must be let in to know what it
 * is. It may be nothing to us (a barrier, a request for a memory dump) and the
 * work goes on; or an error (a recovery conflict, an error of a parallel
 * worker), which is left on the server's error stack: keeping a copy would
 * allocate, and so could fail, above the core's frames. FATAL from here (the
 * client is gone) runs exit callbacks only; admission.c has one. */
int a2f_cancel_poll(void *ctx)
{
    struct a2f_cancel *cancel = ctx;

    if (!interruptible())
        return 0;
    if (must_stop())
        return 1;
    PG_TRY();
    {
        CHECK_FOR_INTERRUPTS();
    }
    PG_CATCH();
    {
        cancel->raised = true;
    }
    PG_END_TRY();
    return cancel->raised || (interruptible() && must_stop());
}

void a2f_cancel_raise(const struct a2f_cancel *cancel)
{
    if (cancel->raised)
        PG_RE_THROW();
    CHECK_FOR_INTERRUPTS();
    /* The work is gone, so the statement cannot go on either. */
    ereport(ERROR, (errcode(ERRCODE_QUERY_CANCELED),
                    errmsg("canceling statement while hashing a password")));
}
