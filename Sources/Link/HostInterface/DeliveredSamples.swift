import DBus
import Glibc

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

    package init(_ format: SampleFormat, latency: Double? = nil, socket: DBusDescriptor) {
        self.latency = latency
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
        var ends: [Int32] = [-1, -1]
        let kind = Int32(SOCK_SEQPACKET.rawValue | SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { return nil }
        let samples = DeliveredSamples(format, latency: latency, socket: DBusDescriptor(received: ends[0]))
        return (samples, DBusDescriptor(received: ends[1]))
    }

    /// The format of the samples.
    ///
    /// - Throws: ``HostError`` `invalid-argument` if it is none.
    package var format: SampleFormat {
        get throws(HostError) { try SampleFormat(encoding: encoding, rate: rate, channels: channels) }
    }
}
