"""Recordings of doca_core: the format that doca_core_trace_start() in src/object/trace.c writes."""
import bisect
import mmap
import pathlib
import re
import struct

HEADER = pathlib.Path(__file__).resolve().parent.parent.parent / "doca_core.h"
HEAD = struct.Struct("<8sIIIIQQQQQQII64s")
BLOCK = struct.Struct("<QQQI")
EVENT = struct.Struct("<QQQII")
BLOCK_HEAD_BYTES = 64
TEXT_BYTES = 20


class Failure(Exception):
    """A reason to stop, and the exit status."""

    def __init__(self, status, text):
        super().__init__(text)
        self.status = status


class Names:
    """The names of events, types of objects and error codes, as the header defines them."""

    def __init__(self, header=HEADER):
        text = header.read_text()
        self.events = {name: int(number) for name, number in
                       re.findall(r"DOCA_PRIV_TRACE_([A-Z_]+) = (\d+)", text)}
        self.errors = {int(number): name for name, number in
                       re.findall(r"X\(ERROR_([A-Z_]+), (\d+),", text)}
        self.errors[0] = "SUCCESS"
        kinds = re.search(r"enum \{\s*DOCA_PRIV_KIND_ARENA = 0xc1,(.*?)\};", text, re.S).group(1)
        kinds = re.sub(r"/\*.*?\*/", "", kinds, flags=re.S)
        self.kinds = {0xc1: "arena"}
        for i, name in enumerate(re.findall(r"DOCA_PRIV_KIND_(\w+)", kinds)):
            self.kinds[0xc2 + i] = name.lower().replace("_", " ")


class Event:
    """An event of a thread, at `ns` nanoseconds of CLOCK_MONOTONIC."""
    __slots__ = ("ns", "thread", "kind", "type", "detail", "object", "other", "amount", "text")

    def __init__(self, ns, thread, fields):
        _, self.object, self.other, self.amount, what = fields
        self.ns = ns
        self.thread = thread
        self.kind = what & 0xff
        self.type = what >> 8 & 0xff
        self.detail = what >> 16
        self.text = ""


class Clock:
    """Converts ticks to nanoseconds, by the moments at which both clocks were read."""

    def __init__(self, moments):
        self.moments = sorted(set(moments))
        (ticks, ns), (later, later_ns) = self.moments[0], self.moments[-1]
        self.slope = (later_ns - ns) / (later - ticks) if later > ticks else 1.0
        self.ticks = [ticks for ticks, _ in self.moments]

    def ns(self, ticks):
        at = max(bisect.bisect_right(self.ticks, ticks) - 1, 0)
        ticks_at, ns_at = self.moments[at]
        return ns_at + (ticks - ticks_at) * self.slope


class Recording:
    """All complete events of a file, in the order of time."""

    def __init__(self, path, names):
        self.path = path
        self.names = names
        with open(path, "rb") as file:
            try:
                data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
            except ValueError as error:
                raise Failure(65, f"{path}: the file is empty") from error
        with data:
            self._read_head(data)
            blocks = self._read_blocks(data)
            self._read_events(data, blocks)

    def _read_head(self, data):
        if len(data) < HEAD.size or data[:8] != b"DOCATRC1":
            raise Failure(65, f"{self.path}: no recording of doca_core, or one that has not begun")
        (_, self.block_bytes, mode, self.num_blocks, self.num_taken, first, first_ns, second,
         second_ns, last, last_ns, self.process, _, program) = HEAD.unpack_from(data)
        self.program = program.split(b"\0")[0].decode(errors="replace") or "program"
        self.was_stopped = last_ns != 0
        self.is_kept = mode == 1
        self.moments = [(first, first_ns), (second, second_ns)]
        if self.was_stopped:
            self.moments.append((last, last_ns))
        if self.block_bytes < BLOCK_HEAD_BYTES or \
                (self.num_blocks + 1) * self.block_bytes > len(data):
            raise Failure(65, f"{self.path}: the head does not fit the length of the file")

    def _read_blocks(self, data):
        blocks = []
        for i in range(self.num_blocks):
            at = (i + 1) * self.block_bytes
            serial, ticks, ns, thread = BLOCK.unpack_from(data, at)
            if serial:
                blocks.append((serial, at, ticks, thread))
                if ns:
                    self.moments.append((ticks, ns))
        blocks.sort()
        self.num_lost_blocks = max(self.num_taken - self.num_blocks, 0)
        return blocks

    def _read_events(self, data, blocks):
        clock = Clock(self.moments)
        text_kind = self.names.events["TEXT"]
        self.events = []
        texts = {}  # of each thread: the event whose text is incomplete, and its bytes so far
        for _, at, begin, thread in blocks:
            body = data[at + BLOCK_HEAD_BYTES:at + self.block_bytes]
            for fields in EVENT.iter_unpack(body[:len(body) // EVENT.size * EVENT.size]):
                if not fields[4]:
                    break
                if fields[0] < begin:
                    continue  # the event is of the thread that used the block before
                if fields[4] & 0xff == text_kind:
                    add_text(texts, thread, fields)
                    continue
                event = Event(clock.ns(fields[0]), thread, fields)
                self.events.append(event)
                texts[thread] = [event, b""]
        self.events.sort(key=lambda event: event.ns)


def add_text(texts, thread, fields):
    """Append the bytes of a TEXT event to the event before it."""
    if thread not in texts:
        return  # that event was overwritten
    event, so_far = texts[thread]
    so_far += struct.pack("<QQI", fields[1], fields[2], fields[3])
    texts[thread][1] = so_far
    event.text = so_far[:event.amount].decode(errors="replace")
