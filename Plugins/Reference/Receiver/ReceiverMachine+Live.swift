import ReferenceProtocol

/// Sound and pictures that a client sends as they come.
extension ReceiverMachine {
    mutating func receive(
        _ id: String, _ live: ReferenceLive, _ client: Int, _ now: Double, _ effects: inout [Effect]
    ) throws(ReferenceFailure) {
        guard live.sound != nil || live.picture != nil, live.sound?.isPossible != false,
            live.picture?.isPossible != false
        else { throw ReferenceFailure(.badRequest, "This format of sound or pictures is impossible.") }
        guard settings.live.contains(live.picture == nil ? .sound : .picture), !settings.failures.contains(.format)
        else { throw ReferenceFailure(.unsupportedFormat, "\(settings.name) does not play this live.") }
        playNumber += 1
        playerClient = client
        player = ReceiverPlayer(receiving: live, id: id, now: now)
        failsAt = nil
        effects += stopReceiving() + [.startLive(live)] + tellPlayback(now)
    }

    /// Takes sound or a picture. Playback begins with the first.
    mutating func take(
        _ command: ReferenceCommand, from client: Int, _ now: Double, _ effects: inout [Effect]
    ) throws(ReferenceFailure) {
        guard client == playerClient, player?.live != nil else {
            throw ReferenceFailure(.nothingPlays, "Nothing live is received from this client.")
        }
        guard let (moment, effect) = player?.presentation(of: command) else {
            throw ReferenceFailure(.badRequest, "This wasn't announced.")
        }
        // A picture is shown at once, because those after it build on it.
        var isPicture: Bool { if case .picture = command { true } else { false } }
        guard moment >= now || isPicture else { throw ReferenceFailure(.late, "It came \(now - moment) s too late.") }
        guard moment < now + ReceiverPlayer.longestWait else {
            throw ReferenceFailure(.badRequest, "It is due in more than a minute.")
        }
        effects.append(effect)
        guard player?.begin(at: max(now, moment), now: now) == true else { return }
        if !settings.failures.isDisjoint(with: [.playback, .disconnect]) { failsAt = now + Self.grace }
        effects += tellPlayback(now)
    }
}
