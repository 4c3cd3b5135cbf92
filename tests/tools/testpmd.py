"""dpdk-testpmd of Debian on the emulated device: one process sends packets, and another process
returns them."""

import glob
import os
import re
import shutil
import signal
import struct
import subprocess
import tempfile
import threading
import time

SECONDS = 120
BURST = 32
BURSTS = 4
MACS = {"0000:03:00.0": "5c:25:73:aa:00:00", "0000:03:00.1": "5c:25:73:aa:00:01"}


def missing():
    """Return the package to install, or None."""
    if not shutil.which("dpdk-testpmd"):
        return "dpdk-dev"
    if not glob.glob("/usr/lib/*/dpdk/pmds-*/librte_net_mlx5.so*"):
        return "librte-net-mlx5-23"
    return None


class Failed(AssertionError):
    """testpmd did not do what it was told. The text contains its output."""


class Testpmd:
    """A testpmd with one port that takes commands. Its two threads run on one or two CPUs."""

    def __init__(self, command, port, *arguments):
        cpus = sorted(os.sched_getaffinity(0))
        self.text = ""
        self.process = subprocess.Popen(
            [*command, "stdbuf", "-oL", "dpdk-testpmd", "--no-shconf", "--no-huge", "-m", "128",
             "--no-telemetry", f"--lcores=0@{cpus[0]},1@{cpus[-1]}",
             "-a", port,
             "--", "-i", "--total-num-mbufs=2048", *arguments],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            start_new_session=True)
        self.reader = threading.Thread(target=self.read)
        self.reader.start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        self.reader.join()
        self.process.stdin.close()
        self.process.stdout.close()

    def read(self):
        while part := self.process.stdout.read1():
            self.text += part.decode(errors="replace")

    def tell(self, line, answer):
        """Send a command and wait for a pattern in the answer. Return the matches."""
        before = len(self.text)
        if line:
            try:
                self.process.stdin.write(line.encode() + b"\n")
                self.process.stdin.flush()
            except BrokenPipeError:
                pass
        until = time.monotonic() + SECONDS
        while time.monotonic() < until:
            ended = self.process.poll() is not None and not self.reader.is_alive()
            found = re.search(answer, self.text[before:] if line else self.text, re.S)
            if found:
                return found
            if ended:
                break
            time.sleep(0.02)
        raise Failed(f"no {answer!r} after {line!r}, status {self.process.poll()}:\n{self.text}")

    def counts(self, command):
        """Return the numbers of packets that the port has received and sent."""
        found = self.tell(command, r"statistics for port 0 .*?RX-packets: (\d+) .*?"
                                   r"TX-packets: (\d+) .*?testpmd> ")
        return int(found[1]), int(found[2])

    def queues(self):
        """Return the numbers of the queues that have received packets."""
        return set(re.findall(r"Stats for RX Port= 0/Queue= ?(\d+) .*\n +RX-packets: [1-9]",
                              self.text))

    def quit(self):
        self.tell("quit", r"Bye\.\.\.")
        if self.process.wait(SECONDS) != 0:
            raise Failed(f"status {self.process.returncode} at the end:\n{self.text}")


def frames(path):
    """Count the frames of a pcap file by their source and destination."""
    counts = {}
    with open(path, "rb") as file:
        file.read(24)
        while head := file.read(16):
            frame = file.read(struct.unpack("=4I", head)[2])
            way = frame[6:12].hex(":"), frame[:6].hex(":")
            counts[way] = counts.get(way, 0) + 1
    return counts


def check_equal(what, got, want, *outputs):
    if got != want:
        raise Failed(f"{what}: {got}, not {want}\n" + "\n".join(outputs))


def forward(run, options=(), queues=1, rule=None, dv_flow_en=1, compressed=1):
    """The second function sends packets to the first one, which returns them. Every packet must
    arrive. With a rule that drops the packets, the first function must return none. With dv_flow_en
    the driver writes the entries of flow tables itself, otherwise it uses the rules of verbs. The
    driver asks for compressed CQEs by default."""
    port_options = f",rxq_cqe_comp_en={compressed},dv_flow_en={dv_flow_en}"
    num = BURST * BURSTS * queues
    arrive = 0 if rule else num
    of_mirror, of_source = MACS.items()
    arguments = [f"--rxq={queues}", f"--txq={queues}"]
    with tempfile.TemporaryDirectory() as place:
        pcap = os.path.join(place, "pcap")
        command = [run, "--machine", os.path.join(place, "machine"), "--devices", "2", "--strict",
                   "--pcap", pcap, *options, "--"]
        with Testpmd(command, of_mirror[0] + port_options, "--forward-mode=macswap",
                     "--port-topology=loop", *arguments) as mirror:
            mirror.tell(None, "testpmd> ")
            with Testpmd(command, of_source[0] + port_options, "--forward-mode=rxonly",
                         "--port-topology=loop", f"--eth-peer=0,{of_mirror[1]}",
                         "--txonly-multi-flow", *arguments) as source:
                source.tell(None, "testpmd> ")
                if rule:
                    mirror.tell(rule, "Flow rule #0 created")
                mirror.tell("start", "macswap packet forwarding.*testpmd> ")
                source.tell(f"start tx_first {BURSTS}", "rxonly packet forwarding.*testpmd> ")
                until = time.monotonic() + SECONDS
                while source.counts("show fwd stats all")[0] < arrive and time.monotonic() < until:
                    time.sleep(0.05)
                if rule:
                    time.sleep(0.2)
                of_both = source.counts("stop"), mirror.counts("stop")
                source.quit()
                mirror.quit()
                check_equal("received and sent", of_both, ((arrive, num), (arrive, arrive)),
                            source.text, mirror.text)
                if queues > 1:
                    check_equal("queues", mirror.queues(), set(map(str, range(queues))),
                                mirror.text)
        way = of_source[1], of_mirror[1]
        check_equal("frames", frames(pcap), {way: num, **({way[::-1]: num} if arrive else {})})


DROP_UDP = "flow create 0 ingress pattern eth / ipv4 / udp / end actions drop / end"
CASES = ({"queues": 2}, {"queues": 2, "compressed": 0}, {"rule": DROP_UDP},
         {"rule": DROP_UDP, "dv_flow_en": 0})
OTHER_CASES = ({}, {"options": ["--doorbells", "async"]}, {"options": ["--doorbells", "poll"]})


def forward_all(run, cases):
    for case in cases:
        forward(run, **case)
        print(f"  ok  testpmd {case}", flush=True)
