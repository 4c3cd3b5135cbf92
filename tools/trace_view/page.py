"""The HTML page of a recording: page.html with the data in its place."""
import json
import math
import pathlib

from . import warn

MOST_TASKS = 60_000  # of a page; the newest are kept
MOST_MARKS = 5_000
MOST_SPANS = 20_000
MOST_POINTS = 4_000  # of a curve
TEMPLATE = pathlib.Path(__file__).with_name("page.html")


def write(lives, pairs, file):
    data = make_data(lives, pairs)
    text = json.dumps(data, separators=(",", ":")).replace("</", "<\\/")
    file.write(TEMPLATE.read_text().replace("/*DATA*/null", text))


def make_data(lives, pairs):
    begin = min((life.recording.events[0].ns for life in lives if life.recording.events),
                default=0)
    end = max((life.recording.events[-1].ns for life in lives if life.recording.events),
              default=begin)
    tracks, track_of = [], {}
    for life in lives:
        for thread in life.threads():
            track_of[life.recording.process, thread] = len(tracks)
            tracks.append({"process": life.recording.process, "thread": thread,
                           "program": life.recording.program})
    contexts, context_of = [], {}
    for life in lives:
        for context in life.contexts.values():
            if context.tasks:
                context_of[life.recording.process, context.identity] = len(contexts)
                contexts.append(context_data(life, context, begin))
    data = {"duration": end - begin, "tracks": tracks, "contexts": contexts, "tasks": [],
            "spans": [], "marks": [], "arrows": [], "warnings": [], "errors": {}, "left_out": 0}
    for life in lives:
        process = life.recording.process
        kept = life.tasks[-MOST_TASKS:]
        data["left_out"] += len(life.tasks) - len(kept)
        data["errors"].update(life.names.errors)
        data["tasks"] += [task_row(t, begin, track_of, process, context_of) for t in kept]
        data["spans"] += [span_row(s, begin, track_of, process) for s in life.spans[-MOST_SPANS:]]
        data["marks"] += [[round(e.ns - begin), track_of[process, e.thread], kind, text]
                          for e, kind, text in life.marks[-MOST_MARKS:]]
        data["marks"] += [[round(e.ns - begin), track_of[process, e.thread], "memory", kind]
                          for e, kind in life.bridges]
        prefix = f"{life.recording.program} ({process}), " if len(lives) > 1 else ""
        data["warnings"] += [prefix + text for text in warn.warnings(life)]
    for life, export, other, imported in pairs:
        data["arrows"].append([round(export.ns - begin),
                               track_of[life.recording.process, export.thread],
                               round(imported.ns - begin),
                               track_of[other.recording.process, imported.thread]])
    return data


def relative(ns, begin):
    return None if ns is None else round(ns - begin, 1)


def task_row(task, begin, track_of, process, context_of):
    """Return a task as a list, in the order that page.html expects."""
    engine = None if task.engine_thread is None else track_of[process, task.engine_thread]
    return [task.number, track_of[process, task.thread], context_of[process, task.context],
            task.bytes, relative(task.submit, begin), relative(task.begin, begin),
            relative(task.end, begin), engine, relative(task.callback, begin),
            relative(task.callback_end, begin), task.status]


def span_row(span, begin, track_of, process):
    """Return a batch, node or run as a list, in the order that page.html expects."""
    return [relative(span.begin, begin), relative(span.end, begin), track_of[process, span.thread],
            span.category, span.name, span.status]


def context_data(life, context, begin):
    data = warn.summary(context)
    data["process"] = life.recording.process
    points = context.depth
    step = max(len(points) // MOST_POINTS, 1)
    # of each group of points the highest, so that no peak is lost
    data["depth"] = [[round(ns - begin), num] for ns, num in
                     (max(points[i:i + step], key=lambda p: p[1])
                      for i in range(0, len(points), step))]
    data["latencies"] = histogram([t.latency() for t in context.tasks if t.callback is not None])
    return data


def histogram(times):
    """Return [from, to, number] with four bins for each doubling."""
    bins = {}
    for time in times:
        bins.setdefault(bin_of(max(time, 1)), 0)
        bins[bin_of(max(time, 1))] += 1
    if not bins:
        return []
    return [[2 ** (i / 4), 2 ** ((i + 1) / 4), bins.get(i, 0)]
            for i in range(min(bins), max(bins) + 1)]


def bin_of(time):
    return math.floor(4 * math.log2(time))
