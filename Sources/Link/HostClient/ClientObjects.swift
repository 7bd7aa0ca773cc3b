import DBus
import HostInterface

/// A device as a client of the daemon sees it; field meanings are those of `org.mdhost.Device1`.
package struct ClientDevice: Codable, Sendable, Hashable, Identifiable {
    package var id: String
    /// The person's own name for it, or the device's.
    package var name: String
    /// What the device calls itself.
    package var deviceName: String
    /// The address a person added it by; `nil` for one that is only found by itself.
    package var addedAs: String?
    package var type: String
    package var `protocol`: String
    package var protocolName: String
    package var `extension`: String
    package var capabilities: [String]
    package var volumeControl: String
    package var canMute: Bool
    /// Whether it may be used together with others.
    package var canGroup: Bool
    /// Identifiers of the devices it is used together with, itself among them, the one that leads first; empty where it is
    /// alone.
    package var group: [String]
    /// `0.0...1.0`, of all of them; `nil` without a group, or without levels.
    package var groupVolume: Double?
    /// `0.0...1.0`; `nil` where the device has not told.
    package var volume: Double?
    package var isMuted: Bool
    /// `ready`, `checking`, `remembered` or `unreachable`.
    package var availability: String
    /// `idle`, `activating`, `awaiting-code`, `active` or `reconnecting`.
    package var activation: String
    package var isPaired: Bool
    package var endpoints: [String]
    /// dBm; `nil` where it is not known.
    package var signalStrength: Int?
    /// `0...100`; `nil` where the device does not tell.
    package var batteryLevel: Int?
    package var lastError: HostError?
    /// What it is made of where several devices are one, the preferred one first; empty for a device by itself.
    package var parts: [DevicePart]

    package var path: String { HostNames.devicePath(id) }

    /// Where that part of it is that is meant by the word, as the daemon understands it; else where it is itself.
    package func endpoints(via word: String?) -> [String] {
        guard let word = word?.lowercased() else { return endpoints }
        let meant = parts.first { part in
            [part.protocolName, part.protocol, part.extension, part.name, part.id].contains { $0.lowercased() == word }
        }
        return meant?.endpoints ?? endpoints
    }

    /// The protocols by which it is reached now, in people's words and in order of preference: "DLNA, MPD".
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
        lastError = values.error("LastError")
        let decoder = DBusDictionaryDecoder()
        parts = values["Parts"]?.asArray?.compactMap { try? decoder.decode(DevicePart.self, from: $0) } ?? []
    }
}

/// A session as a client sees it; field meanings are those of `org.mdhost.Session1`.
package struct ClientSession: Codable, Sendable, Hashable, Identifiable {
    package var id: String
    /// Object path of the device; of several that play it, of the one that leads.
    package var device: String
    /// Identifier of what plays it: of a part, where the device is made of several.
    package var part: String
    /// Object paths of all that play it.
    package var devices: [String]
    package var source: String
    package var application: String?
    /// `starting`, `active`, `reconnecting`, `ended` or `failed`.
    package var state: String
    package var error: HostError?
    package var title: String
    package var subtitle: String
    package var artworkURL: String
    package var playback: PlaybackState
    /// How samples arrive; `nil` for a device that fetches what it plays.
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
        title = values.string("Title")
        subtitle = values.string("Subtitle")
        artworkURL = values.string("ArtworkURL")
        playback =
            values["Playback"].flatMap { try? DBusDictionaryDecoder().decode(PlaybackState.self, from: $0) }
            ?? PlaybackState()
        quality = values["Quality"].flatMap { try? DBusDictionaryDecoder().decode(DeliveryQuality.self, from: $0) }
    }
}

/// The daemon itself as a client sees it; field meanings are those of `org.mdhost.Manager1`.
package struct ClientManager: Codable, Sendable, Hashable {
    package var version: String
    package var processID: Int
    /// What is in the way of discovery; empty when all is well.
    package var problems: [HostError]
    /// Whether the list of devices is as complete as a first look makes it.
    package var isSettled: Bool
    /// Those who look, and whether their list is complete and checked.
    package var leases: [String: Bool]

    init(_ values: [String: DBusValue]) {
        version = values.string("Version")
        processID = values.integer("ProcessID")
        problems = values["Problems"]?.asArray?.compactMap(HostError.init(pair:)) ?? []
        isSettled = values.bool("Settled")
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
    /// `nil` for below 0, which stands for none.
    func level(_ key: String) -> Double? {
        self[key]?.asDouble.flatMap { $0.isFinite && $0 >= 0 ? Swift.min(1, $0) : nil }
    }
    func error(_ key: String) -> HostError? { self[key].flatMap(HostError.init(pair:)) }
}

extension HostError {
    /// Reads `(ss)`: code and sentence; `nil` where the code is empty.
    init?(pair value: DBusValue) {
        guard case .structure(let fields) = value, fields.count == 2, let code = fields[0].asString,
            let message = fields[1].asString, !code.isEmpty
        else { return nil }
        self.init(Code(rawValue: code), message)
    }
}
