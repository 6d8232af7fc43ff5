"""A network of its own for the calling thread and all that it starts: loopback, and nothing behind it (Linux, as root).

Every other address leads back to this network, where nobody listens: a connection is refused at once, as a firewall
would, and what was tried is seen.
"""

from __future__ import annotations

import contextlib
import ctypes
import fcntl
import socket
import struct
import sys
import threading
import time
from typing import Final

CLONE_NEWNET: Final = 0x40000000
SIOCSIFFLAGS: Final = 0x8914
IFF_UP: Final = 1
ALL_PACKETS: Final = 3
ETHERNET: Final = 14
HEAD: Final = 512
SETTLES: Final = 0.05
"""Seconds in which a packet that was sent is seen."""
SYN: Final = 0x02
ACK: Final = 0x10


def cut_off() -> bool:
    """Cut the calling thread off; False where the system does not allow it. Threads and processes that it starts from
    now on are cut off with it; those that run already are not."""
    if sys.platform != "linux" or ctypes.CDLL(None, use_errno=True).unshare(CLONE_NEWNET) != 0:
        return False
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as loopback:
        fcntl.ioctl(loopback, SIOCSIFFLAGS, struct.pack("16sH14x", b"lo", IFF_UP))
    with contextlib.suppress(OSError):
        _lead_back()
    return True


def _lead_back() -> None:
    """`ip route add local default dev lo`: every address is one of this network."""
    route = struct.pack("=BBBBBBBBI", socket.AF_INET, 0, 0, 0, 255, 3, 254, 2, 0)
    route += struct.pack("=HHI", 8, 4, socket.if_nametoindex("lo"))
    header = struct.pack("=IHHII", 16 + len(route), 24, 0x1 | 0x4 | 0x400, 1, 0)
    with socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0) as netlink:
        netlink.bind((0, 0))
        netlink.send(header + route)
        (error,) = struct.unpack_from("=i", netlink.recv(4096), 16)
        if error:
            raise OSError(-error, "the route was refused")


class Watch:
    """Sees which addresses are tried besides loopback, and which names are asked for, in the calling thread's
    network."""

    def __init__(self) -> None:
        self._tried: set[str] = set()
        self._socket = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(ALL_PACKETS))
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 8 << 20)
        self._socket.settimeout(0.2)
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._look, daemon=True)
        self._thread.start()

    def seen(self) -> tuple[str, ...]:
        """What was tried since it was asked last: `192.0.2.7:443`, `name example.org` where a name was asked for."""
        time.sleep(SETTLES)
        found, self._tried = self._tried, set()
        return tuple(sorted(found))

    def close(self) -> None:
        self._ended.set()
        self._thread.join()
        self._socket.close()

    def _look(self) -> None:
        while True:
            try:
                packet = self._socket.recv(HEAD)
            except TimeoutError:
                if self._ended.is_set():
                    return
                continue
            if found := tried(packet[ETHERNET:]):
                self._tried.add(found)


def tried(packet: bytes) -> str:
    """What an IPv4 packet tries to reach; empty for one that stays on loopback or belongs to something begun."""
    if not packet or packet[0] >> 4 != 4 or len(packet) < 4 * (packet[0] & 15) + 14:
        return ""
    size = 4 * (packet[0] & 15)
    address, port = socket.inet_ntoa(packet[16:20]), int.from_bytes(packet[size + 2 : size + 4])
    if packet[9] == socket.IPPROTO_UDP and port == 53:
        return f"name {_name(packet[size + 8 :])}"
    if address.startswith("127."):
        return ""
    opens = packet[9] == socket.IPPROTO_TCP and packet[size + 13] & (SYN | ACK) == SYN
    return f"{address}:{port}" if opens or packet[9] == socket.IPPROTO_UDP else ""


def _name(query: bytes) -> str:
    labels, at = [], 12
    while at < len(query) and (length := query[at]) and length < 64:
        labels.append(query[at + 1 : at + 1 + length].decode("ascii", "replace"))
        at += 1 + length
    return ".".join(labels)
