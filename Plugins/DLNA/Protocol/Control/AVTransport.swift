/// Actions of AVTransport on the only instance a renderer that is not asked to prepare a connection has.
///
/// - Source: AVTransport:2, section 2.4.
package enum AVTransport {
    package static func setURI(_ uri: String, metadata: String, _ service: URN) -> SOAPRequest {
        request("SetAVTransportURI", service, [("CurrentURI", uri), ("CurrentURIMetaData", metadata)])
    }

    package static func play(_ service: URN) -> SOAPRequest { request("Play", service, [("Speed", "1")]) }
    package static func pause(_ service: URN) -> SOAPRequest { request("Pause", service) }
    package static func stop(_ service: URN) -> SOAPRequest { request("Stop", service) }

    /// - Parameters:
    ///   - seconds: From the beginning of the track.
    ///   - unit: `REL_TIME`, or `ABS_TIME` for the few renderers without it.
    package static func seek(to seconds: Double, unit: String = "REL_TIME", _ service: URN) -> SOAPRequest {
        request("Seek", service, [("Unit", unit), ("Target", MediaTime.text(seconds))])
    }

    package static func transportInfo(_ service: URN) -> SOAPRequest { request("GetTransportInfo", service) }
    package static func positionInfo(_ service: URN) -> SOAPRequest { request("GetPositionInfo", service) }
    package static func mediaInfo(_ service: URN) -> SOAPRequest { request("GetMediaInfo", service) }

    private static func request(
        _ action: String, _ service: URN, _ arguments: [SOAPRequest.Argument] = []
    ) -> SOAPRequest {
        SOAPRequest(service: service, action: action, arguments: [("InstanceID", "0")] + arguments)
    }
}

/// The state of a renderer's transport.
package enum TransportState: Sendable, Hashable {
    case stopped, playing, paused, transitioning, noMediaPresent
    /// Recording states and a vendor's own.
    case other(String)

    package init(_ text: String) {
        switch text.trimmed.uppercased() {
        case "STOPPED": self = .stopped
        case "PLAYING": self = .playing
        case "PAUSED_PLAYBACK": self = .paused
        case "TRANSITIONING": self = .transitioning
        case "NO_MEDIA_PRESENT": self = .noMediaPresent
        default: self = .other(text.trimmed)
        }
    }
}

/// Answer of `GetTransportInfo`.
package struct TransportInfo: Sendable, Hashable {
    package var state: TransportState
    /// The device reports `ERROR_OCCURRED`.
    package var hasFailed = false
}

extension TransportInfo {
    package init(_ arguments: [String: String]) throws(DLNAError) {
        guard let state = arguments["CurrentTransportState"], !state.isEmpty else {
            throw .missing("CurrentTransportState")
        }
        self.init(
            state: TransportState(state), hasFailed: arguments["CurrentTransportStatus"] == TransportInfo.failure)
    }

    static let failure = "ERROR_OCCURRED"
}

/// Answer of `GetPositionInfo`.
package struct PositionInfo: Sendable, Hashable {
    /// Seconds; `nil` if the device does not know.
    package var position: Double?
    /// Seconds; `nil` if the device does not know, or says zero.
    package var duration: Double?
    /// The URL of the loaded media; empty if nothing is loaded, `nil` if not reported.
    package var uri: String?
    package var metadata: String?
}

extension PositionInfo {
    package init(_ arguments: [String: String]) {
        let relative = arguments["RelTime"].flatMap(MediaTime.seconds)
        position = (relative ?? arguments["AbsTime"].flatMap(MediaTime.seconds)).map { max(0, $0) }
        duration = arguments["TrackDuration"].flatMap(MediaTime.seconds).flatMap { $0 > 0 ? $0 : nil }
        uri = arguments["TrackURI"].flatMap { $0 == "NOT_IMPLEMENTED" ? nil : $0 }
        metadata = arguments["TrackMetaData"].flatMap { $0.isEmpty || $0 == "NOT_IMPLEMENTED" ? nil : $0 }
    }
}
