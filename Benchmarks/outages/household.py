"""A computer, a phone, two hubs and the lines between them."""

import asyncio
import time

from control import Control, Gone, Refused
from programs import Clock, Program, Proxy
from rig import Home

# Bytes a second through a line: a good Wi-Fi, and slow enough that a file is under way whenever something breaks.
RATE = 12_000_000


class Household:
    """`is_direct`: the phone reaches the computer's own server without a proxy between, so that its address may change."""

    def __init__(self, tandem, network, folder, clocks, is_direct):
        folder.mkdir()
        # Its programs are started in places of a network, which the rig does not know.
        self.rig = Home(folder=folder, program=tandem)
        self.tandem = tandem
        self.network = network
        self.folder = folder
        self.is_direct = is_direct
        self.shared = folder / "shared"
        self.shared.mkdir()
        home = self.rig.home
        environment = self.rig.environment
        environment |= {"XDG_DATA_HOME": str(home / "data"), "XDG_RUNTIME_DIR": str(home)}
        self.clocks = {name: Clock(folder / f"{name}.clock", clocks) for name in ("computer", "phone")}
        program = lambda name: Program(name, network, name, folder, environment)
        shifted = lambda name: Program(name, network, name, folder, environment, self.clocks[name].environment)
        self.computer = shifted("computer")
        self.phone = shifted("phone")
        self.hubs = [program("hub-a"), program("hub-b")]
        self.lan = Proxy("lan", network, "computer", folder)
        self.hub_lines = [Proxy("line-a", network, "hub-a", folder), Proxy("line-b", network, "hub-b", folder)]
        self.hub_ports = [None, None]
        self.in_use = 0
        # Whether phone and computer have been without any way to each other in this outage.
        self.was_apart = False
        self.computer_port = None
        self.computer_address = network.address("computer", "eth0")
        self.asked_computer = Control(self.state("computer"))
        self.asked_phone = Control(self.state("phone"))

    def state(self, name):
        return self.folder / f"state-{name}"

    @property
    def programs(self):
        return [self.phone, self.computer, *self.hubs, self.lan, *self.hub_lines]

    @property
    def hub(self):
        return self.hubs[self.in_use]

    @property
    def hub_line(self):
        return self.hub_lines[self.in_use]

    def hub_url(self, index):
        return f"ws://{self.network.address(self.hubs[index].name)}:{self.hub_lines[index].port}"

    # Starting

    async def open(self):
        fixed = 9001 if self.network.has_packets else 0
        for index, line in enumerate(self.hub_lines):
            await line.open(self.network.address(self.hubs[index].name), fixed, RATE)
            await self.start_hub(index)
        if not self.is_direct:
            await self.lan.open(self.computer_address, fixed, RATE)
        await self.start_computer()
        await self.start_phone()
        await self.pair()
        await self.run("devices", "allow", self.phone.said["did"], "terminal", "file", state="computer")

    async def run(self, *arguments, state):
        """A command as a person types it."""
        await asyncio.to_thread(self.rig.run, f"state-{state}", *arguments)

    def _options(self, name):
        return ("--state", self.state(name), "--json", "--log-level", "debug")

    async def start_hub(self, index):
        hub, line = self.hubs[index], self.hub_lines[index]
        port = self.hub_ports[index] or (line.port if self.network.has_packets else 0)
        said = await hub.start(self.tandem, "hub", *self._options(hub.name), "--listen", f"127.0.0.1:{port}")
        self.hub_ports[index] = int(said["url"].rsplit(":", 1)[1].strip("/"))
        await line.do("target", host="127.0.0.1", port=self.hub_ports[index])

    async def start_computer(self, port=None):
        """`port`: another one than before, for a direct household."""
        options = ["--hub", self.hub_url(self.in_use), "--yes", "--no-discovery", "--bridge", "off", "--share", self.shared]
        if self.is_direct:
            host = "0.0.0.0" if self.network.has_packets else "127.0.0.1"
            options += ["--listen", f"{host}:{port if port is not None else self.computer_port or 0}"]
        else:
            fixed = self.lan.port if self.network.has_packets else 0
            options += ["--listen", f"127.0.0.1:{self.computer_port or fixed}"]
            options += ["--advertise", f"ws://{self.computer_address}:{self.lan.port}"]
        said = await self.computer.start(self.tandem, "desktop", *self._options("computer"), *options)
        self.computer_port = int(said["port"])
        if not self.is_direct:
            await self.lan.do("target", host="127.0.0.1", port=self.computer_port)

    async def start_phone(self):
        await self.phone.start(self.tandem, "phone", *self._options("phone"), "--no-discovery", "--hub", self.hub_url(0))

    async def pair(self):
        await self.asked_computer.ready()
        await self.asked_phone.ready()
        shown = await self.asked_computer.call("pair.show")
        await self.asked_phone.call("pair.scan", text=shown["payload"], limit=60)

    # Asking

    async def path(self):
        """lan, relay or None, as `devices list` shows it."""
        devices = (await self.asked_phone.call("devices.list", limit=5))["devices"]
        return devices[0]["path"] if devices else None

    async def path_is(self, wanted, limit):
        """Waits for a path; returns the time at which it was seen, or None."""
        until = time.monotonic() + limit
        while time.monotonic() < until:
            try:
                if await self.path() == wanted:
                    return time.monotonic()
            except (Gone, Refused):
                pass
            await asyncio.sleep(0.01)
        return None

    async def servers(self):
        try:
            status = await self.asked_phone.call("status", limit=5)
            return {server["url"]: server["state"] for server in status["servers"]}
        except (Gone, Refused):
            return {}

    # Ending

    async def close(self):
        for control in (self.asked_computer, self.asked_phone):
            await control.close()
        for program in self.programs:
            if program.process:
                await program.end()
