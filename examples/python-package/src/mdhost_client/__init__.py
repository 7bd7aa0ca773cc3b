"""A typed client of mdhost on the session bus."""

from .interfaces import Device1, DiscoveryLease1, Extension1, Manager1, MediaSession1, NowPlaying1, Session1
from .link import Link, MdhostError

__all__ = ["Device1", "DiscoveryLease1", "Extension1", "Link", "Manager1", "MdhostError", "MediaSession1", "NowPlaying1",
           "Session1", "find_device"]


async def find_device(link: Link, name: str, limit: float = 15) -> Device1:
    """Returns a device by its name, and discovers devices for it as long as necessary.

    Raises TimeoutError after `limit` seconds.
    """
    import asyncio

    await link.follow()
    lease = await Manager1(link, "/org/mdhost").acquire_discovery_lease({})
    try:
        async with asyncio.timeout(limit):
            while True:
                for path, interfaces in (await link.objects()).items():
                    if interfaces.get(Device1.NAME, {}).get("Name") == name:
                        return Device1(link, path)
                await asyncio.sleep(0.1)
    finally:
        await DiscoveryLease1(link, lease).release()
