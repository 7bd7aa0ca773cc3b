/// Actions of RenderingControl on the master channel.
///
/// - Source: RenderingControl:2, section 2.4.
package enum RenderingControl {
    package static let masterChannel = "Master"

    package static func volume(_ service: URN) -> SOAPRequest { request("GetVolume", service) }
    package static func mute(_ service: URN) -> SOAPRequest { request("GetMute", service) }

    /// - Parameter level: In the device's own range, see ``VolumeScale``.
    package static func setVolume(_ level: Int, _ service: URN) -> SOAPRequest {
        request("SetVolume", service, [("DesiredVolume", String(level))])
    }

    package static func setMute(_ isMuted: Bool, _ service: URN) -> SOAPRequest {
        request("SetMute", service, [("DesiredMute", isMuted ? "1" : "0")])
    }

    /// Reads the volume of an answer.
    ///
    /// - Throws: ``DLNAError/missing(_:)`` if the volume isn't a number.
    package static func volume(in arguments: [String: String]) throws(DLNAError) -> Int {
        guard let level = arguments["CurrentVolume"].flatMap({ Int($0) }) else { throw .missing("CurrentVolume") }
        return level
    }

    /// Reads the mute state of an answer.
    ///
    /// - Throws: ``DLNAError/missing(_:)`` if the answer isn't a UPnP Boolean.
    package static func mute(in arguments: [String: String]) throws(DLNAError) -> Bool {
        guard let isMuted = arguments["CurrentMute"].flatMap(boolean) else { throw .missing("CurrentMute") }
        return isMuted
    }

    /// `1`, `true`, `yes` and their opposites, in any case; `nil` for anything else.
    package static func boolean(_ text: String) -> Bool? {
        switch text.trimmed.lowercased() {
        case "1", "true", "yes": true
        case "0", "false", "no": false
        default: nil
        }
    }

    private static func request(
        _ action: String, _ service: URN, _ arguments: [SOAPRequest.Argument] = []
    ) -> SOAPRequest {
        SOAPRequest(
            service: service, action: action,
            arguments: [("InstanceID", "0"), ("Channel", masterChannel)] + arguments)
    }
}

/// Actions of ConnectionManager.
///
/// - Source: ConnectionManager:2, section 2.4.
package enum ConnectionManager {
    package static func protocolInfo(_ service: URN) -> SOAPRequest {
        SOAPRequest(service: service, action: "GetProtocolInfo")
    }

    /// Reads the formats of an answer.
    ///
    /// - Throws: ``DLNAError/missing(_:)`` if the answer has no `Sink`. An empty one means that the renderer lists no
    ///   formats.
    package static func formats(in arguments: [String: String]) throws(DLNAError) -> SinkFormats {
        guard let sink = arguments["Sink"] else { throw .missing("Sink") }
        return SinkFormats(sink)
    }
}
