import HostInterface

/// The state of one sink of a device: of a person, or of an app's route.
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

    let id: String
    /// `nil` for a sink that a person wants.
    let route: Route?
    var record: SoundSinkRecord
    /// The last state of the device; `nil` until it is discovered.
    var device: HostDevice?
    /// A Boolean value that indicates whether the device wasn't found.
    var isAway = false
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

    /// The identifier of the device that plays.
    var deviceID: String { record.id }

    /// The sink for the server; `nil` while it isn't shown.
    var shown: ShownSink? {
        guard !isAway else { return nil }
        let description = device?.description
        return ShownSink(
            id: id, name: route.map { "\(record.name) (\($0.applicationName))" } ?? record.name,
            hasLevel: description.map { $0.volumeControl == .absolute } ?? true,
            canMute: description?.canMute ?? true, level: wantedLevel ?? device?.level,
            isMuted: wantedMute ?? device?.isMuted ?? false, delay: delay.value)
    }

    /// Updates the state from the host's device.
    mutating func take(_ device: HostDevice) {
        self.device = device
        record.name = device.description.name
        switch device.availability {
        case .ready: isAway = false
        case .checking, .remembered: break
        case .unreachable: if phase == .silent { isAway = true }
        }
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
            requestedLatency: record.latency, isAutomatic: record.isAutomatic ? true : nil, error: error)
    }
}
