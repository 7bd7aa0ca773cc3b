"""What all peers share: their options, their controller, how they report, what they are told, and how they pair."""

import argparse
import asyncio
import errno
import fcntl
import json
import os
import socket
import time
from collections.abc import Awaitable, Callable

from bumble.device import Connection, Device, DeviceConfiguration
from bumble.hci import Address
from bumble.pairing import PairingConfig, PairingDelegate
from bumble.transport import open_transport

FOLDER = "/run/bluetooth-lab"

# From the kernel's hci_sock.h: _IOW('H', 202, int).
HCIDEVDOWN = 0x400448CA

CAPABILITIES = {
    "none": PairingDelegate.NO_OUTPUT_NO_INPUT,
    "display": PairingDelegate.DISPLAY_OUTPUT_ONLY,
    "keyboard": PairingDelegate.KEYBOARD_INPUT_ONLY,
    "yesno": PairingDelegate.DISPLAY_OUTPUT_AND_YES_NO_INPUT,
    "both": PairingDelegate.DISPLAY_OUTPUT_AND_KEYBOARD_INPUT,
}

begun = time.monotonic()


def path(name: str, kind: str) -> str:
    return os.path.join(FOLDER, f"{name}.{kind}")


def report(event: str, **details: object) -> None:
    print(json.dumps({"event": event, "seconds": round(time.monotonic() - begun, 2)} | details), flush=True)


class Pairing(PairingDelegate):
    """Answers as it was told by the options, and reports every question."""

    def __init__(self, options: argparse.Namespace) -> None:
        # Bumble tells its PIN only where it has keys to enter it with.
        super().__init__(CAPABILITIES["keyboard" if options.pin else options.capability])
        self.options = options
        self.entered: asyncio.Queue[str] = asyncio.Queue()

    async def answer(self) -> bool:
        if self.options.answer == "never":
            await asyncio.get_running_loop().create_future()
        return self.options.answer == "accept"

    async def accept(self) -> bool:
        report("pairing-requested")
        return True

    async def confirm(self, auto: bool = False) -> bool:
        report("confirm", automatic=auto, answer=self.options.answer)
        return await self.answer()

    async def compare_numbers(self, number: int, digits: int) -> bool:
        report("compare", number=f"{number:0{digits}}", answer=self.options.answer)
        return await self.answer()

    async def display_number(self, number: int, digits: int) -> None:
        report("display", number=f"{number:0{digits}}")

    async def get_number(self) -> int | None:
        report("enter")
        number = int(await self.entered.get())
        report("entered", number=f"{number:06}")
        return number

    async def get_string(self, max_length: int) -> str | None:
        report("pin", answer=self.options.pin)
        return self.options.pin


class Peer:
    """One Bluetooth device made of Bumble alone; a role adds what it offers."""

    def __init__(self, name: str, options: argparse.Namespace) -> None:
        self.name = name
        self.options = options
        self.pairing = Pairing(options)
        self.device: Device
        self.commands: dict[str, Callable[..., Awaitable[None]]] = {
            "enter": self.enter,
            "answer": self.change_answer,
            "capability": self.change_capability,
            "disconnect": self.disconnect,
        }

    # To be overridden.
    def configure(self, configuration: DeviceConfiguration) -> None: ...
    def offer(self) -> None: ...
    async def show(self) -> None: ...
    def connected(self, connection: Connection) -> None: ...

    async def run(self) -> None:
        async with await open_controller(self.options.controller) as transport:
            configuration = DeviceConfiguration()
            configuration.name = self.options.name
            configuration.address = Address(f"F0:F1:F2:F3:F4:{0xF0 + self.options.controller:02X}")
            configuration.keystore = f"JsonKeyStore:{path(self.name, 'keys')}"
            self.configure(configuration)
            self.device = Device.from_config_with_hci(configuration, transport.source, transport.sink)
            self.device.pairing_config_factory = lambda _: PairingConfig(
                sc=True, mitm=self.options.capability != "none", bonding=True, delegate=self.pairing
            )
            self.offer()
            self.device.on("connection", self.follow)
            await self.device.power_on()
            await self.show()
            listening = asyncio.create_task(self.listen())
            address = self.device.public_address if configuration.classic_enabled else self.device.random_address
            report("ready", address=address.to_string(with_type_qualifier=False))
            await asyncio.wait([listening, asyncio.ensure_future(transport.source.terminated)],
                               return_when=asyncio.FIRST_COMPLETED)

    def follow(self, connection: Connection) -> None:
        report("connected", address=str(connection.peer_address))
        for event in ("pairing_start", "pairing", "pairing_failure", "classic_pairing", "classic_pairing_failure",
                      "connection_encryption_change", "disconnection"):
            connection.on(event, lambda *details, event=event: report(
                event.replace("_", "-"), details=[str(detail)[:120] for detail in details]))
        self.connected(connection)

    # MARK: what it is told

    async def listen(self) -> None:
        reader = asyncio.StreamReader()
        pipe = os.fdopen(os.open(path(self.name, "in"), os.O_RDWR | os.O_NONBLOCK), "rb", buffering=0)
        loop = asyncio.get_running_loop()
        await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), pipe)
        while line := await reader.readline():
            command, *arguments = line.decode().split()
            try:
                await self.commands[command](*arguments)
                report("done", command=command)
            except Exception as error:
                report("refused", command=command, reason=f"{type(error).__name__}: {error}")

    async def enter(self, number: str) -> None:
        self.pairing.entered.put_nowait(number)

    async def change_answer(self, answer: str) -> None:
        self.options.answer = answer

    async def change_capability(self, capability: str) -> None:
        self.options.capability = capability
        self.pairing.io_capability = CAPABILITIES[capability]

    async def disconnect(self) -> None:
        for connection in list(self.device.connections.values()):
            await connection.disconnect()


def options(arguments: list[str], add: Callable[[argparse.ArgumentParser], None], name: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    parser.add_argument("--controller", type=int, default=1)
    parser.add_argument("--name", default=name)
    parser.add_argument("--capability", choices=CAPABILITIES, default="none")
    parser.add_argument("--answer", choices=("accept", "reject", "never"), default="accept")
    parser.add_argument("--pin", help="legacy pairing with this PIN")
    add(parser)
    return parser.parse_args(arguments)


async def open_controller(number: int):
    """The controller for ourselves alone, which it can be while it is down only; bluetoothd may be about to switch it on."""
    for _ in range(50):
        with socket.socket(socket.AF_BLUETOOTH, socket.SOCK_RAW, socket.BTPROTO_HCI) as control:
            try:
                fcntl.ioctl(control, HCIDEVDOWN, number)
            except OSError as error:
                if error.errno not in (errno.EALREADY, errno.ENODEV, errno.EBUSY):
                    raise
        try:
            return await open_transport(f"hci-socket:{number}")
        except OSError as error:
            if error.errno not in (errno.EBUSY, errno.ENODEV):
                raise
        await asyncio.sleep(0.1)
    raise TimeoutError(f"hci{number} cannot be had")


def run(make: Callable[[str, list[str]], Peer], name: str, arguments: list[str]) -> None:
    async def begin() -> None:
        await make(name, arguments).run()

    asyncio.run(begin())
