package import DBus
package import HostInterface

/// Live video with its sound that another program captures, for a device that takes samples.
///
/// The packets go from that program to the extension's process without being touched here.
package final class OpenScreen: Sendable {
    package let video: DeliveredVideo
    /// The socket on which packets of sound come. It ends at once for video without sound.
    package let sound: DBusDescriptor
    package let format: SampleFormat
    /// The latency that a person asks for; `nil` for the device's usual one.
    package let latency: RequestedLatency?

    /// - Parameters:
    ///   - video: The size and rate, and a socket with ``VideoPacket`` packets.
    ///   - sound: A socket with ``SamplePacket`` packets.
    ///   - format: Of the sound.
    package init(
        _ video: DeliveredVideo, sound: DBusDescriptor, _ format: SampleFormat, latency: RequestedLatency? = nil
    ) {
        self.video = video
        self.sound = sound
        self.format = format
        self.latency = latency
    }
}
