"""Run programs of other projects on the emulated device of tools/mlx5sim, for test_mlx5sim.py. The first
argument of the test is tools/mlx5sim/run."""

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

SECONDS = 120
RUN = os.path.abspath(sys.argv[1]) if len(sys.argv) > 1 else None


class Skip(Exception):
    pass


def check(condition, text):
    if not condition:
        raise AssertionError(text)


def need(*programs):
    """Skip the group if a program is missing. The message names the package to install."""
    packages = {"ibv": "ibverbs-utils", "ib_": "perftest", "ucx": "ucx-utils",
                "rpi": "rdmacm-utils", "fi_": "libfabric-bin", "ip": "iproute2",
                "rdm": "iproute2", "dev": "iproute2"}
    for program in programs:
        if not shutil.which(program):
            raise Skip(f"{program} is not installed: install {packages.get(program[:3], program)}")


def free_port():
    with socket.socket() as probe:
        probe.bind(("localhost", 0))
        return probe.getsockname()[1]


def wait_for_listener(port):
    """Wait until a socket listens on the port, at most eight seconds."""
    for _ in range(400):
        sockets = [line.split() for family in ("tcp", "tcp6")
                   for line in open(f"/proc/net/{family}", encoding="ascii")]
        if any(s[1].endswith(f":{int(port):04X}") and s[3] == "0A" for s in sockets):
            return
        time.sleep(0.02)


def emulated(command, options=(), **more):
    """Run a command on a new emulated machine."""
    with subprocess.Popen([RUN, *options, "--", *command], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, start_new_session=True,
                          **more) as tool:
        try:
            out = tool.communicate(timeout=SECONDS)[0]
        except subprocess.TimeoutExpired:
            os.killpg(tool.pid, signal.SIGKILL)     # also ends the processes that COMMAND started
            raise AssertionError(f"not ended after {SECONDS} s: {command} {options}") from None
    return subprocess.CompletedProcess(command, tool.returncode, out)


# Starts a server, waits until it listens, and starts its client. Kills both if one of them fails, or
# if one of them still runs 30 seconds after the other has ended.
# The server listens on a TCP port, or on a port of the connection manager, which the log tells.
PAIR = r"""
import json, os, signal, subprocess, sys, time

port, log, server_command, client_command = json.loads(sys.argv[1])
place = os.environ["OUT"]

def start(role, command):
    with open(f"{place}.{role}", "wb") as out:
        return subprocess.Popen(command, stdout=out, stderr=subprocess.STDOUT)

def listens():
    if not port:
        text = open(log, errors="replace").read()
        return "rdma_cm LISTEN: ok" in text or "ATTACH_MCAST -> ok" in text
    sockets = [line.split() for family in ("tcp", "tcp6") for line in open(f"/proc/net/{family}")]
    return any(s[1].endswith(f":{int(port):04X}") and s[3] == "0A" for s in sockets)

server = start("server", server_command)
for _ in range(400):
    if listens() or server.poll() is not None:
        break
    time.sleep(0.02)

def fail(text):
    for other in running.values():
        other.kill()
        other.wait()
    print(text, flush=True)
    for name in ("server", "client"):
        sys.stdout.write(open(f"{place}.{name}", errors="replace").read())
    sys.exit(1)

running = {"server": server, "client": start("client", client_command)}
last_end = None
while running:
    for role, process in list(running.items()):
        if process.poll() is None:
            continue
        del running[role]
        last_end = time.monotonic()
        number = process.returncode
        if number != 0:
            fail(f"the {role} ended " + (f"with status {number}" if number > 0
                                         else f"by {signal.Signals(-number).name}"))
    if last_end and time.monotonic() - last_end > 30:
        fail(f"the {list(running)[0]} did not end")
    time.sleep(0.005)
"""


def run_pair(name, port, server, client, options, env, may_repeat=None):
    """Run a server and a client, and return the client's output. The client starts when the server
    listens on the TCP port `port`. Without a port it starts when the server has a listener of the
    connection manager, or is a member of a multicast group. When a program fails, `may_repeat` gets
    the text of the log and the output of both programs, and tells whether to start both again."""
    with tempfile.TemporaryDirectory() as place:
        out = os.path.join(place, "out")
        log = os.path.join(place, "log") if may_repeat or not port else ""
        arguments = json.dumps([port, log, server.split(), client.split()])
        for _ in range(20):
            if log:
                open(log, "wb").close()     # PAIR waits for a line in it
            result = emulated([sys.executable, "-B", "-c", PAIR, arguments],
                              [*options, *(["--log", log] if log else [])],
                              env={**os.environ, **(env or {}), "OUT": out})
            if result.returncode == 0 or not may_repeat:
                break
            with open(log, encoding="utf-8", errors="replace") as text:
                if not may_repeat(text.read(), result.stdout):
                    break
        check(result.returncode == 0,
              f"{name} {' '.join(options)}: status {result.returncode}\n{result.stdout}")
        print(f"  ok  {name}  {' '.join(options)}")
        with open(out + ".client", encoding="utf-8", errors="replace") as text:
            return text.read()


def pair(command, options=(), env=None):
    """Run a server and a client of the same program, and return the client's output."""
    port = str(free_port())
    return run_pair(command, port, f"{command} -p {port}", f"{command} -p {port} localhost",
                    options, env)


def pair_cm(server, client, options=(), may_repeat=None):
    """The same for programs that find each other by the connection manager."""
    return run_pair(client, None, server, client, options, None, may_repeat)
