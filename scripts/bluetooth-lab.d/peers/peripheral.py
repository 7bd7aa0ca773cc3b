"""An LE peripheral: a battery, and a lamp whose level can be read, written and followed."""

import argparse
import asyncio
import hashlib
import struct

import common
from bumble.core import AdvertisingData, UUID
from bumble.device import Connection, DeviceConfiguration
from bumble.gatt import (
    GATT_BATTERY_LEVEL_CHARACTERISTIC, GATT_BATTERY_SERVICE, GATT_CHARACTERISTIC_USER_DESCRIPTION_DESCRIPTOR,
    Characteristic, CharacteristicValue, Descriptor, Service,
)
from bumble.hci import HCI_LE_Set_Extended_Advertising_Enable_Command, HCI_SUCCESS
from bumble.l2cap import LeCreditBasedChannel, LeCreditBasedChannelSpec

# Of LE Audio: what announces it takes sound.
AUDIO_STREAM_CONTROL = UUID.from_16_bits(0x184E)
LAMP = UUID("8E7F0001-5A3C-4D2B-9C1E-6D64686F7374")
# Read, write and notify: one byte, the level.
LEVEL = UUID("8E7F0002-5A3C-4D2B-9C1E-6D64686F7374")
# Read over an encrypted link only: text.
SECRET = UUID("8E7F0003-5A3C-4D2B-9C1E-6D64686F7374")
# Write without response: every byte is a blink.
BLINK = UUID("8E7F0004-5A3C-4D2B-9C1E-6D64686F7374")
# Not there before it is told to change.
EXTRA = UUID("8E7F0005-5A3C-4D2B-9C1E-6D64686F7374")
# The number of the L2CAP service that sends everything back, and how much it takes at once.
PROGRAM = 0xF1
PACKET = 256


class Peripheral(common.Peer):
    def __init__(self, name: str, options: argparse.Namespace) -> None:
        super().__init__(name, options)
        self.level = bytes([10])
        self.charge = options.charge
        self.channels: list[LeCreditBasedChannel] = []
        self.commands |= {
            "level": self.change_level, "battery": self.change_battery, "change": self.change_services,
            "close": self.close_channels}

    def configure(self, configuration: DeviceConfiguration) -> None:
        configuration.le_enabled = True
        configuration.classic_enabled = False
        if self.options.private:
            # Kept over its life, as its own address is.
            configuration.irk = hashlib.sha256(self.options.name.encode()).digest()[:16]
            configuration.le_privacy_enabled = True
            configuration.le_rpa_timeout = 0

    def offer(self) -> None:
        properties = Characteristic.Properties
        permissions = Characteristic.Permissions
        guarded = permissions.READ_REQUIRES_AUTHENTICATION if self.options.authenticated else permissions(0)
        self.battery_characteristic = Characteristic(
            GATT_BATTERY_LEVEL_CHARACTERISTIC, properties.READ | properties.NOTIFY, permissions.READABLE | guarded,
            CharacteristicValue(read=lambda _: bytes([self.charge])))
        self.level_characteristic = Characteristic(
            LEVEL, properties.READ | properties.WRITE | properties.NOTIFY, permissions.READABLE | permissions.WRITEABLE,
            CharacteristicValue(read=lambda _: self.level, write=self.written),
            [Descriptor(GATT_CHARACTERISTIC_USER_DESCRIPTION_DESCRIPTOR, permissions.READABLE, b"Level of the lamp")])
        secret = Characteristic(
            SECRET, properties.READ, permissions.READABLE | permissions.READ_REQUIRES_ENCRYPTION, b"between us")
        blink = Characteristic(
            BLINK, properties.WRITE_WITHOUT_RESPONSE, permissions.WRITEABLE, CharacteristicValue(write=self.blinked))
        for characteristic in (self.battery_characteristic, self.level_characteristic):
            characteristic.on("subscription", lambda _, notifies, __, of=characteristic: common.report(
                "subscription", characteristic=str(of.uuid), notifies=notifies))
        self.device.add_service(Service(GATT_BATTERY_SERVICE, [self.battery_characteristic]))
        self.device.add_service(Service(LAMP, [self.level_characteristic, secret, blink]))
        self.device.create_l2cap_server(LeCreditBasedChannelSpec(psm=PROGRAM, mtu=PACKET), self.opened)
        if self.options.audio:
            self.device.add_service(Service(AUDIO_STREAM_CONTROL, []))

    async def show(self) -> None:
        self.device.advertising_data = bytes(AdvertisingData([
            (AdvertisingData.FLAGS, bytes([0x06])),
            (AdvertisingData.COMPLETE_LOCAL_NAME, self.options.name.encode()),
            (AdvertisingData.COMPLETE_LIST_OF_16_BIT_SERVICE_CLASS_UUIDS,
             (AUDIO_STREAM_CONTROL if self.options.audio else GATT_BATTERY_SERVICE).to_bytes()),
            # 0xFFFF is for tests.
            (AdvertisingData.MANUFACTURER_SPECIFIC_DATA, struct.pack("<H", 0xFFFF) + b"md"),
        ]))
        self.device.scan_response_data = bytes(AdvertisingData([
            (AdvertisingData.COMPLETE_LIST_OF_128_BIT_SERVICE_CLASS_UUIDS, LAMP.to_bytes()),
            (AdvertisingData.TX_POWER_LEVEL, struct.pack("b", 4)),
        ]))
        await self.device.start_advertising(
            auto_restart=True, advertising_interval_min=100, advertising_interval_max=100)
        self.repeating = asyncio.create_task(self.repeat())

    async def repeat(self) -> None:
        """Advertises anew every second. The virtual controllers tell of an advertiser once when it begins, and once when a
        scan does; what comes that early in a scan the kernel may leave aside. A real one is heard ten times a second.
        """
        while True:
            await asyncio.sleep(1)
            # A connection ends the advertising: one that cannot be ended is connected, and is not to begin another.
            if await self.advertise(False):
                await self.advertise(True)

    async def advertise(self, enabled: bool) -> bool:
        answer = await self.device.host.send_sync_command_raw(HCI_LE_Set_Extended_Advertising_Enable_Command(
            enable=int(enabled), advertising_handles=[self.device.legacy_advertising_set.advertising_handle],
            durations=[0], max_extended_advertising_events=[0]))
        return answer.return_parameters.status == HCI_SUCCESS

    def written(self, _: Connection, value: bytes) -> None:
        self.level = bytes(value)
        common.report("written", value=value.hex())

    def blinked(self, _: Connection, value: bytes) -> None:
        common.report("blinked", value=value.hex())

    def opened(self, channel: LeCreditBasedChannel) -> None:
        common.report("channel", psm=channel.psm, packet=channel.peer_mtu)
        channel.sink = channel.write
        channel.on(channel.EVENT_CLOSE, lambda: self.closed(channel))
        self.channels.append(channel)

    def closed(self, channel: LeCreditBasedChannel) -> None:
        common.report("channel-closed")
        # Bumble forgets one of its two records only, and would refuse the next channel of the same number.
        records = self.device.l2cap_channel_manager.le_coc_channels.get(channel.connection.handle, {})
        records.pop(channel.destination_cid, None)
        if channel in self.channels:
            self.channels.remove(channel)

    async def close_channels(self) -> None:
        while self.channels:
            await self.channels.pop().disconnect()

    async def change_level(self, value: str) -> None:
        self.level = bytes.fromhex(value)
        await self.device.notify_subscribers(self.level_characteristic, self.level)

    async def change_battery(self, percent: str) -> None:
        self.charge = int(percent)
        await self.device.notify_subscribers(self.battery_characteristic, bytes([self.charge]))

    async def change_services(self) -> None:
        """Has one more service, and says so to who follows that (Core Specification, volume 3, part G, 7.1)."""
        first = len(self.device.gatt_server.attributes) + 1
        self.device.add_service(Service(EXTRA, []))
        await self.device.indicate_subscribers(
            self.device.gatt_service.service_changed_characteristic, struct.pack("<HH", first, 0xFFFF))
        common.report("changed")


def make(name: str, arguments: list[str]) -> common.Peer:
    def add(parser: argparse.ArgumentParser) -> None:
        parser.add_argument("--audio", action="store_true", help="it says that it takes sound by LE Audio")
        parser.add_argument("--private", action="store_true", help="it shows another address until it is paired")
        parser.add_argument("--charge", type=int, default=77, help="of the battery, in percent")
        parser.add_argument("--authenticated", action="store_true", help="the battery is told to authenticated links only")

    return Peripheral(name, common.options(arguments, add, "Bumble Lamp"))
