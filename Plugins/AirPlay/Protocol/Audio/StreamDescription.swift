/// The description of the stream for `ANNOUNCE`: 16-bit stereo at 44,100 Hz in Apple Lossless.
///
/// Source: RFC 4566; the numbers of `fmtp` are those of the Lossless decoder's configuration.
package struct StreamDescription: Sendable {
    package static let frameRate = 44_100

    /// Random number of the session, also in its address.
    package let session: UInt32
    /// Numeric, without a scope.
    package let localAddress: String
    package let remoteAddress: String
    /// `nil` for audio as it is.
    package let encryption: StreamEncryption?

    package init(session: UInt32, localAddress: String, remoteAddress: String, encryption: StreamEncryption? = nil) {
        self.session = session
        self.localAddress = localAddress
        self.remoteAddress = remoteAddress
        self.encryption = encryption
    }

    /// `rtsp://10.0.0.4/3413821438`, with brackets for IPv6.
    package var uri: String {
        localAddress.contains(":") ? "rtsp://[\(localAddress)]/\(session)" : "rtsp://\(localAddress)/\(session)"
    }

    package var text: String {
        func family(_ address: String) -> String { address.contains(":") ? "IP6" : "IP4" }
        let lines = [
            "v=0",
            "o=iTunes \(session) 0 IN \(family(localAddress)) \(localAddress)",
            "s=iTunes",
            "c=IN \(family(remoteAddress)) \(remoteAddress)",
            "t=0 0",
            "m=audio 0 RTP/AVP 96",
            "a=rtpmap:96 AppleLossless",
            "a=fmtp:96 \(LosslessFrame.frameCount) 0 16 40 10 14 2 255 0 0 \(Self.frameRate)",
        ]
        return (lines + (encryption?.lines ?? [])).map { $0 + "\r\n" }.joined()
    }
}

/// The ports that `SETUP` agrees on.
package struct StreamTransport: Sendable, Hashable {
    package let audio: Int
    package let control: Int
    /// The timing port; `nil` if the receiver doesn't report it and sends the first datagram itself.
    package let timing: Int?

    /// Returns the transport to request, with the local ports.
    package static func request(control: Int, timing: Int) -> String {
        "RTP/AVP/UDP;unicast;interleaved=0-1;mode=record;control_port=\(control);timing_port=\(timing)"
    }

    /// Reads `RTP/AVP/UDP;…;control_port=6002;timing_port=6003;server_port=6001`.
    ///
    /// - Throws: ``AirPlayError/malformed(_:)`` without the ports that are needed.
    package init(header: String) throws(AirPlayError) {
        var ports: [String: Int] = [:]
        for part in header.split(separator: ";") {
            let pair = part.split(separator: "=", maxSplits: 1)
            guard pair.count == 2, let port = UInt16(pair[1].filter { $0 != " " }), port > 0 else { continue }
            ports[pair[0].filter { $0 != " " }.lowercased()] = Int(port)
        }
        guard let audio = ports["server_port"], let control = ports["control_port"] else {
            throw .malformed("a transport without ports")
        }
        self.audio = audio
        self.control = control
        timing = ports["timing_port"]
    }
}
