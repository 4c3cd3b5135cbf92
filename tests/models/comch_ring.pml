/* Model of one ticket of a ring of Comch: a producer sends a message while the consumer polls,
 * sleeps or stops. In doca_core_comch.h this is >>priv.comch.ring with the publishing half of
 * >>impl.comch.outlet and the stop of >>impl.comch.inlet. The producer may be killed at any step.
 *
 * Proven, over all orders of the steps:
 *   - a message that the producer reports as sent is taken by the consumer
 *   - a message that the producer reports as failed is not taken
 *   - the consumer does not sleep for ever after the producer has reported a message as sent
 *   - a consumer that stops does not wait for the producer
 * Assumed: memory is sequentially consistent, except that a store which is not ORDERED may reach
 * memory after later loads of its thread (x86, and release and acquire of C11 between two threads).
 * A compare-and-swap waits for the earlier stores of its thread. Both sides keep to the protocol.
 * Not covered: other tickets, tasks that the program frees, messages that are streamed.
 *
 * Steps and functions:
 *   claim         doca_priv_comch_claim()
 *   publish       doca_priv_comch_publish(), whose last step wakes the consumer
 *   poll          doca_priv_comch_inlet_poll()
 *   arm, ready    doca_priv_comch_inlet_arm(), doca_priv_comch_inlet_ready()
 *   stop          doca_priv_comch_inlet_flush(), then poll
 *   shut          doca_priv_comch_inlet_shut()
 *
 * Mutants, in each of which spin must find an error:
 *   -DNO_CHECK       the producer does not look at is_closed
 *   -DNO_SETTLE      the producer reports each message as failed when is_closed is set
 *   -DNO_FENCE       the producer stores the turn without ORDERED
 *   -DNO_STOP_FENCE  the consumer stores is_closed without ORDERED
 *   -DNO_ARM_FENCE   the consumer stores consumer_sleeps without ORDERED
 *   -DNO_READY       the consumer does not read the turn after arming
 *   -DNO_SHUT        a consumer that stops does not change the claim of the producer
 *   -DNO_TURN        a consumer that cannot change the claim does not read the turn again
 *   -DLATE_CLOSED    a consumer that stops sets is_closed after it has read the turn            */
mtype = { OLD, CLAIMED, CLOSED, DELIVERED };  /* of the claim */
mtype = { NOTHING, SENT, FAILED };            /* what the producer has reported */

mtype claim = OLD;
bool is_filled;   /* the turn: the message is in the slot */
bool is_closed;
bool sleeps;
bool is_signalled;

mtype report = NOTHING;
bool is_killed, producer_ended;
bool is_taken;

/* Store buffers: stores that are not yet in memory. A flag only changes from 0 to 1 here. */
bool filled_later, closed_later, sleeps_later;

proctype store_buffers()
{
end:
    do
    :: atomic { filled_later -> is_filled = true; filled_later = false }
    :: atomic { closed_later -> is_closed = true; closed_later = false }
    :: atomic { sleeps_later -> sleeps = true; sleeps_later = false }
    od
}

active proctype producer()
{
    bool was_closed;

    {
        /* claim */
        if
        :: atomic { claim == OLD -> claim = CLAIMED }
        :: atomic { claim != OLD -> goto out } /* AGAIN or CONNECTION_RESET */
        fi;
        /* publish */
#ifdef NO_FENCE
        filled_later = true;
#else
        is_filled = true;
#endif
#ifndef NO_CHECK
        was_closed = is_closed;
#endif
        if
        :: was_closed ->
#ifdef NO_SETTLE
            report = FAILED;
            goto out
#else
            if
            :: atomic { !filled_later && claim == CLAIMED -> claim = DELIVERED }
            :: atomic { !filled_later && claim != CLAIMED -> report = FAILED; goto out }
            fi
#endif
        :: else
        fi;
        if
        :: sleeps -> is_signalled = true
        :: else
        fi;
        report = SENT
    } unless { is_killed };
out:
    atomic { !filled_later -> producer_ended = true }
}

active proctype killer()
{
    if
    :: is_killed = true
    :: skip
    fi
}

/* Try to change the claim from `from` to CLOSED. */
inline swap_to_closed(from)
{
    if
    :: atomic { !closed_later && claim == from -> claim = CLOSED; is_shut = true }
    :: atomic { !closed_later && claim != from -> skip }
    fi
}

active proctype consumer()
{
    bool is_shut, saw;
    mtype was;

    do
    :: is_filled -> is_taken = true; break /* poll */
    :: sleeps = false;
        /* arm */
#ifdef NO_ARM_FENCE
        sleeps_later = true;
#else
        sleeps = true;
#endif
        /* ready */
#ifndef NO_READY
        if
        :: is_filled -> is_signalled = true
        :: else
        fi;
#endif
        (is_signalled || (producer_ended && report != SENT));
        atomic { !sleeps_later -> sleeps = false };
        is_signalled = false
    :: /* stop */
#ifndef LATE_CLOSED
#ifdef NO_STOP_FENCE
        closed_later = true;
#else
        is_closed = true;
#endif
#endif
        saw = is_filled;
#ifdef LATE_CLOSED
        is_closed = true;
#endif
        do
        :: saw -> is_taken = true; break
        :: else ->
            /* shut */
            was = claim;
            if
            :: was == OLD -> swap_to_closed(OLD)
            :: else
            fi;
#ifndef NO_SHUT
            if
            :: !is_shut -> swap_to_closed(CLAIMED)
            :: else
            fi;
#else
            is_shut = true;
#endif
            if
            :: is_shut -> break
            :: else ->
#ifdef NO_TURN
                break
#else
                saw = is_filled;
                assert(saw) /* a producer that keeps to the protocol has stored it */
#endif
            fi
        od;
        break
    od;
    producer_ended;
    assert(report != SENT || is_taken);
    assert(report != FAILED || !is_taken)
}

init
{
    run store_buffers()
}
