import DBus
package import HostInterface

/// A device as a client sees it. The fields are those of `org.mdhost.Device1`.
package struct ClientDevice: Codable, Sendable, Hashable, Identifiable {
    package var id: String
    /// The name: the person's own name for the device, otherwise the device's.
    package var name: String
    /// The device's own name.
    package var deviceName: String
    /// The address with which a person added it; `nil` for a device that was only discovered.
    package var addedAs: String?
    package var type: String
    package var `protocol`: String
    package var protocolName: String
    package var `extension`: String
    package var capabilities: [String]
    package var volumeControl: String
    package var canMute: Bool
    /// The least latency of live sound that can be asked of the device, in seconds; `nil` if it isn't known.
    package var leastLatency: Double?
    /// A Boolean value that indicates whether the device can be used together with others.
    package var canGroup: Bool
    /// The identifiers of the devices in its group, including its own, the leader first; empty without a group.
    package var group: [String]
    /// The volume of the group, `0.0...1.0`; `nil` without a group, or if no volume is known.
    package var groupVolume: Double?
    /// The volume, `0.0...1.0`; `nil` if unknown.
    package var volume: Double?
    package var isMuted: Bool
    /// The availability: `ready`, `checking`, `remembered` or `unreachable`.
    package var availability: String
    /// The activation: `idle`, `activating`, `awaiting-code`, `active` or `reconnecting`.
    package var activation: String
    package var isPaired: Bool
    package var endpoints: [String]
    /// The signal strength in dBm; `nil` if unknown.
    package var signalStrength: Int?
    /// The battery level, `0...100`; `nil` if the device doesn't report it.
    package var batteryLevel: Int?
    /// Identifier of the app whose playback keeps those of other apps out, and its name; `nil` without such playback.
    package var playingApplication: String?
    package var playingApplicationName: String?
    /// The name of the media that the device plays for any sender; `nil` without playback, or if the device doesn't
    /// report it.
    package var activity: String?
    /// The devices of a group that the device itself forms.
    package var members: [DeviceDescription.Member]
    package var lastError: HostError?
    /// The extension's word on whether its last delivery of live sound met the thresholds of quality; `nil` without one.
    package var lastDeliveryPassed: Bool?
    /// The devices that were merged into this one, the preferred one first; empty for a single device.
    package var parts: [DevicePart]

    package var path: String { HostNames.devicePath(id) }

    /// Returns the endpoints of the part with a name, protocol, extension or identifier, as the daemon matches it;
    /// without a match, those of the device.
    package func endpoints(via word: String?) -> [String] {
        guard let word else { return endpoints }
        return part(via: word)?.endpoints ?? endpoints
    }

    /// Returns the capabilities of the part with a name, protocol, extension or identifier; without a match, those of the
    /// device.
    package func capabilities(via word: String?) -> [String] {
        guard let word else { return capabilities }
        return part(via: word)?.capabilities ?? capabilities
    }

    /// Returns a Boolean value that indicates whether the device, or one of its parts, is reached by a protocol, an
    /// extension, or under a name or identifier; `true` without one.
    package func isReached(via word: String?) -> Bool {
        guard let word else { return true }
        return part(via: word) != nil
            || [protocolName, `protocol`, `extension`].contains { $0.lowercased() == word.lowercased() }
    }

    private func part(via word: String) -> DevicePart? {
        parts.first { part in
            [part.protocolName, part.protocol, part.extension, part.name, part.id].contains {
                $0.lowercased() == word.lowercased()
            }
        }
    }

    /// The names of the protocols that currently reach the device, in order of preference: "DLNA, MPD".
    package var ways: String {
        let there = parts.filter { $0.availability != DevicePart.absent }.map(\.protocolName)
        let names: [String] = there.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
        return names.isEmpty ? protocolName : names.joined(separator: ", ")
    }

    init?(_ values: [String: DBusValue]) {
        guard let id = values["Id"]?.asString, let name = values["Name"]?.asString else { return nil }
        self.id = id
        self.name = name
        deviceName = values["DeviceName"]?.asString ?? name
        let addedAs = values.string("AddedAs")
        self.addedAs = addedAs.isEmpty ? nil : addedAs
        type = values.string("Type")
        self.protocol = values.string("Protocol")
        protocolName = values.string("ProtocolName")
        self.extension = values.string("Extension")
        capabilities = values.strings("Capabilities")
        volumeControl = values.string("VolumeControl")
        canMute = values.bool("CanMute")
        leastLatency = values["LeastLatency"]?.asDouble.flatMap { $0 < 0 ? nil : $0 }
        canGroup = values.bool("CanGroup")
        group = values.strings("Group").map(HostNames.deviceIdentifier)
        groupVolume = values.level("GroupVolume")
        volume = values.level("Volume")
        isMuted = values.bool("Muted")
        availability = values.string("Availability")
        activation = values.string("Activation")
        isPaired = values.bool("Paired")
        endpoints = values.strings("Endpoints")
        signalStrength = values["SignalStrength"]?.asInt64.flatMap { $0 == 0 ? nil : Int($0) }
        batteryLevel = values["BatteryLevel"]?.asInt64.flatMap { $0 < 0 ? nil : Int($0) }
        if case .structure(let fields)? = values["PlayingApplication"], fields.count == 2,
            let application = fields[0].asString, !application.isEmpty
        {
            playingApplication = application
            playingApplicationName = fields[1].asString
        }
        lastError = values.error("LastError")
        lastDeliveryPassed = values["LastDelivery"]?.asString.flatMap { $0.isEmpty ? nil : $0 == "passed" }
        let decoder = DBusDictionaryDecoder()
        let activity = values.string("Activity")
        self.activity = activity.isEmpty ? nil : activity
        members =
            values["Members"]?.asArray?.compactMap { try? decoder.decode(DeviceDescription.Member.self, from: $0) }
            ?? []
        parts = values["Parts"]?.asArray?.compactMap { try? decoder.decode(DevicePart.self, from: $0) } ?? []
    }
}

/// A session as a client sees it. The fields are those of `org.mdhost.Session1`.
package struct ClientSession: Codable, Sendable, Hashable, Identifiable {
    package var id: String
    /// The object path of the device; of several devices, that of the leader.
    package var device: String
    /// The identifier of the device that plays; of a merged device, that of the part.
    package var part: String
    /// The object paths of all devices that play.
    package var devices: [String]
    package var source: String
    package var application: String?
    /// The state: `starting`, `active`, `reconnecting`, `ended` or `failed`.
    package var state: String
    package var error: HostError?
    /// The way in which it ended: `finished`, `interrupted`, `replaced` or `stopped`; `nil` until then, after a failure, and
    /// if unknown.
    package var ending: String?
    /// The name of the app or media that took its place on the device; `nil` if unknown.
    package var successor: String?
    /// A Boolean value that indicates whether another sender started it.
    package var isOthers: Bool
    package var title: String
    package var subtitle: String
    package var artworkURL: String
    package var playback: PlaybackState
    /// The quality of the sample delivery; `nil` for a device that fetches the media itself.
    package var quality: DeliveryQuality?

    package var path: String { HostNames.sessionPath(id) }
    package var isOver: Bool { state == "ended" || state == "failed" }

    init?(_ values: [String: DBusValue]) {
        guard let id = values["Id"]?.asString else { return nil }
        self.id = id
        device = values.string("Device")
        part = values.string("Part")
        let devices = values.strings("Devices")
        self.devices = devices.isEmpty ? [device] : devices
        source = values.string("Source")
        let application = values.string("Application")
        self.application = application.isEmpty ? nil : application
        state = values.string("State")
        error = values.error("Error")
        let ending = values.string("Ending")
        self.ending = ending.isEmpty ? nil : ending
        let successor = values.string("Successor")
        self.successor = successor.isEmpty ? nil : successor
        isOthers = values.bool("IsOthers")
        title = values.string("Title")
        subtitle = values.string("Subtitle")
        artworkURL = values.string("ArtworkURL")
        playback =
            values["Playback"].flatMap { try? DBusDictionaryDecoder().decode(PlaybackState.self, from: $0) }
            ?? PlaybackState()
        quality = values["Quality"].flatMap { try? DBusDictionaryDecoder().decode(DeliveryQuality.self, from: $0) }
    }
}

/// The daemon as a client sees it. The fields are those of `org.mdhost.Manager1`.
package struct ClientManager: Codable, Sendable, Hashable {
    package var version: String
    package var processID: Int
    /// The problems of discovery; empty if there are none.
    package var problems: [HostError]
    /// A Boolean value that indicates whether the first discovery is complete.
    package var isSettled: Bool
    /// A Boolean value that indicates whether new devices get sinks.
    package var sinksFollowDevices: Bool
    /// The discovery leases, each with a Boolean value that indicates whether its list is complete and checked.
    package var leases: [String: Bool]

    init(_ values: [String: DBusValue]) {
        version = values.string("Version")
        processID = values.integer("ProcessID")
        problems = values["Problems"]?.asArray?.compactMap(HostError.init(pair:)) ?? []
        isSettled = values.bool("Settled")
        sinksFollowDevices = values.bool("SinksFollowDevices")
        leases = [:]
        guard case .dictionary(_, _, let entries)? = values["Leases"]?.unwrapped else { return }
        for case (.objectPath(let path), .boolean(let isSettled)) in entries { leases[path] = isSettled }
    }
}

extension [String: DBusValue] {
    func string(_ key: String) -> String { self[key]?.asString ?? "" }
    func bool(_ key: String) -> Bool { self[key]?.asBool ?? false }
    func integer(_ key: String) -> Int { self[key]?.asInt64.map { Int(clamping: $0) } ?? 0 }
    func strings(_ key: String) -> [String] { self[key]?.asArray?.compactMap(\.asString) ?? [] }
    /// Returns a volume; `nil` for a negative number, which means none.
    func level(_ key: String) -> Double? {
        self[key]?.asDouble.flatMap { $0.isFinite && $0 >= 0 ? Swift.min(1, $0) : nil }
    }
    func error(_ key: String) -> HostError? { self[key].flatMap(HostError.init(pair:)) }
}

extension HostError {
    /// Parses `(ss)`, a code and a sentence; `nil` if the code is empty.
    init?(pair value: DBusValue) {
        guard case .structure(let fields) = value, fields.count == 2, let code = fields[0].asString,
            let message = fields[1].asString, !code.isEmpty
        else { return nil }
        self.init(Code(rawValue: code), message)
    }
}
