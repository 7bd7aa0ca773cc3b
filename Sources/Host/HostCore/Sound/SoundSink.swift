import HostInterface

/// One device's sink: what is known of it, and what follows from that.
struct SoundSink: Sendable {
    /// Where the sound goes.
    enum Phase: Sendable, Hashable {
        case silent
        /// The device is being asked to play.
        case starting
        case playing(session: String)
    }

    var record: SoundSinkRecord
    /// As it was told last; `nil` until it is seen.
    var device: HostDevice?
    /// It was looked for and is not there.
    var isAway = false
    var phase = Phase.silent
    var error: HostError?
    /// What a person wants it to be and the device does not know yet.
    var wantedLevel: Double?
    var wantedMute: Bool?

    /// How the server shows it; `nil` while it does not.
    var shown: ShownSink? {
        guard !isAway else { return nil }
        let description = device?.description
        return ShownSink(
            id: record.id, name: record.name, hasLevel: description.map { $0.volumeControl == .absolute } ?? true,
            canMute: description?.canMute ?? true, level: wantedLevel ?? device?.level,
            isMuted: wantedMute ?? device?.isMuted ?? false)
    }

    /// Takes what the host tells of the device.
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
        return SoundSinkStatus(id: record.id, name: record.name, state: state, server: server ?? "", error: error)
    }
}
