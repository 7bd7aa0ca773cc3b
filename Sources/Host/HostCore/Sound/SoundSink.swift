import HostInterface

/// The state of one sink of a device or a group: of a person, or of an app's route.
struct SoundSink: Sendable {
    /// The route whose app plays to the sink.
    struct Route: Sendable, Hashable {
        /// Identifier of the app, which owns the sessions.
        let application: String
        let applicationName: String
    }

    /// The state of playback.
    enum Phase: Sendable, Hashable {
        case silent
        /// The device is being asked to play.
        case starting
        case playing(session: String)
    }

    /// The difference between playbacks that is usual, in seconds.
    private static let delayTolerance = 0.03

    let id: String
    /// `nil` for a sink that a person wants.
    let route: Route?
    private(set) var record: SoundSinkRecord
    /// The last states of the devices, once they are discovered.
    var devices: [String: HostDevice] = [:]
    /// The devices that weren't found.
    var missing: Set<String> = []
    var phase = Phase.silent
    var error: HostError?
    /// The volume that a person requested and the device doesn't have yet.
    var wantedLevel: Double?
    var wantedMute: Bool?
    /// Kept after playback, because the next one is likely to have the same.
    var delay = SinkDelay()

    /// Creates the sink that a person wants.
    init(record: SoundSinkRecord) {
        id = record.id
        route = nil
        self.record = record
    }

    /// Creates the sink of an app's route.
    init(id: String, route: Route, record: SoundSinkRecord) {
        self.id = id
        self.route = route
        self.record = record
    }

    /// The identifiers of the devices that play.
    var deviceIDs: [String] { record.members.isEmpty ? [record.id] : record.members }
    var isGroup: Bool { !record.members.isEmpty }
    /// A Boolean value that indicates whether no device was found.
    var isAway: Bool { missing.isSuperset(of: deviceIDs) }

    /// The sink for the server; `nil` while it isn't shown.
    var shown: ShownSink? {
        guard !isAway else { return nil }
        let descriptions = devices.values.map(\.description)
        return ShownSink(
            id: id, name: route.map { "\(record.name) (\($0.applicationName))" } ?? record.name,
            hasLevel: descriptions.allSatisfy { $0.volumeControl == .absolute },
            canMute: descriptions.allSatisfy(\.canMute), level: wantedLevel ?? level,
            isMuted: wantedMute ?? (!devices.isEmpty && devices.values.allSatisfy(\.isMuted)),
            delay: delay.value ?? record.delay ?? record.latency ?? usualDelay)
    }

    /// The delay that the devices declare; `nil` while one of them declares none.
    private var usualDelay: Double? {
        let usual = devices.values.compactMap(\.description.usualLatency)
        return usual.count == deviceIDs.count ? usual.max() : nil
    }

    /// Expects the delay of this playback from the next one as well, also after a restart.
    mutating func rememberDelay() {
        guard let value = delay.value, abs(value - (record.delay ?? .infinity)) > Self.delayTolerance else { return }
        record.delay = value
    }

    /// Takes what a person wants. A delay measured with another latency isn't expected again.
    mutating func change(_ record: SoundSinkRecord) {
        if record.latency != self.record.latency, phase == .silent { delay = SinkDelay() }
        self.record = record
    }

    /// Updates the state from the host's device.
    mutating func take(_ device: HostDevice) {
        devices[device.id] = device
        rename()
        switch device.availability {
        case .ready: missing.remove(device.id)
        case .checking, .remembered: break
        case .unreachable: if phase == .silent { missing.insert(device.id) }
        }
    }

    /// The device is no longer known.
    mutating func lose(_ device: String) {
        devices[device] = nil
        if phase == .silent { missing.insert(device) }
    }

    /// The playback is over.
    mutating func rest() {
        phase = .silent
        for id in deviceIDs {
            if let device = devices[id] { take(device) } else { missing.insert(id) }
        }
    }

    /// Takes over the names of the devices, once all are known.
    private mutating func rename() {
        let names = deviceIDs.compactMap { devices[$0]?.description.name }
        if !record.hasOwnName, names.count == deviceIDs.count { record.name = names.joined(separator: " + ") }
    }

    /// - Parameter server: What shows it; `nil` without any.
    func status(server: String?) -> SoundSinkStatus {
        let state: SoundSinkStatus.State =
            if isAway {
                .away
            } else if server == nil {
                .noServer
            } else {
                switch phase {
                case .silent: .ready
                case .starting: .starting
                case .playing: .playing
                }
            }
        return SoundSinkStatus(
            id: record.id, name: record.name, state: state, server: server ?? "", delay: delay.value,
            requestedLatency: record.latency, members: isGroup ? record.members : nil,
            isAutomatic: record.isAutomatic ? true : nil, error: error)
    }
}
