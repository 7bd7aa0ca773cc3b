import HostInterface

/// A client's picture of the daemon, built from its events.
package struct HostView: Sendable {
    package private(set) var devices: [String: ClientDevice] = [:]
    package private(set) var sessions: [String: ClientSession] = [:]
    private static let mostEnded = 64
    /// The latest sessions that were over while this client watched, by object path.
    package private(set) var ended: [String: ClientSession] = [:]
    private var endedOrder: [String] = []
    package private(set) var extensions: [String: ClientExtension] = [:]
    package private(set) var mediaSessions: [String: ClientMediaSession] = [:]
    package private(set) var nowPlaying: ClientNowPlaying?
    package private(set) var manager: ClientManager?
    package private(set) var isReady = false

    package init() {}

    package mutating func apply(_ event: HostEvent) {
        switch event {
        case .device(let device): devices[device.id] = device
        case .deviceRemoved(let device): devices[device.id] = nil
        case .session(let session): sessions[session.id] = session
        case .sessionRemoved(let session):
            sessions[session.id] = nil
            ended[session.path] = session
            endedOrder.append(session.path)
            if endedOrder.count > Self.mostEnded { ended[endedOrder.removeFirst()] = nil }
        case .extension(let status): extensions[status.id] = status
        case .extensionRemoved(let status): extensions[status.id] = nil
        case .mediaSession(let session): mediaSessions[session.id] = session
        case .mediaSessionRemoved(let session): mediaSessions[session.id] = nil
        case .nowPlaying(let nowPlaying): self.nowPlaying = nowPlaying
        case .manager(let manager): self.manager = manager
        case .ready: isReady = true
        }
    }

    /// Returns whether the list is complete and every device in it is checked for the lease.
    package func isSettled(_ lease: String) -> Bool { manager?.leases[lease] ?? false }

    /// Devices as people read them: by name, twins by id.
    package var sortedDevices: [ClientDevice] {
        devices.values.sorted { ($0.name.lowercased(), $0.id) < ($1.name.lowercased(), $1.id) }
    }

    package var sortedSessions: [ClientSession] {
        sessions.values.sorted { (Int($0.id) ?? 0, $0.id) < (Int($1.id) ?? 0, $1.id) }
    }

    /// The media sessions with content: the system primary session first, then by name.
    package var sortedMediaSessions: [ClientMediaSession] {
        mediaSessions.values.filter { $0.state.content != nil }.sorted {
            ($0.isSystemPrimary ? 0 : 1, $0.name.lowercased(), $0.id)
                < ($1.isSystemPrimary ? 0 : 1, $1.name.lowercased(), $1.id)
        }
    }

    /// Extensions as people read them.
    package var sortedExtensions: [ClientExtension] {
        extensions.values.sorted { ($0.name.lowercased(), $0.id) < ($1.name.lowercased(), $1.id) }
    }

    package func device(of session: ClientSession) -> ClientDevice? {
        devices.values.first { $0.path == session.device }
    }

    /// Returns the names of the devices that play the session, for people: `Kitchen + Bath`.
    package func names(of session: ClientSession) -> String {
        session.devices.compactMap { path in devices.values.first { $0.path == path }?.name }.joined(separator: " + ")
    }

    /// The grouped devices, group by group, the leader first.
    package var groups: [[ClientDevice]] {
        sortedDevices.filter { $0.group.first == $0.id }.map { $0.group.compactMap { devices[$0] } }
    }
}
