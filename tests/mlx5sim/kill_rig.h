/* A program that is killed: what it had must be free afterwards. */
#ifndef MLX5SIM_TEST_KILL_RIG_H
#define MLX5SIM_TEST_KILL_RIG_H

#include "rig.h"

/* Run `work` in a child process, and kill the child after `work` has returned. Fails if `work`
 * returns false. */
static void kill_after(bool (*work)(void))
{
    int ready[2], status;
    char good = 0;
    pid_t child;

    CHECK_EQ(pipe(ready), 0);
    child = peer_fork();
    if (child == 0) {
        good = work();
        if (write(ready[1], &good, 1) == 1)
            pause();
        _exit(1);
    }
    close(ready[1]);
    CHECK_EQ(read(ready[0], &good, 1), 1);
    CHECK(good);
    CHECK_EQ(kill(child, SIGKILL), 0);
    CHECK_EQ(waitpid(child, &status, 0), child);
    close(ready[0]);
}

/* Wait until `is_free` returns true. The device notices the end of a program within 2 seconds. */
__attribute__((unused)) static void wait_until_free(bool (*is_free)(void))
{
    double end = rig_seconds() + 2;

    while (!is_free())
        CHECK(rig_seconds() < end);
}

#endif
