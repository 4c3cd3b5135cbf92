#!/usr/bin/env python3
"""Read the file that `run --pcap` wrote for test_packet.c with scapy.

usage: pcap_scapy.py FILE               exit status 77: python3-scapy is not installed

scapy must find Ethernet frames with IPv4 and IPv6, TCP and UDP, and times of the last hour.
"""
import sys
import time

try:
    from scapy.layers.inet import IP, TCP, UDP
    from scapy.layers.inet6 import IPv6
    from scapy.layers.l2 import Ether
    from scapy.utils import rdpcap
except ImportError:
    print("pcap_scapy: skipped: python3-scapy is not installed")
    sys.exit(77)


def main():
    frames = rdpcap(sys.argv[1])
    kinds = {(ip, l4): 0 for ip in (IP, IPv6) for l4 in (TCP, UDP)}
    wrong = 0
    for frame in frames:
        found = [kind for kind in kinds if Ether in frame and kind[0] in frame and kind[1] in frame]
        wrong += len(found) != 1 or not time.time() - 3600 < float(frame.time) <= time.time()
        for kind in found:
            kinds[kind] += 1
    print(f"pcap_scapy: {len(frames)} frames, {wrong} wrong")
    return 1 if wrong or not all(kinds.values()) else 0


sys.exit(main())
