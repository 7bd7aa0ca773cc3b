"""Many LE peripherals, one after the other by one controller: each is heard for a moment, and again when its turn comes."""

import argparse
import asyncio

import common
from bumble.core import AdvertisingData, UUID
from bumble.device import DeviceConfiguration
from bumble.gatt import GATT_BATTERY_SERVICE
from bumble.hci import (
    Address, HCI_LE_Set_Advertising_Set_Random_Address_Command, HCI_LE_Set_Extended_Advertising_Data_Command,
    HCI_LE_Set_Extended_Advertising_Enable_Command,
)
from peripheral import AUDIO_STREAM_CONTROL


class Crowd(common.Peer):
    def configure(self, configuration: DeviceConfiguration) -> None:
        configuration.le_enabled = True
        configuration.classic_enabled = False

    async def show(self) -> None:
        await self.device.start_advertising(auto_restart=False)
        self.handle = self.device.legacy_advertising_set.advertising_handle
        self.turning = asyncio.create_task(self.turn())

    async def turn(self) -> None:
        rounds = 0
        while True:
            for number in range(self.options.count):
                await self.become(number)
            rounds += 1
            common.report("round", number=rounds)

    async def become(self, number: int) -> None:
        await self.enable(False)
        takes_sound = number % self.options.sound_every == 0
        service: UUID = AUDIO_STREAM_CONTROL if takes_sound else GATT_BATTERY_SERVICE
        data = bytes(AdvertisingData([
            (AdvertisingData.FLAGS, bytes([0x06])),
            (AdvertisingData.COMPLETE_LOCAL_NAME, f"{self.options.name} {number}".encode()),
            (AdvertisingData.COMPLETE_LIST_OF_16_BIT_SERVICE_CLASS_UUIDS, service.to_bytes()),
        ]))
        send = self.device.host.send_sync_command_raw
        await send(HCI_LE_Set_Advertising_Set_Random_Address_Command(
            advertising_handle=self.handle, random_address=Address(f"C0:00:00:00:{number >> 8:02X}:{number & 255:02X}")))
        await send(HCI_LE_Set_Extended_Advertising_Data_Command(
            advertising_handle=self.handle, operation=3, fragment_preference=1, advertising_data=data))
        await self.enable(True)

    async def enable(self, enabled: bool) -> None:
        await self.device.host.send_sync_command_raw(HCI_LE_Set_Extended_Advertising_Enable_Command(
            enable=int(enabled), advertising_handles=[self.handle], durations=[0], max_extended_advertising_events=[0]))


def make(name: str, arguments: list[str]) -> common.Peer:
    def add(parser: argparse.ArgumentParser) -> None:
        parser.add_argument("--count", type=int, default=500, help="peripherals, 65536 at most")
        parser.add_argument("--sound-every", type=int, default=10, help="one of so many takes sound")

    return Crowd(name, common.options(arguments, add, "Bumble"))
