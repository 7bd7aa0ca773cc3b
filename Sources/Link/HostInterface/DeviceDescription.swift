/// A playback device as it crosses the link between an extension and the host.
package struct DeviceDescription: Codable, Sendable, Hashable, Identifiable {
    /// How the level of the device can be changed.
    package enum VolumeControl: String, Codable, Sendable { case none, absolute, relative }

    /// What the device takes; the raw values are the wire's (`x`, bit set).
    package struct Capabilities: OptionSet, Codable, Sendable, Hashable {
        package let rawValue: Int
        package init(rawValue: Int) { self.rawValue = rawValue }
        package static let realtimeAudio = Capabilities(rawValue: 1 << 0)
        package static let realtimeVideo = Capabilities(rawValue: 1 << 1)
        package static let urlPlayback = Capabilities(rawValue: 1 << 2)
        package static let appLaunch = Capabilities(rawValue: 1 << 3)

        /// Words for people and scripts, in bit order: `realtime-audio`, `realtime-video`, `url-playback`, `app-launch`.
        package var names: [String] {
            [
                (.realtimeAudio, "realtime-audio"), (.realtimeVideo, "realtime-video"), (.urlPlayback, "url-playback"),
                (Capabilities.appLaunch, "app-launch"),
            ].filter { contains($0.0) }.map(\.1)
        }
    }

    /// The device's UUID, upper case with hyphens: the identity for cache, credentials and `==` across processes.
    package var id: String
    package var name: String
    package var capabilities: Capabilities
    /// One of `tv`, `media-stick`, `laptop`, `desktop`, `tv-and-mediabox`, `speaker`, `speaker-pair`, `tv-and-speaker`.
    package var type: String
    package var volumeControl: VolumeControl
    package var canMute: Bool
    package var canGroup: Bool
    package var supportsSimultaneousSessions: Bool
    /// Endpoints in order of preference, as `NWEndpoint` writes them: `10.0.0.5:8060`, `[fe80::1%eth0]:80`, a URL, or
    /// `name._type._tcp.local.`.
    package var endpoints: [String]
    /// TXT records as key to value; bytes that are no UTF-8 are replaced.
    package var txt: [String: String]
    /// What other protocols call the same physical device, as `kind:value`; see ``DeclaredIdentifier``.
    package var deduplicationIdentifiers: [String]

    package init(
        id: String, name: String, capabilities: Capabilities, type: String, volumeControl: VolumeControl, canMute: Bool,
        canGroup: Bool, supportsSimultaneousSessions: Bool, endpoints: [String], txt: [String: String],
        deduplicationIdentifiers: [String] = []
    ) {
        self.id = id
        self.name = name
        self.capabilities = capabilities
        self.type = type
        self.volumeControl = volumeControl
        self.canMute = canMute
        self.canGroup = canGroup
        self.supportsSimultaneousSessions = supportsSimultaneousSessions
        self.endpoints = endpoints
        self.txt = txt
        self.deduplicationIdentifiers = deduplicationIdentifiers
    }

    /// Reads what was written before ``deduplicationIdentifiers`` came, too.
    package init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            id: try values.decode(String.self, forKey: .id), name: try values.decode(String.self, forKey: .name),
            capabilities: try values.decode(Capabilities.self, forKey: .capabilities),
            type: try values.decode(String.self, forKey: .type),
            volumeControl: try values.decode(VolumeControl.self, forKey: .volumeControl),
            canMute: try values.decode(Bool.self, forKey: .canMute),
            canGroup: try values.decode(Bool.self, forKey: .canGroup),
            supportsSimultaneousSessions: try values.decode(Bool.self, forKey: .supportsSimultaneousSessions),
            endpoints: try values.decode([String].self, forKey: .endpoints),
            txt: try values.decode([String: String].self, forKey: .txt),
            deduplicationIdentifiers: try values.decodeIfPresent([String].self, forKey: .deduplicationIdentifiers)
                ?? [])
    }
}

// What an extension tells of a device that not every device has, in its TXT record as people read it.
extension DeviceDescription {
    /// How strongly the device is heard, in dBm; `nil` where it is not told as `signal`, like `-60 dBm`.
    package var signalStrength: Int? { number("signal", unit: " dBm").flatMap { -127...20 ~= $0 ? $0 : nil } }

    /// How much is left of the device's battery, 0...100; `nil` where it is not told as `battery`, like `80 %`.
    package var batteryLevel: Int? { number("battery", unit: " %").flatMap { 0...100 ~= $0 ? $0 : nil } }

    private func number(_ key: String, unit: String) -> Int? {
        guard let text = txt[key], text.hasSuffix(unit) else { return nil }
        return Int(text.dropLast(unit.count))
    }
}

/// What a device asks for before it can be used.
package struct PairingChallenge: Codable, Sendable, Hashable {
    package enum Method: String, Codable, Sendable { case none, numericCode = "numeric-code", password }
    package var method: Method
    /// Number of digits of a numeric code: 4 or 6; 0 for other methods.
    package var length: Int
    /// The device's own sentence, shown above the prompt.
    package var reason: String
    /// How many more codes are taken, this one included, after a wrong one; `nil` for the first.
    package var attemptsLeft: Int?

    package init(method: Method, length: Int = 0, reason: String, attemptsLeft: Int? = nil) {
        self.method = method
        self.length = length
        self.reason = reason
        self.attemptsLeft = attemptsLeft
    }

    /// The same question again after a wrong answer, with the device's own words for that in front.
    package func again(after refusal: HostError, attemptsLeft: Int) -> PairingChallenge {
        var next = self
        next.attemptsLeft = attemptsLeft
        let left = attemptsLeft == 1 ? "1 attempt left." : "\(attemptsLeft) attempts left."
        next.reason = [refusal.message, left, reason].filter { !$0.isEmpty }.joined(separator: " ")
        return next
    }
}

/// What a client may tell about the media it starts; an extension hands it to devices that want it.
package struct MediaInformation: Codable, Sendable, Hashable {
    package var title: String?
    package var artist: String?
    package var artworkURL: String?
    /// MIME type, e.g. `video/mp4`.
    package var contentType: String?
    /// Seconds.
    package var duration: Double?
    /// Seconds from the beginning where playback starts.
    package var startPosition: Double?

    package init(
        title: String? = nil, artist: String? = nil, artworkURL: String? = nil, contentType: String? = nil,
        duration: Double? = nil, startPosition: Double? = nil
    ) {
        self.title = title
        self.artist = artist
        self.artworkURL = artworkURL
        self.contentType = contentType
        self.duration = duration
        self.startPosition = startPosition
    }
}
