"""Plays an address on a device, pauses it and stops: play.py NAME URL"""

import asyncio
import sys

from mdhost_client import Link, MdhostError, Session1, find_device


async def main(name: str, url: str) -> None:
    async with Link.connect() as link:
        device = await find_device(link, name)
        print("found:", await device.name(), await device.availability())
        await device.activate({})
        session = Session1(link, await device.play(url, {}))
        await session.until(lambda values: values["IsPlaying"] is True)
        position, moment, rate = await session.position()
        print("playing:", await session.is_playing(), position >= 0, moment > 0, rate == 1)
        await session.pause()
        await session.until(lambda values: values["IsPlaying"] is False)
        print("paused:", not await session.is_playing())
        await session.stop()
        try:
            await session.pause()
        except MdhostError as error:
            print("refused:", error.code)


asyncio.run(main(sys.argv[1], sys.argv[2]))
