"""Finds a device, activates it with a password, plays, pauses: play.py NAME PASSWORD URL"""

import asyncio
import sys

from dbus_fast import BusType, Variant
from dbus_fast.aio import MessageBus
from dbus_fast.service import ServiceInterface, dbus_method


class Agent(ServiceInterface):
    @dbus_method()
    def RequestCode(self, device: "o", name: "s", challenge: "a{sv}") -> "s":
        print(f"{name} asks: {challenge['reason'].value}")
        return sys.argv[2]

    @dbus_method()
    def Cancel(self, device: "o"):
        pass


async def main() -> None:
    name, url = sys.argv[1], sys.argv[3]
    bus = await MessageBus(bus_type=BusType.SESSION).connect()

    async def proxy(path: str, interface: str):
        return bus.get_proxy_object("org.mdhost", path, await bus.introspect("org.mdhost", path)).get_interface(interface)

    bus.export("/agent", Agent("org.mdhost.PairingAgent1"))
    manager = await proxy("/org/mdhost", "org.mdhost.Manager1")
    await manager.call_register_agent("/agent")
    await manager.call_acquire_discovery_lease({})
    objects = await proxy("/org/mdhost", "org.freedesktop.DBus.ObjectManager")
    device = None
    while device is None:
        for path, interfaces in (await objects.call_get_managed_objects()).items():
            properties = interfaces.get("org.mdhost.Device1", {})
            if properties.get("Name", Variant("s", "")).value == name:
                device = await proxy(path, "org.mdhost.Device1")
        await asyncio.sleep(0.1)
    await device.call_activate({})
    session = await proxy(await device.call_play(url, {}), "org.mdhost.Session1")
    print("playing:", await session.get_is_playing())
    await session.call_pause()
    while await session.get_is_playing():
        await asyncio.sleep(0.05)
    print("paused:", not await session.get_is_playing())
    await session.call_stop()


asyncio.run(main())
