"""Calls, properties and signals of one object of the daemon, with values checked by nobody but the bus."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Any, ClassVar

from dbus_fast import BusType, Message, MessageType, SignatureTree, SignatureType, Variant
from dbus_fast.aio import MessageBus

SERVICE = "org.mdhost"
PROPERTIES = "org.freedesktop.DBus.Properties"


class MdhostError(Exception):
    """The daemon's refusal: a code, such as `NoSuchDevice`, and a sentence for people."""

    def __init__(self, name: str, text: str) -> None:
        super().__init__(text)
        self.code = name.removeprefix("org.mdhost.Error.")


def plain(kind: SignatureType, value: Any) -> Any:
    """The value without variants, and with tuples for structures."""
    if kind.token == "v":
        variant: Variant = value
        return plain(variant.type, variant.value)
    if kind.token == "(":
        return tuple(plain(child, member) for child, member in zip(kind.children, value, strict=True))
    if kind.token != "a" or isinstance(value, bytes):
        return value
    element = kind.children[0]
    if element.token == "{":
        return {key: plain(element.children[1], member) for key, member in value.items()}
    return [plain(element, member) for member in value]


class Link:
    """A connection to the daemon, which the session bus starts if it doesn't run."""

    def __init__(self, bus: MessageBus) -> None:
        self.bus = bus
        self._matched: set[str] = set()

    @classmethod
    @asynccontextmanager
    async def connect(cls, address: str | None = None) -> AsyncIterator[Link]:
        """On the session bus, or the bus with an address."""
        bus = await MessageBus(bus_address=address, bus_type=BusType.SESSION).connect()
        try:
            yield cls(bus)
        finally:
            bus.disconnect()

    async def call(
        self, path: str, interface: str, member: str, signature: str = "", body: Sequence[object] = (),
        destination: str = SERVICE,
    ) -> list[Any]:
        message = Message(destination=destination, path=path, interface=interface, member=member,
                          signature=signature, body=list(body))
        reply = await self.bus.call(message)
        if reply is None:
            raise MdhostError("NoReply", f"{member} got no reply.")
        if reply.message_type is MessageType.ERROR:
            raise MdhostError(reply.error_name or "", str(reply.body[0]) if reply.body else "")
        kinds = SignatureTree(reply.signature).types
        return [plain(kind, value) for kind, value in zip(kinds, reply.body, strict=True)]

    async def objects(self) -> dict[str, dict[str, dict[str, object]]]:
        """Every object with its interfaces and their properties."""
        (found,) = await self.call("/org/mdhost", "org.freedesktop.DBus.ObjectManager", "GetManagedObjects")
        return dict(found)

    async def follow(self) -> None:
        """Receives the daemon's signals from now on."""
        rule = f"type='signal',sender='{SERVICE}'"
        if rule not in self._matched:
            self._matched.add(rule)
            await self.call("/org/freedesktop/DBus", "org.freedesktop.DBus", "AddMatch", "s", [rule],
                            destination="org.freedesktop.DBus")


class Interface:
    """One interface of one object; the generated classes have its members."""

    NAME: ClassVar[str]

    def __init__(self, link: Link, object_path: str) -> None:
        self._link = link
        self.object_path = object_path

    async def _call(self, member: str, signature: str, body: Sequence[object]) -> list[Any]:
        return await self._link.call(self.object_path, self.NAME, member, signature, body)

    async def _get(self, name: str) -> object:
        (value,) = await self._link.call(self.object_path, PROPERTIES, "Get", "ss", [self.NAME, name])
        return value

    async def _set(self, name: str, signature: str, value: object) -> None:
        await self._link.call(self.object_path, PROPERTIES, "Set", "ssv", [self.NAME, name, Variant(signature, value)])

    def _on(self, member: str, handler: Callable[..., None], interface: str | None = None) -> Callable[[], None]:
        def receive(message: Message) -> None:
            if (message.message_type, message.path, message.interface, message.member) == (
                MessageType.SIGNAL, self.object_path, interface or self.NAME, member,
            ):
                kinds = SignatureTree(message.signature).types
                handler(*[plain(kind, value) for kind, value in zip(kinds, message.body, strict=True)])

        self._link.bus.add_message_handler(receive)
        return lambda: self._link.bus.remove_message_handler(receive)

    async def until(self, predicate: Callable[[dict[str, object]], bool], limit: float = 20) -> dict[str, object]:
        """Waits until the properties are as wanted, and returns them.

        Raises TimeoutError after `limit` seconds.
        """
        await self._link.follow()
        changed = asyncio.Event()
        stop = self._on("PropertiesChanged", lambda *_: changed.set(), interface=PROPERTIES)
        try:
            async with asyncio.timeout(limit):
                while True:
                    changed.clear()
                    (values,) = await self._link.call(self.object_path, PROPERTIES, "GetAll", "s", [self.NAME])
                    if predicate(values):
                        return dict(values)
                    await changed.wait()
        finally:
            stop()
