/* Model of a sync event that processes share, and of the processes that sleep until its value
 * changes. In doca_core.h these are >>impl.sync_shared, >>impl.sync_task and the notification
 * handle in >>impl.pe. The model has
 *   - one exporter, which updates the value and then closes the event, is killed, or keeps the
 *   event
 *   - LISTENERS importers that sleep until the value exceeds 0, then 1 and so on; each importer has
 *     its own mapping of the page and its own PE with an inotify instance
 *   - one importer that may update the value once
 *
 * Proven, for LAST updates of the exporter, over all orders of the steps:
 *   - no listener sleeps for ever after the value that it waits for is stored or the exporter has
 *     ended
 *   - a listener that gets CONNECTION_RESET could not have seen the value that it waits for
 *   - num_armed is 0 when all listeners are done
 * Assumed: memory is sequentially consistent, except that a store which is not ORDERED may reach
 * memory after later loads of its thread (x86, and release and acquire of C11 between two threads);
 * inotify and epoll work as their manuals say; while the exporter keeps the event, no listener
 * waits for a value that is never written.
 * Not covered: an importer that is killed between its update and the write that wakes the
 * listeners. The listeners then learn of that update with the next one.
 *
 * Steps and functions:
 *   update()      doca_priv_share_set(): STORE_ORDERED, then doca_priv_share_notify()
 *   add()         doca_priv_share_add()
 *   close         doca_priv_share_close()
 *   look()        doca_priv_share_probe(), doca_priv_sys_process_is_gone()
 *   poll          doca_priv_event_poll_waiting()
 *   arm, disarm   doca_priv_event_queue_arm()
 *   ready         doca_priv_event_queue_ready(), after which doca_pe_request_notification() signals
 *   drain         doca_priv_sys_listen_drain(), which doca_pe_request_notification() calls before
 *                 it arms anything. It also removes the inotify events of the PE's other sync
 *                 events; the values of these are read afterwards too, so this model's order holds
 *                 for each sync event
 *   sleep         poll() on the handle, an epoll set. While the listener is armed, the set contains
 *                 the inotify instance (`notes`) and the exporter's process
 *
 * Mutants, in each of which spin must find an error:
 *   -DNO_FENCE     the exporter stores the value without ORDERED
 *   -DNO_RECHECK   the listener does not read the value after arming
 *   -DLATE_DRAIN   the listener removes the inotify events after it has read the value
 *   -DRESET_LAST   the listener reads the value before it checks whether the exporter has ended
 *   -DEARLY_LOOK   the listener loads is_closed without ORDERED, so that the load may happen before
 *                  other processes see that it is armed
 *   -DNO_WATCH     the epoll set does not contain the exporter's process                         */
#ifndef LISTENERS
#define LISTENERS 2
#endif
#ifndef LAST
#define LAST 1
#endif

byte value;              /* in the shared page */
byte num_armed;
bool is_closed;
bool is_gone;            /* the exporter's process has ended */
bool may_end;            /* the exporter was killed or has closed the event */
bool notes[LISTENERS];   /* the inotify instance has an event to read */
byte num_done;
bool adds;               /* the importer adder() updates the value once */
chan store = [1] of { byte }; /* the exporter's store buffer: a value not yet in memory */

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

/* An importer that adds 1 to the value after the exporter's last update. */
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
    :: wait_val == LAST + adds -> break /* no further update will come */
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
            assert(value <= wait_val || value > LAST); /* the adder may still come later */
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
            :: skip /* the program arms again without clearing the handle */
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
