/// The changes of a renderer, from the single evented variable of a service with instances.
package struct LastChange: Sendable, Hashable {
    /// Values of instance 0 without a channel, by variable.
    package var values: [String: String]
    /// Values of instance 0 for the master channel, by variable.
    package var masterValues: [String: String]

    /// Namespaces of AVTransport's and RenderingControl's events.
    package static let namespaces = [
        "urn:schemas-upnp-org:metadata-1-0/AVT/", "urn:schemas-upnp-org:metadata-1-0/RCS/",
    ]

    /// - Parameter document: The text of the `LastChange` variable.
    /// - Throws: ``DLNAError``; `unexpected` for another document or another service's namespace. An event without any
    ///   namespace is taken, as libupnp renderers send them.
    /// - Source: AVTransport:2, section 2.3.1; RenderingControl:2, section 2.3.1.
    package init(parsing document: String) throws(DLNAError) {
        let root = try XMLReader.parse(document.utf8)
        guard root.name == "Event" else { throw .unexpected(root.name) }
        if let namespace = root.namespace, !Self.namespaces.contains(where: { $0.caseInsensitiveEquals(namespace) }) {
            throw .unexpected(namespace)
        }
        values = [:]
        masterValues = [:]
        for instance in root.children("InstanceID") where instance.attributes["val"] == "0" {
            for variable in instance.children {
                guard let value = variable.attributes["val"] else { continue }
                switch variable.attributes["channel"] ?? variable.attributes["Channel"] {
                case nil: values[variable.name] = value
                case RenderingControl.masterChannel: masterValues[variable.name] = value
                default: break
                }
            }
        }
    }
}

extension String {
    fileprivate func caseInsensitiveEquals(_ other: String) -> Bool { lowercased() == other.lowercased() }
}

/// The part of an AVTransport event that playback is followed by; `nil` is "not changed".
package struct TransportChange: Sendable, Hashable {
    package var state: TransportState?
    package var hasFailed: Bool?
    /// The URL of the media; empty if nothing is loaded.
    package var uri: String?
    /// The URL of the track in the media, usually the same.
    package var trackURI: String?
    /// Seconds.
    package var duration: Double?
    /// Seconds; most renderers do not event it.
    package var position: Double?
    /// DIDL-Lite.
    package var metadata: String?
    /// Upper-case names such as `SEEK`, `PAUSE`.
    package var actions: Set<String>?

    package init(
        state: TransportState? = nil, hasFailed: Bool? = nil, uri: String? = nil, trackURI: String? = nil,
        duration: Double? = nil, position: Double? = nil, metadata: String? = nil, actions: Set<String>? = nil
    ) {
        self.state = state
        self.hasFailed = hasFailed
        self.uri = uri
        self.trackURI = trackURI
        self.duration = duration
        self.position = position
        self.metadata = metadata
        self.actions = actions
    }

    package init(_ change: LastChange) {
        let values = change.values.filter { $0.value != "NOT_IMPLEMENTED" }
        state = values["TransportState"].map { TransportState($0) }
        hasFailed = values["TransportStatus"].map { $0 == TransportInfo.failure }
        uri = values["AVTransportURI"]
        trackURI = values["CurrentTrackURI"]
        let track = values["CurrentTrackDuration"].flatMap(MediaTime.seconds)
        duration = (track ?? values["CurrentMediaDuration"].flatMap(MediaTime.seconds)).flatMap { $0 > 0 ? $0 : nil }
        position = values["RelativeTimePosition"].flatMap(MediaTime.seconds).map { max(0, $0) }
        metadata = (values["CurrentTrackMetaData"] ?? values["AVTransportURIMetaData"]).flatMap {
            $0.isEmpty ? nil : $0
        }
        actions = values["CurrentTransportActions"].map { list in
            Set(list.split(separator: ",").map { $0.trimmed.uppercased() })
        }
    }
}

/// The part of a RenderingControl event that volume is followed by; `nil` is "not changed".
package struct RenderingChange: Sendable, Hashable {
    /// The volume in the device's own range; `nil` also if the device sent something that isn't a number.
    package var volume: Int?
    package var isMuted: Bool?

    package init(volume: Int? = nil, isMuted: Bool? = nil) {
        self.volume = volume
        self.isMuted = isMuted
    }

    /// Creates changes. Renderers with one channel omit its name.
    package init(_ change: LastChange) {
        volume = (change.masterValues["Volume"] ?? change.values["Volume"]).flatMap { Int($0.trimmed) }
        isMuted = (change.masterValues["Mute"] ?? change.values["Mute"]).flatMap(RenderingControl.boolean)
    }
}
