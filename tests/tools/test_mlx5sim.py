#!/usr/bin/env python3
"""Run RDMA programs of other projects on the emulated device of tools/mlx5sim.

usage: test_mlx5sim.py RUN GROUP

RUN is tools/mlx5sim/run; GROUP is a function below that is marked @group. With exit status 77, a
line names the program that is not installed.
"""

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

import testpmd
from emulated_programs import (RUN, SECONDS, Skip, check, emulated, free_port, need, pair, pair_cm,
                               run_pair, wait_for_listener)

GROUPS = {}


def group(function):
    GROUPS[function.__name__] = function
    return function


# ---- groups ---------------------------------------------------------------------------------

@group
def devinfo():
    need("ibv_devinfo", "ibv_devices")
    devices = emulated(["ibv_devices"], ["--devices", "3"]).stdout
    check([f"mlx5_{i}" in devices for i in range(4)] == [True] * 3 + [False], devices)
    for card, part in (("--bluefield=2", 0xa2d6), ("--bluefield=3", 0xa2dc),
                       ("--connectx=6", 0x101b), ("--connectx=7", 0x1021)):
        result = emulated(["ibv_devinfo", "-v"], [card])
        text = result.stdout
        check(result.returncode == 0, text)
        for pattern in (r"hca_id:\s+mlx5_0", rf"vendor_part_id:\s+{part}\b", r"max_qp:\s+131072\b",
                        r"state:\s+PORT_ACTIVE", r"max_mtu:\s+4096", r"phys_port_cnt:\s+1\b",
                        r"GID\[\s*0\]:\s+fe80:"):
            check(re.search(pattern, text), f"{pattern} is not in\n{text}")
    result = emulated(["ibv_devinfo"], ["--log", "/dev/full", "--trace"])
    check(result.returncode == 0 and
          result.stdout.count("mlx5sim: the log ends: No space left on device\n") == 1, result.stdout)
    spec = ["--device", "name=bf0,pci=0000:03:00.1,vhca=7,netdev=p1",
            "--device", "name=cx0,vhca=9,host=1"]
    script = "ibv_devices; for n in bf0 cx0; do realpath /sys/class/infiniband/$n/device; done; " \
             "cat /sys/class/net/p1/address /sys/bus/pci/devices/0000:0b:00.0/vendor"
    text = emulated(["sh", "-c", script], spec).stdout
    for pattern in (r"bf0\s+5c25", r"cx0\s+5c25", r"0000:03:00\.1$", r"0000:0b:00\.0$",
                    r"^5c:25:73:aa:00:00$", r"^0x15b3$"):
        check(re.search(pattern, text, re.M), f"{pattern} is not in\n{text}")


@group
def interfaces():
    """Programs of iproute2 see the interfaces of functions besides those of the host."""
    need("ip", "rdma")
    text = emulated(["ip", "-j", "addr", "show", "p0"]).stdout
    link = json.loads(text)[0]
    check(link["address"] == "5c:25:73:aa:00:00" and "UP" in link["flags"] and
          [a["local"] for a in link["addr_info"]] == ["127.3.0.1", "fe80::5e25:73ff:feaa:0"], text)
    script = "ip -j link; ip -j -4 addr; rdma -j link; rdma -j res; rdma -j dev; ip link show p7"
    spec = ["--device", "name=bf", "--device", "name=cx,netdev=p0,ip=10.0.9.2"]
    result = emulated(["sh", "-c", script], spec)
    check(result.returncode == 1, result.stdout)
    links, addresses, ports, resources, devices = map(json.loads, result.stdout.splitlines()[:5])
    names = [link["ifname"] for link in links]
    check("lo" in names and names.count("p0") == 1, names)
    local = [a["local"] for link in addresses for a in link.get("addr_info", [])]
    check(all(local.count(a) == 1 for a in ("127.0.0.1", "127.3.0.1", "10.0.9.2")), local)
    check([(port["ifname"], port["state"], port["netdev"]) for port in ports] ==
          [("bf", "ACTIVE", "p0"), ("cx", "ACTIVE", "p0")], ports)
    check([(r["ifname"], r["ctx"], r["qp"]) for r in resources] ==
          [("bf", 0, 0), ("cx", 0, 0)], resources)
    check([device["node_guid"] for device in devices] ==
          ["5c25:7303:00aa:0000", "5c25:7303:00aa:0001"], devices)
    text = emulated(["rdma", "link"], ["--link", "infiniband"]).stdout
    check(re.match("link mlx5_0/1 subnet_prefix fe80:0000:0000:0000 lid 1 sm_lid 1 .* state ACTIVE",
                   text), text)
    need("devlink")
    for link, value in (("ethernet", True), ("infiniband", False)):
        result = emulated(["devlink", "-j", "dev", "param", "show", "pci/0000:03:00.0", "name",
                           "enable_roce"], ["--link", link, "--device", "sf=4", "--devices", "1"])
        params = json.loads(result.stdout)["param"]["pci/0000:03:00.0"]
        check([p["values"][0]["value"] for p in params] == [value], result.stdout)
    text = emulated(["devlink", "-j", "dev"], ["--devices", "2"]).stdout
    check(list(json.loads(text)["dev"]) == ["pci/0000:03:00.0", "pci/0000:03:00.1"], text)
    result = emulated(["devlink", "dev", "show", "pci/0000:03:00.1"])
    check(result.returncode != 0 and "No such device" in result.stdout, result.stdout)


@group
def pingpong():
    """On InfiniBand, a path needs no GID."""
    need("ibv_rc_pingpong")
    link = ["--link", "infiniband"]
    for program in ("rc", "uc", "ud", "srq"):
        for flags in ("", " -e", " -c" if program == "rc" else " -s 1024"):
            pair(f"ibv_{program}_pingpong -n 300{flags}", link)
    for flags in ("", " -e", " -o"):
        pair(f"ibv_xsrq_pingpong -n 100{flags}", link)
    for flags in ("-o -c", "-O -c", "-o -P", "-O -P -e"):
        pair(f"ibv_rc_pingpong -n 100 {flags}", link)
    pair("ibv_srq_pingpong -n 100 -o", link)


@group
def pingpong_async():
    need("ibv_rc_pingpong")
    for program in ("rc", "uc", "ud", "srq"):
        pair(f"ibv_{program}_pingpong -g 0 -n 100", ["--doorbells", "async"])
        pair(f"ibv_{program}_pingpong -g 0 -n 100 -e", ["--doorbells", "async"])


@group
def pingpong_poll():
    need("ibv_rc_pingpong")
    for program in ("rc", "uc", "ud", "srq"):
        pair(f"ibv_{program}_pingpong -g 0 -n 20", ["--doorbells", "poll"])
        pair(f"ibv_{program}_pingpong -g 0 -n 20 -e", ["--doorbells", "poll"])


@group
def perftest():
    need("ib_write_bw")
    # With -e this release waits for both queues on one channel, arms a queue before it polls the
    # queue, and polls once after each event. It fails when a completion has two events.
    for mode in ("sync", "async", "poll"):
        pair("ib_send_lat -F -n 50 -e", ["--doorbells", mode])
    for command in ("ib_send_bw -n 100 -c XRC", "ib_read_lat -n 50 -c XRC",
                    "ib_atomic_bw -n 50 -c XRC", "ib_write_bw -n 50 -c XRC -q 2",
                    "ib_send_lat -n 50 -c DC", "ib_read_bw -n 50 -c DC", "ib_atomic_bw -n 50 -c DC"):
        pair(command.replace(" ", " -F ", 1))
    for options in ([], ["--doorbells", "async"]):
        for command in ("ib_write_bw -n 100 -s 65536", "ib_write_lat -n 100", "ib_read_bw -n 100",
                        "ib_read_lat -n 100", "ib_send_bw -n 100", "ib_send_lat -n 100",
                        "ib_send_bw -n 100 -c UD", "ib_send_lat -n 100 -c UC",
                        "ib_atomic_bw -n 100", "ib_atomic_lat -n 100 -A CMP_AND_SWAP",
                        "ib_write_bw -n 100 -q 4", "ib_send_bw -n 100 -e",
                        "ib_read_bw -n 100 -b", "ib_write_bw -n 100 --odp",
                        "ib_read_bw -n 100 --odp", "ib_send_bw -n 100 --odp"):
            pair(command.replace(" ", " -F ", 1), options)
    # this release refuses atomics with --odp itself, whatever the device announces
    for command in ("ib_write_lat -n 50 --odp -c XRC", "ib_read_bw -n 50 --odp -c DC"):
        pair(command.replace(" ", " -F ", 1))


@group
def cm():
    """Programs of rdma-core that connect by address."""
    need("rping")
    for options in ([], ["--link", "infiniband"], ["--doorbells", "async"]):
        text = pair_cm("rping -s -C 5", "rping -c -v -C 5 -a 127.0.0.1", options)
        check("rdma-ping-4:" in text, text)
        pair_cm("rping -s -a :: -C 5", "rping -c -C 5 -a ::1", options)
        pair_cm("ucmatose", "ucmatose -s 127.0.0.1", options)
        pair_cm("udaddy", "udaddy -s 127.0.0.1", options)
        pair_cm("rdma_server", "rdma_client", options)
        pair_cm("rdma_xserver", "rdma_xclient", options)
        pair_cm("mckey -b 127.0.0.1 -m 224.1.2.3 -C 5",
                "mckey -s -b 127.0.0.1 -m 224.1.2.3 -C 5", options)
    with_two = ["--device", "name=mlx5_0,ip=10.0.9.1", "--device",
                "name=mlx5_1,netdev=p1,pci=03:00.1,ip=10.0.9.2"]
    # rsockets
    pair_cm("rstream -S 64 -C 5", "rstream -S 64 -C 5 -s 127.0.0.1")
    pair_cm("rping -s -a 10.0.9.2 -C 5", "rping -c -C 5 -a 10.0.9.2 -I 10.0.9.1", with_two)


def came_before_listener(log, _):
    """True when perftest's client connected for the second time before the server listened again. The
    client is then refused and ends by a signal: perftest 4.5 does not order the two
    (https://github.com/linux-rdma/perftest/issues/93)."""
    return re.findall("rdma_cm (LISTEN|CONNECT): ok", log)[:3] == ["LISTEN", "CONNECT", "CONNECT"]


@group
def cm_perftest():
    """perftest with connections by address. Both programs compute what they measure."""
    need("ib_write_bw")
    for options in ([], ["--link", "infiniband"]):
        for command in ("ib_write_bw -n 100", "ib_read_lat -n 100", "ib_send_bw -n 100",
                        "ib_send_lat -n 100 -c UD", "ib_atomic_bw -n 100",
                        "ib_write_bw -n 100 -q 4"):
            command = command.replace(" ", " -R -F ", 1)
            pair_cm(command, f"{command} 127.0.0.1", options, came_before_listener)


def lost_its_last_messages(log, out):
    """True when one program waits for ever, because libfabric destroyed its queue pairs together with
    the completions in its CQ. libfabric does so when it handles the disconnection event of the peer
    before the completions that came earlier. This happens when the program got no CPU for ten
    milliseconds, and then finds the event and the completions at the same time
    (https://github.com/ofiwg/libfabric/pull/5228)."""
    lines = [line for line in log.splitlines() if "GET_EVENT: Resource temp" not in line]
    ends = re.findall(r"the context of process (\d+) on \S+ ends", log)
    if "did not end" not in out or not ends:
        return False
    queues = [(i, line) for i, line in enumerate(lines) if f"process {ends[-1]} " in line and
              re.search(r"QP\.(CREATE|DESTROY) .* ok", line)]
    created = sum("CREATE" in line for _, line in queues)
    return (0 < created * 2 == len(queues) and
            lines[queues[-1][0] - 1].endswith("rdma_cm GET_EVENT: ok"))


@group
def cm_fabric():
    """libfabric's verbs provider."""
    need("fi_pingpong")
    for endpoint in ("msg", "rdm"):
        for options in ([], ["--link", "infiniband"]):
            port = str(free_port())
            command = f"fi_pingpong -p verbs -e {endpoint} -I 10"
            run_pair(command, port, f"{command} -B {port}", f"{command} -P {port} 127.0.0.1",
                     options, None, lost_its_last_messages)


@group
def ucx():
    need("ucx_perftest")
    env = {"UCX_NET_DEVICES": "mlx5_0:1", "UCX_LOG_LEVEL": "error"}
    # this release does not know PCI ids of cards after BlueField-2
    for tls, tests in (("rc_v", ("tag_lat -s 1024", "tag_lat -s 300000", "ucp_put_bw -s 100000",
                                 "ucp_put_lat -s 8", "ucp_get -s 100000", "ucp_fadd -s 8")),
                       ("ud_v", ("tag_lat -s 1024",)),
                       ("ud_x", ("tag_lat -s 1024", "tag_bw -s 100000")),
                       ("rc_x", ("tag_lat -s 1024", "tag_lat -s 300000", "ucp_put_bw -s 100000",
                                 "ucp_get -s 100000", "ucp_fadd -s 8")),
                       ("dc_x", ("tag_lat -s 1024", "ucp_put_bw -s 100000", "ucp_get -s 100000",
                                 "ucp_fadd -s 8"))):
        for test in tests:
            # the default, and relaxed ordering, which is the default on some CPUs: UCX then accesses
            # memory through KSM mkeys
            for ordering in ("auto", "on"):
                text = pair(f"ucx_perftest -n 50 -w 5 -t {test}", ["--bluefield", "2"],
                            {**env, "UCX_TLS": tls, "UCX_IB_PCI_RELAXED_ORDERING": ordering})
                check("Final:" in text, text)


@group
def ethernet():
    """Ports with RoCE. A path without a GID must be refused."""
    need("ibv_rc_pingpong", "ib_send_bw")
    for command in ("ibv_rc_pingpong -n 100 -g 0", "ibv_rc_pingpong -n 100 -g 1 -c",
                    "ibv_uc_pingpong -n 100 -g 1", "ibv_ud_pingpong -n 100 -g 0",
                    "ibv_srq_pingpong -n 100 -g 1 -e", "ib_send_bw -F -n 100 -c UD",
                    "ib_write_lat -F -n 50 -x 1"):
        pair(command)
    text = emulated(["sh", "-c", "ibv_devinfo -v; cd /sys/class/infiniband/mlx5_0/ports/1; "
                                 "cat link_layer gid_attrs/ndevs/1"]).stdout
    for pattern in (r"link_layer:\s+Ethernet", r"(?m)^Ethernet\np0$", r"port_lid:\s+0\b",
                    r"GID\[\s*1\]:.*RoCE v2"):
        check(re.search(pattern, text), f"{pattern} is not in\n{text}")
    try:
        pair("ibv_rc_pingpong -n 100")
    except AssertionError as refused:
        check("Failed to modify QP to RTR" in str(refused), str(refused))
        return
    check(False, "a path without a GID was accepted")


@group
def valgrind():
    """Under valgrind the device must poll the doorbell pages, because it cannot trap stores."""
    need("ibv_rc_pingpong", "valgrind")
    for command in ("ibv_rc_pingpong -g 0 -n 10", "ibv_srq_pingpong -g 0 -n 10 -e"):
        pair(f"valgrind -q --error-exitcode=9 {command}", ["--doorbells", "poll"])


# A server that a signal ends, and a client that does not end by itself.
DYING = """\
#!{python}
import os, signal, socket, sys, time
if sys.argv[-1] == "localhost":
    time.sleep(1000)
server = socket.create_server(("localhost", int(sys.argv[2])))
time.sleep(0.2)
signal.signal(signal.SIGBUS, signal.SIG_DFL)
os.kill(os.getpid(), signal.SIGBUS)
"""


def check_pair_with_a_dying_server():
    with tempfile.TemporaryDirectory() as place:
        program = os.path.join(place, "dying")
        with open(program, "w", encoding="utf-8") as file:
            file.write(DYING.format(python=sys.executable))
        os.chmod(program, 0o755)
        begin = time.monotonic()
        try:
            pair(program)
        except AssertionError as failure:
            check("the server ended by SIGBUS" in str(failure), str(failure))
        else:
            raise AssertionError("pair() has passed although the server died")
        check(time.monotonic() - begin < SECONDS / 4, "pair() did not end when the server died")
    print("  ok  a pair whose server dies")


@group
def kill():
    """Kill one side of a connection: the other side gets errors, and the device continues to
    work."""
    need("ibv_rc_pingpong", "ib_write_bw")
    check_pair_with_a_dying_server()
    script = r"""
device=$(cat "$MLX5SIM_DIR/pid")
fds() { ls /proc/$device/fd | wc -l; }
before=$(fds)
for victim in 1 2; do
    for try in 1 2 3; do
        [ $try = 1 ] && memory= || { [ $try = 2 ] && memory=-o || memory=-O; }
        ibv_rc_pingpong -g 0 -p $1 $memory -n 100000000 >/dev/null 2>&1 & a=$!
        sleep 0.3
        ibv_rc_pingpong -g 0 -p $1 $memory -n 100000000 localhost >/dev/null 2>&1 & b=$!
        sleep 0.2
        [ $victim = 1 ] && kill -9 $a || kill -9 $b
        sleep 0.1
        kill -9 $a $b 2>/dev/null
        wait $a $b
    done
    ibv_rc_pingpong -g 0 -p $2 -n 100 >/dev/null & a=$!
    sleep 0.3
    ibv_rc_pingpong -g 0 -p $2 -n 100 localhost >/dev/null || exit 3
    wait $a || exit 4
done
sleep 0.3
echo "fds $before $(fds)"
"""
    result = emulated(["sh", "-c", script, "sh", str(free_port()), str(free_port())])
    check(result.returncode == 0, f"status {result.returncode}: {result.stdout}")
    counts = re.search(r"fds (\d+) (\d+)", result.stdout)
    check(counts and counts[1] == counts[2],
          f"the device process has leaked descriptors: {result.stdout}")


@group
def user():
    """Run as an unprivileged user whose home directory does not exist."""
    need("ibv_rc_pingpong")
    if os.getuid() != 0 or not shutil.which("setpriv"):
        raise Skip("only root can become another user")
    # A shell script, because the user may have no access to this Python. The client tries again
    # until the server listens.
    script = 'id -u; ibv_rc_pingpong -g 0 -n 200 -p $0 & i=0; ' \
             'until ibv_rc_pingpong -g 0 -n 200 -p $0 localhost; do ' \
             'i=$((i + 1)); [ $i -lt 100 ] || exit 1; sleep 0.05; done; wait $!'
    with tempfile.TemporaryDirectory() as place:
        os.chmod(place, 0o777)
        env = {**os.environ, "HOME": "/nonexistent", "MLX5SIM_BUILD_DIR": os.path.join(place, "b")}
        result = subprocess.run(["setpriv", "--reuid", "65534", "--regid", "65534",
                                 "--clear-groups", RUN, "--", "sh", "-c", script, str(free_port())],
                                env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                text=True, timeout=SECONDS, check=False)
    check(result.returncode == 0 and result.stdout.startswith("65534"), result.stdout)
    # a program that root starts, and that then changes to another user
    script = "import os; os.setgid(65534); os.setuid(65534); " \
             "os.close(os.open('/dev/infiniband/uverbs0', os.O_RDWR)); " \
             "print(open('/sys/class/infiniband/mlx5_0/node_type').read())"
    result = emulated([sys.executable, "-c", script])
    check(result.returncode == 0 and "1: CA" in result.stdout, result.stdout)


@group
def run():
    """Test the tool itself: its statuses, signals and arguments, and that it removes all files."""
    with tempfile.TemporaryDirectory() as place:
        os.environ["TMPDIR"] = place
        try:
            check_the_tool()
        finally:
            del os.environ["TMPDIR"]
        for _ in range(100):
            if not os.listdir(place):
                return
            time.sleep(0.05)
        check(False, f"files were not removed: {os.listdir(place)}")


# A program that is started with closed standard streams. It prints the files behind the descriptors
# 0 to 2 of its own process and of the device process.
CLOSED = """\
import os, sys
def are_open(process):
    return [os.readlink(f"/proc/{process}/fd/{i}") if os.path.lexists(f"/proc/{process}/fd/{i}")
            else None for i in range(3)]
own = are_open("self")
with open(os.environ["MLX5SIM_DIR"] + "/pid") as pid:
    device = are_open(int(pid.read()))
with open(sys.argv[1], "w") as out:
    print(own, device, file=out)
"""


def check_closed_standard_streams():
    """Run with closed standard streams: they must be closed in COMMAND, and /dev/null in the device
    process."""
    with tempfile.TemporaryDirectory() as place:
        out = os.path.join(place, "out")
        command = subprocess.run(
            ["sh", "-c", 'exec "$@" <&- >&- 2>&-', "sh", RUN, "--", sys.executable, "-B", "-c",
             CLOSED, out], timeout=SECONDS, check=False)
        check(command.returncode == 0, f"with closed standard streams: {command.returncode}")
        with open(out, encoding="utf-8") as text:
            printed = text.read()
        check(printed == f"{[None] * 3} {['/dev/null'] * 3}\n", f"with closed streams: {printed}")


def check_the_tool():
    for status in (0, 1, 3, 255):
        check(emulated(["sh", "-c", f"exit {status}"]).returncode == status, f"status {status}")
    for number in (signal.SIGTERM, signal.SIGKILL, signal.SIGABRT):
        got = emulated(["sh", "-c", f"kill -{int(number)} $$"]).returncode
        check(got == -number, f"signal {number}: {got}")
    check(emulated(["/nonexistent/program"]).returncode == 127, "no such command")
    for wrong in (["--devices", "0"], ["--devices", "9"], ["--bluefield", "4"], ["--nothing"],
                  ["--connectx", "3"], ["--bluefield", "6"], ["--keys", "5"],
                  ["--test-and-set", "0"], ["--test-and-set", "256"],
                  ["--doorbells", "loud"], ["--device", "name"], ["--device", "colour=red"],
                  ["--device", "pci=zz"], ["--device", "vhca=1", "--device", "vhca=1"],
                  ["--fault", "no such fault"], ["--fault", "drop:-1"],
                  ["--fault", "command:0x800:1:0"], ["--fault", "command:0x800:1:256"],
                  ["--doorbells", "poll", "--fault", "fatal:1"], ["--log", "/nonexistent/file"]):
        result = emulated(["true"], wrong)
        check(result.returncode == 64 and result.stdout.startswith("mlx5sim"),
              f"{wrong}: {result.returncode} {result.stdout}")
    check(subprocess.run([RUN], stderr=subprocess.DEVNULL, check=False).returncode == 64, "empty")
    text = subprocess.run([RUN, "--help"], stdout=subprocess.PIPE, text=True, check=True).stdout
    check(all(name in text for name in ("--devices", "--doorbells", "--machine")), text)
    # a signal to the tool is passed to the command
    with subprocess.Popen([RUN, "--", "sh", "-c", "trap 'exit 9' TERM; echo ready; "
                                                  "for i in $(seq 300); do sleep 0.1; done"],
                          stdout=subprocess.PIPE, text=True) as tool:
        check(tool.stdout.readline() == "ready\n", "the command has not started")
        tool.send_signal(signal.SIGTERM)
        check(tool.wait(SECONDS) == 9, "SIGTERM was not passed to the command")
    # a signal before the command runs ends the tool and the device process
    for delay in (0.02, 0.05, 0.08, 0.1, 0.12, 0.15):
        with subprocess.Popen([RUN, "--", "sleep", "60"], stderr=subprocess.PIPE, text=True) as tool:
            time.sleep(delay)
            tool.send_signal(signal.SIGTERM)
            check(tool.wait(SECONDS) == -signal.SIGTERM, "SIGTERM did not end the tool")
            check("Traceback" not in tool.stderr.read(), "the tool printed a traceback")
    check_closed_standard_streams()
    # directories in which no file can be created
    for wrong in (["--machine", "/proc/nonexistent"], ["--machine", "/dev/null/m"],
                  ["--build-dir", "/proc/nonexistent"]):
        result = emulated(["true"], wrong)
        check(result.returncode == 71 and result.stdout.startswith("mlx5sim: /") and
              result.stdout.count("\n") == 1, f"{wrong}: {result.returncode} {result.stdout}")
    # a directory with a long name
    long = tempfile.mkdtemp(prefix="l" * 50)
    check("mlx5_0" in emulated(["ibv_devices"], ["--machine", long]).stdout, "no device was found")
    shutil.rmtree(long, ignore_errors=True)
    # LD_PRELOAD cannot contain a path with a space or a colon
    built = subprocess.run([RUN, "--build"], stdout=subprocess.PIPE, text=True, check=True).stdout
    odd = os.path.join(tempfile.mkdtemp(), "a blank: and a colon")
    os.symlink(os.path.dirname(built.strip()), odd)
    result = emulated(["ibv_devices"], ["--build-dir", odd])
    check(result.returncode == 0 and "mlx5_0" in result.stdout, result.stdout)
    result = emulated(["true"], ["--build-dir", odd, "--machine", odd + " too"])
    check(result.returncode == 64 and "preloaded" in result.stdout, result.stdout)
    shutil.rmtree(os.path.dirname(odd), ignore_errors=True)
    # if the tool is killed, the device process must remove the files
    with subprocess.Popen([RUN, "--", "sh", "-c", "echo ready; sleep 0.2"],
                          stdout=subprocess.PIPE, text=True) as tool:
        check(tool.stdout.readline() == "ready\n", "the command has not started")
        tool.kill()


# Opens the first device under each of several limits of descriptors, which are set for the process
# that is named by the first argument, and prints the error of each failed attempt.
OPEN_UNDER_LIMITS = """\
import ctypes, errno, os, resource, sys
verbs = ctypes.CDLL("libibverbs.so.1", use_errno=True)
verbs.ibv_get_device_list.restype = ctypes.POINTER(ctypes.c_void_p)
verbs.ibv_open_device.restype = ctypes.c_void_p
verbs.ibv_open_device.argtypes = verbs.ibv_close_device.argtypes = [ctypes.c_void_p]
devices = verbs.ibv_get_device_list(None)
with open(os.environ["MLX5SIM_DIR"] + "/pid") as pid:
    process = int(pid.read()) if sys.argv[1] == "device" else os.getpid()
used = len(os.listdir(f"/proc/{process}/fd")) - (process == os.getpid())
errors = []
for limit in range(used, used + 16):
    old = resource.prlimit(process, resource.RLIMIT_NOFILE)
    resource.prlimit(process, resource.RLIMIT_NOFILE, (limit, old[1]))
    ctypes.set_errno(0)
    context = verbs.ibv_open_device(devices[0])
    error = ctypes.get_errno()
    resource.prlimit(process, resource.RLIMIT_NOFILE, old)
    if context:
        verbs.ibv_close_device(context)
    errors.append("open" if context else errno.errorcode.get(error, error))
print("errors", *errors)
"""


@group
def descriptors():
    """A process without a free descriptor: the error names the process that needs more of them."""
    for process, error in (("program", "EMFILE"), ("device", "ENFILE")):
        result = emulated([sys.executable, "-B", "-c", OPEN_UNDER_LIMITS, process])
        check(result.returncode == 0, f"{process}: {result.stdout}")
        got = [line for line in result.stdout.splitlines() if line.startswith("errors")][0].split()[1:]
        check("open" in got and error in got and set(got) == {"open", error},
              f"limit of the {process}: {got}")
        check(("no file descriptor" in result.stdout) == (process == "device"), result.stdout)


def forward_packets(cases):
    if testpmd.missing():
        raise Skip(f"DPDK's driver is not installed: install {testpmd.missing()}")
    testpmd.forward_all(RUN, cases)


@group
def dpdk():
    """Packets that DPDK's driver sends and returns: several queues, and a rule."""
    forward_packets(testpmd.CASES)


@group
def dpdk_doorbells():
    """The same with one queue and each mode of doorbells."""
    forward_packets(testpmd.OTHER_CASES)


@group
def machine():
    """Two runs with the same machine use the same device. The machine ends with the last run."""
    need("ibv_rc_pingpong")
    port = str(free_port())
    with tempfile.TemporaryDirectory() as place:
        shared = ["--machine", os.path.join(place, "m")]
        command = ["ibv_rc_pingpong", "-g", "0", "-p", port, "-n", "100"]
        with subprocess.Popen([RUN, *shared, "--", *command], stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True) as server:
            wait_for_listener(port)
            client = emulated([*command, "localhost"], shared)
            out = server.communicate(timeout=SECONDS)[0]
            check(client.returncode == 0 and server.returncode == 0, f"{out}\n{client.stdout}")
        for _ in range(100):
            if not os.path.exists(os.path.join(place, "m", "control")):
                return
            time.sleep(0.05)
        check(False, "the machine has not ended")


def state_of(process):
    with open(f"/proc/{process}/stat", encoding="ascii") as file:
        return file.read().rpartition(")")[2].split()[0]


@group
def machine_anew():
    """A new machine replaces a machine whose device process was killed. A machine does not end if a
    process joins it at the moment when the last process leaves."""
    with tempfile.TemporaryDirectory() as place:
        shared = ["--machine", os.path.join(place, "m")]
        killed = emulated(["sh", "-c", 'kill -9 $(cat "$MLX5SIM_DIR/pid")'],
                          [*shared, "--devices", "3"])
        check(killed.returncode == 71, f"status {killed.returncode}: {killed.stdout}")
        left = emulated(["ls", "/sys/class/infiniband"], shared).stdout
        check(left == "mlx5_0\n", f"a machine with one device has {left}")

        with subprocess.Popen([RUN, *shared, "--", "sh", "-c", 'cat "$MLX5SIM_DIR/pid"; cat'],
                              stdin=subprocess.PIPE, stdout=subprocess.PIPE) as last, \
                socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as control:
            device = int(last.stdout.readline())
            os.kill(device, signal.SIGSTOP)
            try:
                while state_of(device) != "T":
                    time.sleep(0.01)
                last.kill()
                last.wait()
                control.connect(os.path.join(shared[1], "control"))
            finally:
                os.kill(device, signal.SIGCONT)
            control.settimeout(SECONDS)
            control.recv(64)        # the first message of the server
            try:
                control.send(b"violations")
                answer = control.recv(64)
            except OSError as error:
                answer = error
            check(answer == b"0", f"the machine has ended: {answer}")


@group
def sanitized():
    """Run the device process with AddressSanitizer and UBSan, which report errors and leaks."""
    need("ibv_rc_pingpong", "ib_send_bw")
    for command in ("ibv_rc_pingpong -g 0 -n 100 -e", "ibv_uc_pingpong -g 0 -n 100",
                    "ibv_ud_pingpong -g 0 -n 100", "ibv_srq_pingpong -g 0 -n 100 -e",
                    "ib_send_bw -F -n 100 -e", "ib_atomic_lat -F -n 50"):
        pair(command, ["--sanitize"])


def main():
    if len(sys.argv) != 3 or sys.argv[2] not in GROUPS:
        print(__doc__, "\ngroups:", " ".join(GROUPS), file=sys.stderr)
        return 64
    try:
        built = subprocess.run([RUN, "--build"] + ["--sanitize"] * (sys.argv[2] == "sanitized"),
                               stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                               check=False)
        if built.returncode == 77:
            raise Skip(built.stderr.strip())
        check(built.returncode == 0, built.stderr)
        GROUPS[sys.argv[2]]()
    except Skip as skip:
        print(f"skipped: {skip}")
        return 77
    except AssertionError as failure:
        print(f"FAILED {sys.argv[2]}: {failure}")
        return 1
    print(f"passed {sys.argv[2]}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
