package import DBus
import PacketSockets

/// Live samples that the host delivers to an extension.
///
/// Each packet of the socket is a ``SamplePacket``. The end of the socket is the end of the samples.
package struct DeliveredSamples: Codable, Sendable, Hashable {
    /// The raw value of a ``SampleFormat/Encoding``.
    package var encoding: String
    /// The sample rate in frames per second.
    package var rate: Int
    package var channels: Int
    /// The wanted time from the source to the listener, in seconds; `nil` for the extension's choice.
    package var latency: Double?
    /// The reading end of a pair of sockets for packets (`SOCK_SEQPACKET`).
    package var socket: DBusDescriptor
    /// The video that belongs to the samples; `nil` for sound alone.
    package var video: DeliveredVideo?

    package init(
        _ format: SampleFormat, latency: Double? = nil, socket: DBusDescriptor, video: DeliveredVideo? = nil
    ) {
        self.latency = latency
        self.video = video
        encoding = format.encoding.rawValue
        rate = format.rate
        channels = format.channels
        self.socket = socket
    }

    /// Opens a pair of sockets.
    ///
    /// - Returns: The reading end, with the format, and the sending end; `nil` if the system has no descriptors left,
    ///   with the reason in `errno`.
    package static func pair(
        _ format: SampleFormat, latency: Double? = nil
    ) -> (samples: DeliveredSamples, sending: DBusDescriptor)? {
        guard let (reading, sending) = PacketSocket.pair() else { return nil }
        let samples = DeliveredSamples(format, latency: latency, socket: DBusDescriptor(received: reading))
        return (samples, DBusDescriptor(received: sending))
    }

    /// The format of the samples.
    ///
    /// - Throws: ``HostError`` `invalid-argument` if it is none.
    package var format: SampleFormat {
        get throws(HostError) { try SampleFormat(encoding: encoding, rate: rate, channels: channels) }
    }
}
