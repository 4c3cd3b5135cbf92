"""The trace event format, which ui.perfetto.dev, chrome://tracing and other viewers open."""
import json

SUBMIT_US = 0.02  # a submit is a point; viewers attach arrows to slices only


def write(lives, pairs, file):
    """Write the recordings of all processes on one time line."""
    events = []
    for life in lives:
        process = life.recording.process
        events.append({"ph": "M", "name": "process_name", "pid": process,
                       "args": {"name": f"{life.recording.program} ({process})"}})
        for task in life.tasks:
            add_task(events, life, task)
        for number, span in enumerate(life.spans):
            add_span(events, life, span, number)
        for event, kind, text in life.marks:
            events.append({"ph": "i", "s": "t", "cat": kind, "name": text, "pid": process,
                           "tid": event.thread, "ts": event.ns / 1e3})
        for context in life.contexts.values():
            for ns, num in context.depth:
                events.append({"ph": "C", "name": f"in flight: {context.name()}", "pid": process,
                               "ts": ns / 1e3, "args": {"tasks": num}})
        for event, kind in life.bridges:
            events.append(piece(process, event.thread, event.ns, event.ns, kind, "memory",
                                {"mmap": f"{event.object:#x}"}))
    for number, (life, export, other, imported) in enumerate(pairs):
        add_arrow(events, f"memory {number}", "memory",
                  (life.recording.process, export.thread, export.ns),
                  (other.recording.process, imported.thread, imported.ns))
    json.dump({"traceEvents": events, "displayTimeUnit": "ns"}, file, separators=(",", ":"))


def piece(process, thread, begin, end, name, category, arguments):
    return {"ph": "X", "name": name, "cat": category, "pid": process, "tid": thread,
            "ts": begin / 1e3, "dur": max((end - begin) / 1e3, SUBMIT_US), "args": arguments}


def add_arrow(events, identity, category, start, end):
    for phase, (process, thread, ns) in (("s", start), ("f", end)):
        event = {"ph": phase, "id": identity, "cat": category, "name": category, "pid": process,
                 "tid": thread, "ts": ns / 1e3 + SUBMIT_US / 2}
        if phase == "f":
            event["bp"] = "e"
        events.append(event)


def add_interval(events, process, begin, end, name, category, identity, arguments):
    """Add an interval that others may overlap. `begin` and `end`: thread and nanoseconds."""
    for phase, (thread, ns) in (("b", begin), ("e", end)):
        events.append({"ph": phase, "name": name, "cat": category, "id": identity, "pid": process,
                       "tid": thread, "ts": ns / 1e3, "args": arguments})


def add_span(events, life, span, number):
    if span.end is None:
        return
    process = life.recording.process
    status = life.names.errors.get(span.status, str(span.status))
    add_interval(events, process, (span.thread, span.begin), (span.end_thread, span.end),
                 span.name, span.category, f"{process} {span.category} {number}",
                 {"status": status, "object": f"{span.object:#x}"})


def overlaps(life, task):
    """True when the engine executes several tasks of this context at the same time."""
    kind = life.contexts[task.context].kind
    return task.is_of_device or kind.startswith(("comch", "rdma"))


def add_task(events, life, task):
    process = life.recording.process
    name = f"task {task.number}"
    arguments = {"bytes": task.bytes, "context": life.contexts[task.context].name()}
    events.append(piece(process, task.thread, task.submit, task.submit, "submit " + name, "submit",
                        arguments))
    if task.doorbell is not None:
        events.append({"ph": "i", "s": "t", "cat": "doorbell", "name": "doorbell", "pid": process,
                       "tid": task.thread, "ts": task.doorbell / 1e3})
    if task.begin is not None and task.end is not None and overlaps(life, task):
        thread = task.engine_thread
        add_interval(events, process, (thread, task.begin), (thread, task.end), name, "engine",
                     f"{process} engine {task.number}", arguments)
    elif task.begin is not None and task.end is not None:
        events.append(piece(process, task.engine_thread, task.begin, task.end, name, "engine",
                            arguments))
    if task.callback is None:
        return
    status = life.names.errors.get(task.status, str(task.status))
    end = task.callback if task.callback_end is None else task.callback_end
    events.append(piece(process, task.thread, task.callback, end, "callback " + name, "callback",
                        {"status": status, **arguments}))
    add_arrow(events, f"{process} {name}", "task", (process, task.thread, task.submit),
              (process, task.thread, task.callback))
