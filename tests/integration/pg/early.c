/* SPDX-License-Identifier: MIT
 * The sanitizers set themselves up at the first malloc. In a server that is one
 * of gettext's, with its lock taken (libgpg-error binds a text domain when it
 * is loaded); they then ask gettext for a message, and the lock is broken. This
 * library, linked with -z initfirst, is that first caller instead. */
#include <stdlib.h>

__attribute__((constructor)) static void be_first(void)
{
    void *volatile block = malloc(1);

    free(block);
}
