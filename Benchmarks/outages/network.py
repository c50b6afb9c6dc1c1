"""Where the programs of a run live: network namespaces with cables between them, or, without the right to make some, loopback.

The namespaces have no names: they are held by file descriptors of this process and end with it, however it ends. Home is
192.168.77.0/24 (computer and phone), the way to the hubs is 10.77.0.0/24 (all).
"""

import ctypes
import os
import subprocess
import sys

CLONE_NEWNET = 0x40000000
libc = ctypes.CDLL(None, use_errno=True)

PLACES = {
    "computer": {"eth0": "192.168.77.2", "eth1": "10.77.0.2"},
    "phone": {"eth0": "192.168.77.3", "eth1": "10.77.0.3"},
    "hub-a": {"eth1": "10.77.0.11"},
    "hub-b": {"eth1": "10.77.0.12"},
}


class NetworkError(Exception):
    pass


def run(*command, text=None):
    done = subprocess.run(command, input=text, capture_output=True, text=True, timeout=20)
    if done.returncode != 0:
        raise NetworkError(f"{' '.join(command)}: {done.stderr.strip() or done.stdout.strip()}")
    return done.stdout


class Namespaces:
    has_packets = True

    def __init__(self):
        self.spaces = {name: self._make() for name in ("switch", *PLACES)}
        try:
            self._wire()
        except BaseException:
            self.close()
            raise

    @staticmethod
    def _make():
        own = os.open("/proc/thread-self/ns/net", os.O_RDONLY | os.O_CLOEXEC)
        try:
            if libc.unshare(CLONE_NEWNET) != 0:
                raise NetworkError(f"no network namespace: {os.strerror(ctypes.get_errno())}")
            made = os.open("/proc/thread-self/ns/net", os.O_RDONLY | os.O_CLOEXEC)
            if libc.setns(own, CLONE_NEWNET) != 0:
                raise NetworkError(f"no way back into the namespace: {os.strerror(ctypes.get_errno())}")
            return made
        finally:
            os.close(own)

    def path(self, place):
        return f"/proc/{os.getpid()}/fd/{self.spaces[place]}"

    def command(self, place, command):
        """The command, as it is run in a place. It keeps its process id and ends when this process does."""
        return ["nsenter", f"--net={self.path(place)}", "setpriv", "--pdeathsig", "KILL", *command]

    def inside(self, place, *command, text=None):
        return run("nsenter", f"--net={self.path(place)}", *command, text=text)

    def _wire(self):
        for bridge in ("home", "away"):
            self.inside("switch", "ip", "link", "add", bridge, "type", "bridge")
            self.inside("switch", "ip", "link", "set", bridge, "up")
        for place, cables in PLACES.items():
            self.inside(place, "ip", "link", "set", "lo", "up")
            for device, address in cables.items():
                other = f"{place}-{device}"[-15:]
                self.inside(
                    "switch", "ip", "link", "add", other, "type", "veth", "peer", "name", device, "netns", self.path(place)
                )
                self.inside("switch", "ip", "link", "set", other, "master", "home" if device == "eth0" else "away", "up")
                self.inside(place, "ip", "addr", "add", f"{address}/24", "dev", device)
                self.inside(place, "ip", "link", "set", device, "up")
        # The computer listens on all its addresses and tells the phone of them. Only home shall be a direct way.
        for place, other in (("computer", "phone"), ("phone", "computer")):
            rules = f"""
add table inet apart
add chain inet apart arrives {{ type filter hook input priority 0 ; policy accept ; }}
add rule inet apart arrives ip saddr {PLACES[other]["eth1"]} drop
"""
            self.inside(place, "nft", "-f", "-", text=rules)

    def address(self, place, device="eth1"):
        return PLACES[place][device]

    def drop(self, place, device=None, source=None, percent=100):
        """What arrives at a place is dropped without an answer: all, or so many packets of a hundred."""
        rule = [f'iifname "{device}"' if device else 'iifname != "lo"']
        if source:
            rule.append(f"ip saddr {source}")
        if percent < 100:
            rule.append(f"numgen random mod 100 < {percent}")
        rules = f"""
add table inet outage
add chain inet outage arrives {{ type filter hook input priority 0 ; policy accept ; }}
add rule inet outage arrives {' '.join(rule)} drop
"""
        self.inside(place, "nft", "-f", "-", text=rules)

    def silence(self, place):
        """Nothing arrives at a place and nothing leaves it, as with a machine that sleeps."""
        self.drop(place)
        rules = """
add chain inet outage leaves { type filter hook output priority 0 ; policy accept ; }
add rule inet outage leaves oifname != "lo" drop
"""
        self.inside(place, "nft", "-f", "-", text=rules)

    def heal(self, *places):
        for place in places:
            self.inside(place, "nft", "-f", "-", text="add table inet outage\ndelete table inet outage\n")

    def readdress(self, place, device, old, new):
        self.inside(place, "ip", "addr", "del", f"{old}/24", "dev", device)
        self.inside(place, "ip", "addr", "add", f"{new}/24", "dev", device)

    def close(self):
        for space in self.spaces.values():
            os.close(space)
        self.spaces = {}


class Loopback:
    """No packets can be dropped here: kinds that need it are played by the proxies or left out."""

    has_packets = False

    def command(self, place, command):
        return ["setpriv", "--pdeathsig", "KILL", *command]

    def address(self, place, device="eth1"):
        return "127.0.0.1"

    def close(self):
        pass


def make(kind):
    """auto, namespaces or loopback."""
    if kind == "loopback":
        return Loopback()
    try:
        return Namespaces()
    except (NetworkError, OSError, subprocess.TimeoutExpired) as error:
        if kind == "namespaces":
            raise NetworkError(str(error))
        print(f"no network namespaces: {error}", file=sys.stderr)
        return Loopback()
