import HostClient
import HostInterface

/// A command's picture of the daemon, built from its events.
struct HostView {
    private(set) var devices: [String: ClientDevice] = [:]
    private(set) var sessions: [String: ClientSession] = [:]
    /// Sessions that were over while this command watched, by object path.
    private(set) var ended: [String: ClientSession] = [:]
    private(set) var extensions: [String: ClientExtension] = [:]
    private(set) var mediaSessions: [String: ClientMediaSession] = [:]
    private(set) var nowPlaying: ClientNowPlaying?
    private(set) var manager: ClientManager?
    private(set) var isReady = false

    mutating func apply(_ event: HostEvent) {
        switch event {
        case .device(let device): devices[device.id] = device
        case .deviceRemoved(let device): devices[device.id] = nil
        case .session(let session): sessions[session.id] = session
        case .sessionRemoved(let session):
            sessions[session.id] = nil
            ended[session.path] = session
        case .extension(let status): extensions[status.id] = status
        case .extensionRemoved(let status): extensions[status.id] = nil
        case .mediaSession(let session): mediaSessions[session.id] = session
        case .mediaSessionRemoved(let session): mediaSessions[session.id] = nil
        case .nowPlaying(let nowPlaying): self.nowPlaying = nowPlaying
        case .manager(let manager): self.manager = manager
        case .ready: isReady = true
        }
    }

    /// Whether the list is complete and checked for somebody who looks.
    func isSettled(_ lease: String) -> Bool { manager?.leases[lease] ?? false }

    /// Devices as people read them: by name, twins by id.
    var sortedDevices: [ClientDevice] {
        devices.values.sorted { ($0.name.lowercased(), $0.id) < ($1.name.lowercased(), $1.id) }
    }

    var sortedSessions: [ClientSession] {
        sessions.values.sorted { (Int($0.id) ?? 0, $0.id) < (Int($1.id) ?? 0, $1.id) }
    }

    /// What there is to show, the first of all first, then by name.
    var sortedMediaSessions: [ClientMediaSession] {
        mediaSessions.values.filter { $0.state.content != nil }.sorted {
            ($0.isSystemPrimary ? 0 : 1, $0.name.lowercased(), $0.id)
                < ($1.isSystemPrimary ? 0 : 1, $1.name.lowercased(), $1.id)
        }
    }

    /// Extensions as people read them.
    var sortedExtensions: [ClientExtension] {
        extensions.values.sorted { ($0.name.lowercased(), $0.id) < ($1.name.lowercased(), $1.id) }
    }

    func device(of session: ClientSession) -> ClientDevice? {
        devices.values.first { $0.path == session.device }
    }

    /// Who plays it, for people: `Kitchen + Bath`.
    func names(of session: ClientSession) -> String {
        session.devices.compactMap { path in devices.values.first { $0.path == path }?.name }.joined(separator: " + ")
    }

    /// The devices that are used together, group by group, the one that leads first.
    var groups: [[ClientDevice]] {
        sortedDevices.filter { $0.group.first == $0.id }.map { $0.group.compactMap { devices[$0] } }
    }
}
