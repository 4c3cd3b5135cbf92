"""The child processes of tools/bench, and the signals that end the tool."""
import contextlib
import os
import pathlib
import re
import selectors
import signal
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent


class Stop(Exception):
    """Ends the tool, with an exit status and one line with the reason."""

    def __init__(self, status, text):
        super().__init__(text)
        self.status = status


def tell(text):
    """Print progress and errors to standard error, so that standard output has only the tables."""
    print(text, file=sys.stderr, flush=True)


ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def end(number, _):
    raise Stop(128 + number, "interrupted" if number == signal.SIGINT
               else f"ended by {signal.Signals(number).name}")


@contextlib.contextmanager
def postponed():
    """Postpone signals that would end the tool until the block is left."""
    came = []
    before = {number: signal.signal(number, lambda number, _: came.append(number))
              for number in ENDING}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        for number in came:
            signal.raise_signal(number)


class Child:
    """A process in a session of its own, so that one kill reaches every process that it starts."""
    living = set()

    def __init__(self, name, command, seconds, prepare=None):
        self.name, self.out, self.err = name, bytearray(), bytearray()
        self.deadline = time.monotonic() + seconds
        self.seconds, self.is_late = seconds, False
        with postponed():  # otherwise the child would run on unnoticed
            self.process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                start_new_session=True, preexec_fn=prepare, cwd=ROOT)
            Child.living.add(self)

    def kill(self, number):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.process.pid, number)

    def ended(self):
        self.process.wait()
        self.kill(signal.SIGKILL)  # processes that the child left behind
        self.process.stdout.close()
        self.process.stderr.close()
        Child.living.discard(self)

    def complaint(self):
        """Return how the child failed, or None when it succeeded."""
        status = self.process.returncode
        if self.is_late:
            return f"did not end within {self.seconds} s"
        if status == 0:
            return None
        lines = self.err.decode(errors="replace").strip().splitlines()
        # report the first error: later errors, and the message of collect2, are consequences of it
        errors = [line for line in lines if not line.startswith("collect2") and
                  re.search("error|undefined|failed", line)]
        last = f': {(errors or lines[-1:])[0]}' if lines else ""
        if status < 0:
            try:
                return f"ended by {signal.Signals(-status).name}{last}"
            except ValueError:
                return f"ended by signal {-status}{last}"
        return f"exit status {status}{last}"

    @classmethod
    def end_all(cls):
        for child in cls.living:
            child.kill(signal.SIGTERM)
        deadline = time.monotonic() + 2
        for child in list(cls.living):
            try:
                child.process.wait(max(0, deadline - time.monotonic()))
            except subprocess.TimeoutExpired:
                child.kill(signal.SIGKILL)
            child.ended()


def run_all(starts, parallel):
    """Run the children that the functions `starts` make, `parallel` at a time; yield each child as
    it ends. The tool sleeps while the children run: polling would take time from the measured
    program."""
    waiting, running = list(starts), {}
    with selectors.DefaultSelector() as selector:
        while waiting or running:
            while waiting and len(running) < parallel:
                child = waiting.pop(0)()
                running[child] = 2
                selector.register(child.process.stdout, selectors.EVENT_READ, (child, child.out))
                selector.register(child.process.stderr, selectors.EVENT_READ, (child, child.err))
            left = min(child.deadline for child in running) - time.monotonic()
            for ready, _ in selector.select(max(0, left)):
                child, text = ready.data
                chunk = os.read(ready.fd, 1 << 16)
                text += chunk
                if not chunk:
                    selector.unregister(ready.fileobj)
                    running[child] -= 1
            for child in [child for child in running if not child.is_late and
                          time.monotonic() >= child.deadline]:
                child.is_late, child.deadline = True, float("inf")
                child.kill(signal.SIGKILL)
            for child in [child for child, streams in running.items() if streams == 0]:
                del running[child]
                child.ended()
                yield child


def output_of(command):
    """Return the output of a short command, or None when it fails or does not exist."""
    try:
        (child,) = run_all([lambda: Child(command[0], command, 30)], 1)
    except OSError:
        return None
    return child.out.decode(errors="replace").strip() if child.complaint() is None else None
