/// A playback device, in the form that crosses the link between an extension and the host.
package struct DeviceDescription: Codable, Sendable, Hashable, Identifiable {
    /// The kind of volume control.
    package enum VolumeControl: String, Codable, Sendable { case none, absolute, relative }

    /// The format of sound without a length, such as that of a sink. The raw values are those of the wire.
    package enum LiveFormat: String, Codable, Sendable {
        /// A WAVE file of unlimited length.
        case wave = "wav"
        /// Bare samples, the most significant byte first: `audio/L16` (RFC 2586), or `audio/L24` (RFC 3190).
        case linear = "l16"
        case unsupported = "none"
    }

    /// The kinds of media that the device accepts. The raw values are those of the wire (`x`, bits).
    package struct Capabilities: OptionSet, Codable, Sendable, Hashable {
        package let rawValue: Int
        package init(rawValue: Int) { self.rawValue = rawValue }
        package static let realtimeAudio = Capabilities(rawValue: 1 << 0)
        package static let realtimeVideo = Capabilities(rawValue: 1 << 1)
        package static let urlPlayback = Capabilities(rawValue: 1 << 2)
        package static let appLaunch = Capabilities(rawValue: 1 << 3)

        /// The names for people and scripts, in bit order: `realtime-audio`, `realtime-video`, `url-playback`,
        /// `app-launch`.
        package var names: [String] {
            [
                (.realtimeAudio, "realtime-audio"), (.realtimeVideo, "realtime-video"), (.urlPlayback, "url-playback"),
                (Capabilities.appLaunch, "app-launch"),
            ].filter { contains($0.0) }.map(\.1)
        }
    }

    /// The device's UUID in upper case with hyphens, which identifies it for the cache, credentials and comparisons
    /// across processes.
    package var id: String
    package var name: String
    package var capabilities: Capabilities
    /// The kind of device: `tv`, `media-stick`, `laptop`, `desktop`, `tv-and-mediabox`, `speaker`, `speaker-pair` or
    /// `tv-and-speaker`.
    package var type: String
    package var volumeControl: VolumeControl
    package var canMute: Bool
    package var canGroup: Bool
    package var supportsSimultaneousSessions: Bool
    /// The endpoints in order of preference, in the text form of `NWEndpoint`: `10.0.0.5:8060`, `[fe80::1%eth0]:80`, a
    /// URL, or `name._type._tcp.local.`.
    package var endpoints: [String]
    /// The TXT records as keys and values. Invalid UTF-8 is replaced.
    package var txt: [String: String]
    /// The identifiers of the same physical device in other protocols, as `kind:value`; see ``DeclaredIdentifier``.
    package var deduplicationIdentifiers: [String]
    package var liveFormat: LiveFormat
    /// The least latency of live sound that can be asked of the device, in seconds; `nil` if it isn't known.
    package var leastLatency: Double? { didSet { leastLatency = Self.possible(leastLatency) } }

    /// The latency of live sound for which no latency is asked, in seconds; `nil` if it isn't known.
    package var usualLatency: Double? { didSet { usualLatency = Self.possible(usualLatency) } }

    /// The possible values of ``leastLatency`` and ``usualLatency``.
    package static let latencies = 0.0...30

    private static func possible(_ latency: Double?) -> Double? { latency.flatMap { latencies ~= $0 ? $0 : nil } }

    package init(
        id: String, name: String, capabilities: Capabilities, type: String, volumeControl: VolumeControl, canMute: Bool,
        canGroup: Bool, supportsSimultaneousSessions: Bool, endpoints: [String], txt: [String: String],
        deduplicationIdentifiers: [String] = [], liveFormat: LiveFormat = .wave,
        leastLatency: Double? = nil, usualLatency: Double? = nil
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
        self.liveFormat = liveFormat
        self.leastLatency = Self.possible(leastLatency)
        self.usualLatency = Self.possible(usualLatency)
    }

    /// Decodes a description, also one without ``deduplicationIdentifiers``, ``liveFormat`` or a latency.
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
                ?? [], liveFormat: try values.decodeIfPresent(LiveFormat.self, forKey: .liveFormat) ?? .wave,
            leastLatency: try values.decodeIfPresent(Double.self, forKey: .leastLatency),
            usualLatency: try values.decodeIfPresent(Double.self, forKey: .usualLatency))
    }
}

// Optional properties of a device, which extensions put into its TXT record in readable form.
extension DeviceDescription {
    /// The signal strength in dBm; `nil` unless the TXT record has a `signal` such as `-60 dBm`.
    package var signalStrength: Int? { number("signal", unit: " dBm").flatMap { -127...20 ~= $0 ? $0 : nil } }

    /// The battery level, `0...100`; `nil` unless the TXT record has a `battery` such as `80 %`.
    package var batteryLevel: Int? { number("battery", unit: " %").flatMap { 0...100 ~= $0 ? $0 : nil } }

    /// The name of the media that the device plays for any sender; empty if it plays none, `nil` if the device doesn't
    /// report it. From `playing` in the TXT record.
    package var activity: String? { txt["playing"] }

    /// The devices of a group that the device itself forms, by name. From `member ID` in the TXT record, such as
    /// `40 % Kitchen` or `muted Kitchen`.
    package var members: [Member] {
        txt.compactMap { key, value in
            guard key.hasPrefix("member ") else { return nil }
            let words = value.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false).map(String.init)
            let id = String(key.dropFirst("member ".count))
            if words.count == 3, words[1] == "%", let percent = Int(words[0]), 0...100 ~= percent {
                return Member(id: id, name: words[2], volume: Double(percent) / 100)
            }
            return value.hasPrefix("muted ") ? Member(id: id, name: String(value.dropFirst(6)), isMuted: true) : nil
        }.sorted { ($0.name, $0.id) < ($1.name, $1.id) }
    }

    /// A device of a group that the device itself forms.
    package struct Member: Codable, Sendable, Hashable {
        /// The identifier of the device, which is also found by itself.
        package var id: String
        package var name: String
        /// `0.0...1.0`; `nil` while muted.
        package var volume: Double?
        package var isMuted = false

        package init(id: String, name: String, volume: Double? = nil, isMuted: Bool = false) {
            self.id = id
            self.name = name
            self.volume = volume
            self.isMuted = isMuted
        }
    }

    private func number(_ key: String, unit: String) -> Int? {
        guard let text = txt[key], text.hasSuffix(unit) else { return nil }
        return Int(text.dropLast(unit.count))
    }
}

/// A device's request for authentication.
package struct PairingChallenge: Codable, Sendable, Hashable {
    package enum Method: String, Codable, Sendable { case none, numericCode = "numeric-code", password }
    package var method: Method
    /// The number of digits of a numeric code, 4 or 6; 0 for other methods.
    package var length: Int
    /// The device's own sentence, shown above the prompt.
    package var reason: String
    /// The number of remaining attempts, including this one, after a wrong code; `nil` for the first.
    package var attemptsLeft: Int?

    package init(method: Method, length: Int = 0, reason: String, attemptsLeft: Int? = nil) {
        self.method = method
        self.length = length
        self.reason = reason
        self.attemptsLeft = attemptsLeft
    }

    /// Returns the challenge to repeat after a wrong answer, with the device's reason in front.
    package func again(after refusal: HostError, attemptsLeft: Int) -> PairingChallenge {
        var next = self
        next.attemptsLeft = attemptsLeft
        let left = attemptsLeft == 1 ? "1 attempt left." : "\(attemptsLeft) attempts left."
        next.reason = [refusal.message, left, reason].filter { !$0.isEmpty }.joined(separator: " ")
        return next
    }
}

/// A client's information about the media it starts. An extension passes it to devices that use it.
package struct MediaInformation: Codable, Sendable, Hashable {
    /// The possible positions and durations, in seconds: 31 years, so that any protocol's number of frames or
    /// milliseconds can be made of them.
    package static let times = 0...1e9

    package var title: String?
    package var artist: String?
    package var artworkURL: String?
    /// The MIME type, such as `video/mp4`.
    package var contentType: String?
    /// The duration in seconds.
    package var duration: Double?
    /// The position at which to start, in seconds from the beginning.
    package var startPosition: Double?
    /// A Boolean value that indicates whether a person accepted any certificate of the media's HTTPS server; set by the
    /// host for extensions.
    package var acceptsAnyCertificate: Bool?
    /// A Boolean value that indicates whether the media is sound that a program plays at the moment, which the host
    /// serves as a stream.
    package var isLiveSound: Bool?
    /// Subtitles in files of their own, which the host serves; `nil` for none.
    package var subtitles: [Subtitles]?

    /// Subtitles as a WebVTT file.
    package struct Subtitles: Codable, Sendable, Hashable {
        package var url: String
        /// The name for people.
        package var name: String
        /// `nil` if unknown.
        package var language: String?

        package init(url: String, name: String, language: String? = nil) {
            self.url = url
            self.name = name
            self.language = language
        }
    }

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
