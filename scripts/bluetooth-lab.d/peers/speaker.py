"""A classic loudspeaker: A2DP sink, and AVRCP in both roles: it has keys to press, and an absolute volume."""

import argparse

import common
from bumble import a2dp, avc, avdtp, avrcp
from bumble.device import Connection, DeviceConfiguration
from bumble.rtp import MediaPacket


class Speaker(common.Peer):
    def __init__(self, name: str, options: argparse.Namespace) -> None:
        super().__init__(name, options)
        self.remote = avrcp.Protocol(Volume(self))
        self.received = 0
        self.samples = open(common.path(name, "sbc"), "wb", buffering=0)
        self.commands |= {"press": self.press, "volume": self.change_volume, "playing": self.ask_playing,
                          "remote": self.connect_remote}

    def configure(self, configuration: DeviceConfiguration) -> None:
        configuration.classic_enabled = True
        configuration.le_enabled = False
        configuration.class_of_device = int(self.options.type, 16)
        configuration.classic_ssp_enabled = self.options.pin is None
        # The virtual controllers know no Secure Connections over BR/EDR.
        configuration.classic_sc_enabled = False

    def offer(self) -> None:
        self.device.sdp_service_records = {
            0x10001: a2dp.make_audio_sink_service_sdp_records(0x10001),
            0x10002: avrcp.ControllerServiceSdpRecord(0x10002).to_service_attributes(),
            # Category 2, amplifier: it has a volume.
            0x10003: avrcp.TargetServiceSdpRecord(
                0x10003, supported_features=avrcp.TargetFeatures.CATEGORY_2).to_service_attributes(),
        }
        avdtp.Listener.for_device(self.device).on("connection", self.stream)
        self.remote.listen(self.device)
        self.remote.on("start", lambda: common.report("remote-started"))
        self.remote.on("stop", lambda: common.report("remote-stopped"))

    async def show(self) -> None:
        await self.device.set_discoverable(True)
        await self.device.set_connectable(True)

    def connected(self, connection: Connection) -> None:
        self.connection = connection

    # MARK: sound

    def stream(self, protocol: avdtp.Protocol) -> None:
        sink = protocol.add_sink(sbc())
        sink.on("configuration", lambda: common.report("stream-configured", with_=str(sink.configuration)))
        for event in ("start", "suspend", "stop", "rtp_channel_close"):
            sink.on(event, lambda event=event: common.report(
                "stream-" + event.replace("_", "-"), bytes=self.received))
        sink.on("rtp_packet", self.hear)

    def hear(self, packet: MediaPacket) -> None:
        # The first byte says how many frames follow.
        self.received += self.samples.write(packet.payload[1:])

    # MARK: remote control

    async def press(self, key: str) -> None:
        operation = avc.PassThroughFrame.OperationId[key.upper()]
        for pressed in (True, False):
            response = await self.remote.send_key_event(operation, pressed)
            common.report("pressed", key=key, pressed=pressed, response=response.response.name)

    async def change_volume(self, level: str) -> None:
        self.remote.delegate.volume = int(level)
        self.remote.notify_volume_changed(int(level))

    async def ask_playing(self) -> None:
        common.report("playing", status=str(await self.remote.get_play_status()),
                      attributes=[str(each) for each in await self.remote.get_element_attributes(0, list(
                          avrcp.MediaAttributeId))])

    async def connect_remote(self) -> None:
        await self.remote.connect(self.connection)


class Volume(avrcp.Delegate):
    def __init__(self, speaker: Speaker) -> None:
        super().__init__([avrcp.EventId.VOLUME_CHANGED])
        self.volume = 64

    async def set_absolute_volume(self, volume: int) -> None:
        self.volume = volume
        common.report("volume-set", level=volume)

    async def on_key_event(self, key: avc.PassThroughFrame.OperationId, pressed: bool, data: bytes) -> None:
        common.report("key", key=key.name.lower(), pressed=pressed)


def sbc() -> avdtp.MediaCodecCapabilities:
    information = a2dp.SbcMediaCodecInformation

    def every(flags):
        return flags(sum(flag.value for flag in flags))

    return avdtp.MediaCodecCapabilities(
        media_type=avdtp.AVDTP_AUDIO_MEDIA_TYPE,
        media_codec_type=a2dp.A2DP_SBC_CODEC_TYPE,
        media_codec_information=information(
            sampling_frequency=every(information.SamplingFrequency), channel_mode=every(information.ChannelMode),
            block_length=every(information.BlockLength), subbands=every(information.Subbands),
            allocation_method=every(information.AllocationMethod), minimum_bitpool_value=2, maximum_bitpool_value=53))


def make(name: str, arguments: list[str]) -> common.Peer:
    def add(parser: argparse.ArgumentParser) -> None:
        parser.add_argument("--type", default="240414", help="class of device, hexadecimal")

    return Speaker(name, common.options(arguments, add, "Bumble Speaker"))
