/* The value of a sync event that processes share, and those who sleep until it changes: >>impl.
 * sync_shared, >>impl.sync_task and the handle of >>impl.pe of doca_core.h. One exporter, which
 * updates, then closes its event, is killed, or stays; importers that sleep until the value is
 * beyond 0, 1 ... each with a page mapping and a PE of its own, which has an inotify instance; and an
 * importer that updates.
 *
 * Shown, for LISTENERS sleepers and LAST updates, over all orders of their steps:
 *   - nobody sleeps for ever while the value it waits for is there, or the exporter is gone
 *   - whoever gets CONNECTION_RESET would not have got what it waited for
 *   - nobody is counted in num_armed when all are done
 * Assumed: sequential consistency, but for a store that is not ORDERED, which may reach memory
 * after later loads of its thread (x86, and the release and acquire of C11 between two threads);
 * inotify and epoll do as their manual says; a wait beyond what will ever be written is not asked
 * for once the exporter stays.
 * Not shown: an importer that is killed between its update and the write that wakes. Nobody hears
 * of that update until the next one.
 *
 * Steps and functions:
 *   update()      doca_priv_share_set(): STORE_ORDERED, then doca_priv_share_notify()
 *   add()         doca_priv_share_add()
 *   close         doca_priv_share_close()
 *   look()        doca_priv_share_probe(), doca_priv_sys_process_is_gone()
 *   poll          doca_priv_event_poll_waiting()
 *   arm, disarm   doca_priv_event_queue_arm()
 *   ready         doca_priv_event_queue_ready(), after which doca_pe_request_notification() signals
 *   drain         doca_priv_sys_listen_drain(), in doca_pe_request_notification() before all that
 *                 arms. Of the other events of the PE it takes notes, too, but their values are
 *                 looked at afterwards as well, so that each of them sees this model's order
 *   sleep         poll() on the handle: an epoll set that has `notes` and the process while armed
 *
 * Mutants, each of which must be found wanting:
 *   -DNO_FENCE     the value is stored without ORDERED
 *   -DNO_RECHECK   the value is not looked at after arming
 *   -DLATE_DRAIN   what came is forgotten after the value was looked at
 *   -DRESET_LAST   whether the exporter lives is looked at after the value
 *   -DEARLY_LOOK   is_closed is loaded without ORDERED: it may be, before others see the arming
 *   -DNO_WATCH     the process of the exporter is not in the set                                */
#ifndef LISTENERS
#define LISTENERS 2
#endif
#ifndef LAST
#define LAST 1
#endif

byte value;              /* of the page */
byte num_armed;
bool is_closed;
bool is_gone;            /* the exporter's process */
bool may_end;            /* the exporter will not update any more, and did not stay */
bool notes[LISTENERS];   /* an inotify event is there */
byte num_done;
bool adds;               /* somebody else updates as well, once */
chan store = [1] of { byte }; /* what the exporter stored and memory has not yet */

inline wake_all()
{
    if
    :: num_armed > 0 ->
        i = 0;
        do
        :: i < LISTENERS -> notes[i] = true; i++
        :: else -> break
        od
    :: else
    fi
}

inline look()
{
    if
    :: is_gone && !is_closed -> is_closed = true
    :: else
    fi
}

proctype store_buffer()
{
    byte v;

end:
    do
    :: atomic { store?v -> value = v }
    od
}

proctype exporter()
{
    byte v = 1, i;

    do
    :: v <= LAST ->
#ifdef NO_FENCE
        store!v;
#else
        value = v;
#endif
        wake_all();
        v++
    :: atomic { empty(store) -> is_gone = true; may_end = true }; goto gone /* killed */
    :: v > LAST -> break
    od;
    if
    :: atomic { empty(store) -> is_closed = true; may_end = true }; wake_all()
    :: skip
    fi;
gone:
    skip
}

/* An importer that adds behind the exporter's last update. */
proctype adder()
{
    byte i;

    if
    :: !adds -> skip
    :: is_closed -> skip /* CONNECTION_RESET */
    :: adds && value == LAST && !is_closed -> value++; wake_all()
    :: may_end -> skip
    fi
}

proctype listener(byte me)
{
    byte wait_val = 0, v;
    bool is_reset, is_armed, signal;

    do
    :: wait_val == LAST + adds -> break /* that was all there will be */
    :: else ->
#ifndef RESET_LAST
        is_reset = is_closed;
        v = value;
#else
        v = value;
        is_reset = is_closed;
#endif
        if
        :: v > wait_val -> wait_val++
        :: v <= wait_val && is_reset ->
            assert(value <= wait_val || value > LAST); /* the adder may come later still */
            break
        :: else ->
            /* drain */
#ifndef LATE_DRAIN
            notes[me] = false;
#endif
            /* arm */
#ifdef EARLY_LOOK
            is_reset = is_closed;
#endif
            if
            :: !is_armed -> num_armed++
            :: else
            fi;
            look();
            /* ready */
            signal = false;
#ifndef NO_RECHECK
#ifndef EARLY_LOOK
            is_reset = is_closed;
#endif
            if
            :: is_reset -> signal = true
            :: else
            fi;
            if
            :: value > wait_val -> signal = true
            :: else
            fi;
#endif
#ifdef LATE_DRAIN
            notes[me] = false;
#endif
            is_armed = true;
            /* sleep */
#ifdef NO_WATCH
            (signal || notes[me]);
#else
            (signal || notes[me] || is_gone);
#endif
            if
            :: skip /* armed again, without a clear */
            :: /* disarm */
                num_armed--;
                is_armed = false;
                look()
            fi
        fi
    od;
    if
    :: is_armed -> num_armed--
    :: else
    fi;
    num_done++;
    (num_done == LISTENERS);
    assert(num_armed <= LISTENERS)
}

init
{
    byte n;

    atomic {
        if
        :: adds = true
        :: adds = false
        fi;
        run store_buffer();
        run exporter();
        run adder();
        n = 0;
        do
        :: n < LISTENERS -> run listener(n); n++
        :: else -> break
        od
    }
    (num_done == LISTENERS);
    assert(num_armed == 0)
}
