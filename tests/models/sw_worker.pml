/* Model of a lane of a queue that a worker serves: >>impl.sw.worker and >>impl.sw.served of
 * doca_core.h. The thread of the PE posts TASKS tasks into BOXES mailboxes, reaps finished tasks,
 * and sleeps on its notification handle when no task has finished. The worker executes tasks, and
 * sleeps when there is nothing to do. A third thread stops the worker up to STOPS times; after each
 * stop the worker may run again.
 *
 * Proven, over all orders of the steps:
 *   - every task is executed once and reaped once, by the worker or by the thread of the PE
 *   - the thread of the PE never sleeps for ever while a task is not reaped, even if the worker
 *     sleeps for good or was stopped
 * Assumed: stores that are not ORDERED reach memory in the order in which their thread makes them,
 * but possibly after later loads of that thread. (This is the order of x86. Release and acquire of
 * C11 permit no other results between two threads if only one thread at a time writes a location.)
 * System calls and read-modify-writes wait until earlier stores are in memory. A futex wakes the
 * threads that sleep on the word; a thread does not fall asleep if the word has changed.
 *
 * Steps and functions:
 *   post        doca_priv_sw_served_lane(), doca_priv_sw_lane_post(); without a worker the task
 *               counts in num_plain
 *   wake()      doca_priv_sw_worker_wake()
 *   poll        doca_priv_sw_served_poll(), doca_priv_sw_lane_reap()
 *   arm         doca_priv_sw_served_arm(), doca_priv_sw_served_ready()
 *   execute()   doca_priv_sw_lane_execute(), doca_priv_sw_lane_answer()
 *   tell()      doca_priv_sw_lane_signal()
 *   worker      doca_core_sw_worker_run(), doca_priv_sw_worker_loop(), _turn, _step_aside
 *   hold        doca_priv_sw_lane_hold();  serve: doca_priv_sw_lane_serve()
 *   sleep       doca_priv_sw_worker_sleep(), with doca_priv_sw_worker_set_mode() before and after
 *   end         doca_priv_sw_worker_end(), doca_priv_sw_lane_release()
 *   control     doca_core_sw_worker_stop()
 *
 * Mutants, in each of which spin must find an error:
 *   -DNO_RECHECK   the worker stores ASLEEP and sleeps without reading the lane again
 *   -DNO_TELL      the worker stores ASLEEP and sleeps without reading "armed" again
 *   -DNO_FENCE     "armed" is stored without order, and no fence follows
 *   -DNO_READY     the PE does not look for finished tasks after it armed
 *   -DNO_DUE       a stopped worker leaves the lane without waking an armed PE                 */
#ifndef TASKS
#define TASKS 2
#endif
#ifndef BOXES
#define BOXES 2
#endif
#ifndef STOPS
#define STOPS 1
#endif

#define POSTED 1
#define DONE 2
#define ABSENT 0
#define AWAKE 1
#define ASLEEP 2

/* Indexes in `mem`: the mailboxes, then these words. */
#define MODE BOXES
#define ARMED (BOXES + 1)
#define WORD (BOXES + 2)

byte mem[BOXES + 3];                        /* WORD: `asleep` of the worker, a futex */
chan of_pe = [3] of { byte, byte };         /* stores (index, value) that are not in memory yet */
chan of_worker = [3] of { byte, byte };
bool lane_lock, worker_lock, is_stopped, is_running;
byte num_waiting;
bool signal;                                /* the eventfd of the queue is readable */
byte head, num_done, signalled;             /* variables of the thread that executes tasks */
byte now_armed;                             /* the same, only in tell() */
byte armed_at;                              /* variable of the PE: tasks reaped when it armed */
byte executed;                              /* tasks executed so far */

inline store(buffer, at, what) { buffer!at, what }
inline fence(buffer) { empty(buffer) }
inline store_ordered(buffer, at, what) { atomic { empty(buffer) -> mem[at] = what } }

proctype flush(chan buffer)
{
    byte at, what;

end:
    do
    :: atomic { buffer?at, what -> mem[at] = what }
    od
}

inline wake(buffer)
{
    if
    :: mem[WORD] != 0 -> store_ordered(buffer, WORD, 0) /* includes the system call */
    :: else
    fi
}

inline execute(buffer)
{
    executed++;
    was = head;
    head = (head + 1) % BOXES;
    num_done++;
    store(buffer, was, DONE)
}

/* True when the oldest box is posted: not while a DONE for it is still in the buffer. */
#define IS_POSTED(buffer) (mem[head] == POSTED && !buffer??[eval(head), DONE])

inline tell()
{
    now_armed = mem[ARMED];
    if
    :: now_armed != 0 && now_armed != signalled && num_done != armed_at ->
        signalled = now_armed;
        fence(of_worker); /* a system call */
        signal = true
    :: else
    fi
}

proctype worker()
{
    byte was, runs;
    bool held, is_busy;

begin:
    atomic { !worker_lock -> worker_lock = true };
    is_running = true;
    do
    :: is_stopped -> break
    :: else ->
        /* turn: hold, then serve */
        if
        :: !held ->
            if
            :: atomic { !lane_lock -> lane_lock = true; held = true }; store(of_worker, MODE, AWAKE)
            :: lane_lock
            fi
        :: else
        fi;
        is_busy = !held;
        do
        :: held && IS_POSTED(of_worker) ->
            execute(of_worker);
            is_busy = true;
            if
            :: mem[ARMED] != 0 -> tell()
            :: else
            fi
        :: else -> break
        od;
        if
        :: held && mem[ARMED] != 0 -> tell()
        :: else
        fi;
        if
        :: !is_busy -> /* sleep */
            store_ordered(of_worker, WORD, 1);
            store_ordered(of_worker, MODE, ASLEEP);
#ifndef NO_TELL
            tell();
#endif
#ifndef NO_RECHECK
            is_busy = IS_POSTED(of_worker);
#endif
            if
            :: !is_busy ->
                worker_lock = false;
end_asleep:
                (mem[WORD] == 0);
                atomic { !worker_lock -> worker_lock = true }
            :: else
            fi;
            store(of_worker, WORD, 0);
            store_ordered(of_worker, MODE, AWAKE);
            tell()
        :: else
        fi;
        if
        :: num_waiting > 0 -> /* step aside */
            worker_lock = false;
            (num_waiting == 0);
            atomic { !worker_lock -> worker_lock = true }
        :: else
        fi
    od;
    is_stopped = false;
    is_running = false;
    if
    :: held ->
        held = false;
        store_ordered(of_worker, MODE, ABSENT);
        is_busy = mem[ARMED] != 0;
        is_busy = is_busy && (IS_POSTED(of_worker) || num_done != armed_at);
        fence(of_worker);
        lane_lock = false;
#ifndef NO_DUE
        if
        :: is_busy -> signal = true
        :: else
        fi
#endif
    :: else
    fi;
    worker_lock = false;
    runs++;
    if
    :: runs <= STOPS -> goto begin
    :: runs <= STOPS -> skip /* the worker does not run again */
    :: else
    fi
}

proctype control()
{
    byte stops;

    do
    :: stops < STOPS ->
        num_waiting++;
        atomic { !worker_lock -> worker_lock = true };
        num_waiting--;
        is_stopped = true;
        if
        :: atomic { is_running && mem[WORD] != 0 -> mem[WORD] = 0 } /* wake */
        :: is_running && mem[WORD] == 0
        :: !is_running
        fi;
        worker_lock = false;
        stops++
    :: break
    od
}

/* True when a task can be reaped: not while a POSTED for its box is still in the PE's buffer. */
#define IS_DONE (num_posted > 0 && mem[reap_at] == DONE && !of_pe??[eval(reap_at), POSTED])

proctype pe()
{
    byte posted, reaped, of_lane, num_posted, post_at, reap_at, num_plain, num_arms, mode, was;
    bool has_work;

    do
    :: reaped == TASKS -> break
    :: posted < TASKS && num_posted < BOXES -> /* post */
        mode = mem[MODE];
        posted++;
        if
        :: mode == ABSENT -> num_plain++
        :: else ->
            store(of_pe, post_at, POSTED);
            post_at = (post_at + 1) % BOXES;
            num_posted++;
            if
            :: mem[MODE] == ASLEEP -> wake(of_pe)
            :: else
            fi
        fi
    :: reaped < posted ->
        /* poll */
        if
        :: IS_DONE -> reap_at = (reap_at + 1) % BOXES; num_posted--; of_lane++; reaped++
        :: num_plain > 0 -> num_plain--; executed++; reaped++
        :: else ->
            mode = mem[MODE];
            if
            :: mode == ASLEEP && num_posted > 0 -> wake(of_pe)
            :: mode == ABSENT && num_posted > 0 ->
                if
                :: atomic { empty(of_pe) && !lane_lock -> lane_lock = true };
                    if
                    :: IS_POSTED(of_pe) -> execute(of_pe)
                    :: else
                    fi;
                    fence(of_pe);
                    lane_lock = false
                :: lane_lock
                fi
            :: else
            fi;
            if
            :: !IS_DONE -> /* no task has finished: arm */
                store_ordered(of_pe, ARMED, 0);
                atomic { /* a new number; here: the lowest number that no variable holds */
                    num_arms = 1;
                    do
                    :: num_arms == signalled || num_arms == now_armed -> num_arms++
                    :: else -> break
                    od
                };
                signal = false;
                armed_at = of_lane;
#ifndef NO_FENCE
                store_ordered(of_pe, ARMED, num_arms);
                fence(of_pe);
#else
                store(of_pe, ARMED, num_arms);
#endif
                has_work = num_plain > 0;
#ifndef NO_READY
                mode = mem[MODE];
                has_work = has_work || IS_DONE;
                has_work = has_work || (num_posted > 0 && mode == ABSENT);
                if
                :: num_posted > 0 && mode == ASLEEP -> wake(of_pe)
                :: else
                fi;
#endif
                if
                :: has_work -> skip
                :: else -> (signal) /* sleep */
                fi;
                store_ordered(of_pe, ARMED, 0); /* clear */
                signal = false
            :: else
            fi
        fi
    od;
    assert(executed == TASKS)
}

init
{
    atomic {
        run flush(of_pe);
        run flush(of_worker);
        run pe();
        run worker();
        run control()
    }
}
