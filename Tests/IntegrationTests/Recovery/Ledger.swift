import HostClient

/// The acknowledged state, which must hold after every crash; `nil` for a request without an answer.
struct Ledger: Sendable, Equatable {
    enum Playback: Sendable, Equatable {
        /// Identified by the session.
        case plays(String)
        case stopped
    }

    var isPaired: Bool? = false
    /// The playbacks by the device's name.
    var playbacks: [String: Playback?] = [:]

    /// Returns the facts that don't hold, in sentences.
    ///
    /// - Parameters:
    ///   - devices: As the daemon lists them after its restart.
    ///   - sessions: The same, once none is being resumed.
    ///   - plays: A Boolean value for each device that indicates whether the device itself reports playback or a pause.
    func complaints(
        isPaired isListedAsPaired: Bool, devices: [ClientDevice], sessions: [ClientSession], plays: [String: Bool]
    ) -> [String] {
        var complaints: [String] = []
        if let isPaired, isListedAsPaired != isPaired {
            complaints.append("the pairing was \(isPaired ? "lost" : "not forgotten")")
        }
        for (name, playback) in playbacks {
            let device = devices.first { $0.name == name }
            let session = sessions.first { $0.device == device?.path }
            switch playback {
            case .plays(let id):
                if let session, session.id != id { complaints.append("\(name): session \(id) became \(session.id)") }
                if let session, session.state != "active" { complaints.append("\(name): it is \(session.state)") }
                if session == nil, plays[name] == true { complaints.append("\(name): it plays, and nobody knows") }
                if session != nil, plays[name] == false {
                    complaints.append("\(name): it is listed, and does not play")
                }
            case .stopped:
                // A session that has ended is about to be removed from the list.
                if let session, !session.isOver { complaints.append("\(name): what was stopped is \(session.state)") }
            case nil: break
            }
        }
        return complaints
    }
}
