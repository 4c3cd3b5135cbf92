"""Hints for a faster program, taken from its recording."""
import statistics
from bisect import bisect_left

LONG_NS = 100_000  # no wait below this is worth a line


def percentile(values, part):
    """Return the value below which `part` of the sorted values lie."""
    return values[min(int(len(values) * part), len(values) - 1)] if values else None


def duration(ns):
    """Write a time with three digits."""
    for unit, size in (("s", 1e9), ("ms", 1e6), ("us", 1e3)):
        if abs(ns) >= size:
            return f"{ns / size:.3g} {unit}"
    return f"{ns:.0f} ns"


def count(num, noun):
    return f"{num} {noun}" if num == 1 else f"{num} {noun}s"


def amount(num):
    for unit, size in (("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)):
        if num >= size:
            return f"{num / size:.3g} {unit}"
    return f"{num} B"


def warnings(life):
    """Return sentences, the most important first."""
    found = []
    for context in life.contexts.values():
        name = context.name()
        for check in (waited_for_progress, idle_engine, returned, failed, unfinished):
            found += [f"{name}: {text}" for text in check(context)]
    found += starved(life)
    if life.recording.num_lost_blocks and life.recording.is_kept:
        found.append(f"the recording was full: about {life.recording.num_lost_blocks} events were "
                     "dropped")
    elif life.recording.num_lost_blocks:
        found.append("the beginning of the recording was overwritten by later events; a larger "
                     "DOCA_CORE_TRACE_BYTES keeps more")
    return found


def waited_for_progress(context):
    """Tasks that the thread of the progress engine executes itself, but did not begin."""
    own = [t for t in context.tasks if t.begin is not None and t.engine_thread == t.thread]
    work = [t.end - t.begin for t in own if t.end is not None]
    if not work:
        return []
    limit = max(LONG_NS, 20 * statistics.median(work))
    # behind other tasks is no fault of the program: what counts is the time without any engine
    ends, late = {}, []
    for task in sorted(own, key=lambda t: t.begin):
        idle_since = max(ends.get(task.engine_thread, task.submit), task.submit)
        if task.begin - idle_since > limit:
            late.append(task.begin - idle_since)
        ends[task.engine_thread] = task.callback_end or task.end or task.begin
    if not late:
        return []
    return [f"{count(len(late), 'task')} waited for a call of doca_pe_progress(), the longest "
            f"{duration(max(late))} (such a task itself takes {duration(statistics.median(work))})"]


def idle_engine(context):
    """Tasks that waited although the worker that executed them was idle."""
    ends, late = {}, []
    served = [t for t in context.tasks if t.begin is not None and t.engine_thread != t.thread]
    for task in sorted(served, key=lambda t: t.begin):
        idle_since = max(ends.get(task.engine_thread, task.submit), task.submit)
        if task.begin - idle_since > LONG_NS:
            late.append(task.begin - idle_since)
        ends[task.engine_thread] = task.end or task.begin
    if not late:
        return []
    return [f"{count(len(late), 'task')} had to wait while the worker was idle, the longest "
            f"{duration(max(late))}: the worker slept, or its thread did not run"]


def returned(context):
    if not context.num_returned:
        return []
    return [f"{count(context.num_returned, 'submit')} not accepted: the queue was full, or the "
            "task was wrong"]


def failed(context):
    num = sum(1 for t in context.tasks if t.status)
    return [f"{count(num, 'task')} completed with an error"] if num else []


def unfinished(context):
    num = sum(1 for t in context.tasks if t.callback is None)
    return [f"{count(num, 'task')} without a callback at the end of the recording"] if num else []


def starved(life):
    """Contexts whose oldest task waited while another context of the progress engine completed
    many."""
    found = []
    engines = {}
    for context in life.contexts.values():
        engines.setdefault(context.pe, []).append(context)
    for contexts in engines.values():
        if len(contexts) < 2:
            continue
        for context in contexts:
            others = sorted(t.callback for other in contexts if other is not context
                            for t in other.tasks if t.callback is not None)
            num, task = most_overtaken(context, others)
            if num >= 100:
                found.append(f"{context.name()}: a task waited {duration(task.latency())} while "
                             "other contexts of its progress engine completed "
                             f"{count(num, 'task')}")
    return found


def most_overtaken(context, others):
    best = (0, None)
    for task in context.tasks:
        if task.callback is None or task.latency() < LONG_NS:
            continue
        num = bisect_left(others, task.callback) - bisect_left(others, task.submit)
        if num > best[0]:
            best = (num, task)
    return best


def summary(context):
    """Return the counters and times of a context, as a dictionary."""
    times = sorted(t.latency() for t in context.tasks if t.callback is not None)
    return {
        "name": context.name(),
        "submitted": len(context.tasks),
        "completed": len(times),
        "failed": sum(1 for t in context.tasks if t.status),
        "returned": context.num_returned,
        "bytes": sum(t.bytes for t in context.tasks if t.callback is not None and not t.status),
        "most_in_flight": max((num for _, num in context.depth), default=0),
        "median": percentile(times, 0.5),
        "p99": percentile(times, 0.99),
        "max": times[-1] if times else None,
    }
