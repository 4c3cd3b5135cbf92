"""The life of every task, batch and graph node, from the events of a recording."""
from . import warn

NODES = {0: "context node", 1: "user node", 2: "sub-graph node"}  # of DOCA_PRIV_NODE_*


class Task:
    """Times are nanoseconds; None: it did not happen in the recording."""
    __slots__ = ("number", "thread", "context", "bytes", "submit", "doorbell", "begin", "end",
                 "engine_thread", "is_of_device", "callback", "callback_end", "status")

    def __init__(self, number, event):
        self.number = number
        self.thread = event.thread
        self.context = event.amount
        self.bytes = event.other
        self.submit = event.ns
        self.doorbell = self.begin = self.end = self.callback = self.callback_end = None
        self.engine_thread = None
        self.is_of_device = False  # a device executed it, from the doorbell to its completion
        self.status = None

    def latency(self):
        return None if self.callback is None else self.callback - self.submit


class Span:
    """A batch, a graph node or a run of a graph, from its begin to its end (None: not recorded)."""
    __slots__ = ("category", "name", "object", "thread", "begin", "end", "end_thread", "status")

    def __init__(self, category, name, event):
        self.category = category
        self.name = name
        self.object = event.object
        self.thread = event.thread
        self.begin = event.ns
        self.end = self.end_thread = self.status = None


class Context:
    """The properties of a context, and the sums over its tasks."""

    def __init__(self, identity):
        self.identity = identity
        self.kind = "context"
        self.address = None
        self.pe = None
        self.queue = None
        self.tasks = []
        self.num_returned = 0
        self.depth = []  # (time, tasks in flight)
        self._in_flight = 0

    def change_depth(self, ns, by):
        self._in_flight = max(self._in_flight + by, 0)
        self.depth.append((ns, self._in_flight))

    def name(self):
        """As in the log lines; if its start is not in the recording, "context" and a number."""
        return f"{self.kind} {self.identity if self.address is None else self.address:#x}"


class Life:
    """The tasks and contexts of one process."""

    def __init__(self, recording):
        self.recording = recording
        self.names = recording.names
        self.tasks = []
        self.contexts = {}
        self.marks = []    # events that are shown as points: refusals, marks, states, wake-ups
        self.bridges = []  # exports and imports
        self.spans = []    # batches, graph nodes and runs of graphs, in the order of their begins
        self._open_spans = {}  # by category and address
        self._open = {}    # tasks in flight, by address
        self._boxes = {}   # the task in each mailbox of a worker
        self._callbacks = {}  # of each thread: (address, task or None) of those that have begun
        self._rung = {}    # of each thread: tasks that wait for a doorbell
        steps = {number: getattr(self, "_on_" + name.lower(), None)
                 for name, number in recording.names.events.items()}
        for event in recording.events:
            step = steps.get(event.kind)
            if step:
                step(event)

    def context(self, identity):
        if identity not in self.contexts:
            self.contexts[identity] = Context(identity)
        return self.contexts[identity]

    def _on_submit(self, event):
        task = Task(len(self.tasks), event)
        self.tasks.append(task)
        self._open[event.object] = task
        self._rung.setdefault(event.thread, []).append(task)
        context = self.context(event.amount)
        context.tasks.append(task)
        context.change_depth(event.ns, +1)

    def _on_returned(self, event):
        task = self._open.pop(event.object, None)
        if task is None:
            return
        context = self.context(task.context)
        context.num_returned += 1
        context.change_depth(event.ns, -1)
        if context.tasks and context.tasks[-1] is task:
            context.tasks.pop()
        if self.tasks[-1] is task:
            self.tasks.pop()

    def _on_doorbell(self, event):
        for task in self._rung.pop(event.thread, ()):
            if task.callback is None:
                task.doorbell = event.ns

    def _on_assign(self, event):
        if event.object in self._open:
            self._boxes[event.other] = self._open[event.object]

    def _engine_task(self, event):
        return self._boxes.get(event.object) or self._open.get(event.object)

    def _on_begin(self, event):
        task = self._engine_task(event)
        if task and task.begin is None:
            task.begin = event.ns
            task.engine_thread = event.thread

    def _on_end(self, event):
        task = self._engine_task(event)
        if task:
            task.end = event.ns
        if task and task.begin is None and task.doorbell is not None:
            task.begin = task.doorbell
            task.engine_thread = event.thread
            task.is_of_device = True
        self._boxes.pop(event.object, None)

    def _on_callback(self, event):
        # None: an event, or submitted before the recording
        task = self._open.pop(event.object, None)
        self._callbacks.setdefault(event.thread, []).append((event.object, task))
        if task is None:
            return
        task.callback = event.ns
        task.status = event.detail
        self.context(task.context).change_depth(event.ns, -1)

    def _on_callback_end(self, event):
        stack = self._callbacks.get(event.thread, [])
        if event.object not in (address for address, _ in stack):
            return  # the callback began before the recording
        while stack:
            address, task = stack.pop()
            if address == event.object:
                break
        if task:
            task.callback_end = event.ns

    def _on_state(self, event):
        context = self.context(event.object // 64 & 0xffffffff)
        context.address = event.object
        context.kind = self.names.kinds.get(event.type, "context")
        context.pe = event.amount
        context.queue = event.other
        state = ("idle", "starting", "running", "stopping")[event.detail & 3]
        self.marks.append((event, "state", f"{context.name()}: {state}"))

    def _begin(self, category, name, event):
        span = Span(category, name, event)
        self.spans.append(span)
        self._open_spans[category, event.object] = span

    def _end(self, category, event):
        span = self._open_spans.pop((category, event.object), None)
        if span:
            span.end = event.ns
            span.end_thread = event.thread
            span.status = event.detail

    def _on_batch(self, event):
        self._begin("batch", f"batch of {warn.count(event.other, 'task')}", event)

    def _on_batch_end(self, event):
        self._end("batch", event)

    def _on_node(self, event):
        if ("node", event.object) not in self._open_spans:  # a full queue makes a node begin again
            self._begin("node", NODES.get(event.type, "node"), event)

    def _on_node_end(self, event):
        self._end("node", event)

    def _on_run(self, event):
        self._begin("run", "run of a graph", event)

    def _on_run_end(self, event):
        self._end("run", event)

    def _on_event(self, event):
        kind = self.names.kinds.get(event.type, "context")
        what = "event" if not event.other else f"message of {warn.count(event.other, 'byte')}"
        self.marks.append((event, "event", f"{what} for {kind}"))

    def _on_refusal(self, event):
        error = self.names.errors.get(event.detail, str(event.detail))
        self.marks.append((event, "refusal", event.text or f"{error} (log level DEBUG)"))

    def _on_mark(self, event):
        self.marks.append((event, "mark", event.text))

    def _on_arm(self, event):
        self.marks.append((event, "notification", "notification requested"))

    def _on_clear(self, event):
        self.marks.append((event, "notification", "notification cleared"))

    def _on_wake(self, event):
        self.marks.append((event, "notification", "notification handle became readable"))

    def _on_export(self, event):
        self.bridges.append((event, "export"))

    def _on_import(self, event):
        self.bridges.append((event, "import"))

    def threads(self):
        return sorted({event.thread for event in self.recording.events})


def bridges(lives):
    """Return pairs (life, export, life, import) of the same memory."""
    exports = {event.other: (life, event) for life in lives for event, kind in life.bridges
               if kind == "export"}
    return [(*exports[event.other], life, event) for life in lives
            for event, kind in life.bridges if kind == "import" and event.other in exports]
