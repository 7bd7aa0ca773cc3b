import DBus

/// Live samples that the host delivers to an extension.
///
/// Each packet of the socket is a ``SamplePacket``. The end of the socket is the end of the samples.
package struct DeliveredSamples: Codable, Sendable, Hashable {
    /// The raw value of a ``SampleFormat/Encoding``.
    package var encoding: String
    /// The sample rate in frames per second.
    package var rate: Int
    package var channels: Int
    /// The reading end of a pair of sockets for packets (`SOCK_SEQPACKET`).
    package var socket: DBusDescriptor

    package init(_ format: SampleFormat, socket: DBusDescriptor) {
        encoding = format.encoding.rawValue
        rate = format.rate
        channels = format.channels
        self.socket = socket
    }

    /// The format of the samples.
    ///
    /// - Throws: ``HostError`` `invalid-argument` if it is none.
    package var format: SampleFormat {
        get throws(HostError) { try SampleFormat(encoding: encoding, rate: rate, channels: channels) }
    }
}
