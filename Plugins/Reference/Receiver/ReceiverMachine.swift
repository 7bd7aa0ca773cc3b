import Foundation
import ReferenceProtocol

/// A receiver without I/O: it processes commands, media and key presses, and returns lines, notices and fetches.
struct ReceiverMachine: Sendable {
    enum Effect: Sendable, Hashable {
        case send(client: Int, ReferenceMessage)
        /// Send bytes that violate the protocol.
        case sendGarbage(client: Int)
        case disconnect(client: Int)
        case show(ReceiverNotice)
        /// Fetch media. `fetched` and `fetchFailed` report the result with the same number.
        case fetch(number: Int, ReferenceMedia)
        case cancelFetch
        /// Sound and pictures follow.
        case startLive(ReferenceLive)
        case playSound(Data)
        case showPicture(Data)
        /// No more sound and pictures follow.
        case endLive
        /// Store these tokens for the next run.
        case remember(Set<String>)
    }

    private struct Client: Sendable {
        var name = ""
        var isAuthorized = false
    }

    /// The application that can be launched. It sends back the data it receives.
    static let echo = "org.mdhost.reference.echo"
    /// The seconds of playback before a simulated failure.
    static let grace = 5.0

    let settings: ReceiverSettings
    private let id: String
    var desk: PairingDesk
    private var clients: [Int: Client] = [:]
    var player: ReceiverPlayer?
    var playNumber = 0
    var playerClient: Int?
    var failsAt: Double?
    private var level = 0.4
    private var isMuted = false

    init(settings: ReceiverSettings, id: String, tokens: Set<String>) {
        self.settings = settings
        self.id = id
        desk = PairingDesk(
            authorization: settings.authorization, password: settings.password, tokens: tokens)
    }

    /// Returns the current state of playback.
    func playback(at now: Double) -> ReferencePlayback? { player?.snapshot(at: now) }

    /// The time at which ``woken(at:)`` is due; `nil` for never.
    var wakeTime: Double? { [player?.startTime, player?.end, failsAt].compactMap(\.self).min() }

    private var reportedLevel: Double? { settings.volume == .absolute ? level : nil }

    // MARK: Connections

    mutating func connected(_ client: Int) -> [Effect] {
        guard !settings.failures.contains(.connect) else { return [.disconnect(client: client)] }
        clients[client] = Client()
        return []
    }

    mutating func disconnected(_ client: Int) -> [Effect] {
        guard clients.removeValue(forKey: client) != nil else { return [] }
        // Nobody else sends what is received live.
        let ending = playerClient == client && player?.live != nil ? end(nil) : []
        return ending + (desk.cancel(client: client) ? [.show(.pairingCancelled)] : [])
    }

    mutating func received(_ request: ReferenceRequest, from client: Int, at now: Double) -> [Effect] {
        guard clients[client] != nil, !settings.failures.contains(.silent) else { return [] }
        guard !settings.failures.contains(.garbage) else { return [.sendGarbage(client: client)] }
        var effects: [Effect] = []
        let outcome: Result<ReferenceResult, ReferenceFailure>
        do throws(ReferenceFailure) {
            outcome = .success(try perform(request.command, client, now, &effects))
        } catch {
            outcome = .failure(error)
        }
        // The answer first, then its effects.
        return [.send(client: client, .reply(to: request.id, outcome))] + effects
    }

    private mutating func perform(
        _ command: ReferenceCommand, _ client: Int, _ now: Double, _ effects: inout [Effect]
    ) throws(ReferenceFailure) -> ReferenceResult {
        switch command {
        case .hello(let version, let name, let token): return try hello(version, name, token, client, now, &effects)
        case .pair, .answer, .cancelPairing: return try pair(command, client, now, &effects)
        default: break
        }
        guard clients[client]?.isAuthorized == true else {
            throw ReferenceFailure(.authorizationRequired, "Pair first.")
        }
        switch command {
        case .clock: return .time(seconds: now)
        case .play(let id, let media): try play(id, media, client, now, &effects)
        case .receive(let id, let live): try receive(id, live, client, now, &effects)
        case .sound, .picture: try take(command, from: client, now, &effects)
        case .launch(let id, let application, _): try launch(id, application, client, now, &effects)
        case .send(let data):
            guard let application = player?.state.application else {
                throw ReferenceFailure(.nothingPlays, "No application runs.")
            }
            effects += [.show(.data(application: application, bytes: data.count))]
            effects += broadcast(.data(application: application, data: data))
        case .stop: effects += end(nil)
        case .setVolume, .changeVolume, .setMuted: try changeLevel(command, &effects)
        default: try control(command, now, &effects)
        }
        return .done
    }

    private mutating func hello(
        _ version: Int, _ name: String, _ token: String?, _ client: Int, _ now: Double, _ effects: inout [Effect]
    ) throws(ReferenceFailure) -> ReferenceResult {
        guard version == ReferenceAnnouncement.protocolVersion else {
            throw ReferenceFailure(.badRequest, "Version \(version) of the protocol is not spoken here.")
        }
        guard !settings.failures.contains(.busy) else {
            throw ReferenceFailure(.busy, "Somebody else uses \(settings.name).")
        }
        let isAuthorized = desk.isAuthorized(token: token)
        clients[client] = Client(name: String(name.prefix(64)), isAuthorized: isAuthorized)
        effects.append(.show(.connected(client: String(name.prefix(64)))))
        return .welcome(
            receiver: ReferenceWelcome(
                id: id, name: settings.name, isAuthorized: isAuthorized, volume: reportedLevel, isMuted: isMuted,
                playback: isAuthorized ? playback(at: now) : nil))
    }

    /// Returns the effects that send an event to all authorized clients.
    private func broadcast(_ event: ReferenceEvent) -> [Effect] {
        clients.filter(\.value.isAuthorized).keys.sorted().map { .send(client: $0, .event(event)) }
    }

    // MARK: Pairing

    private mutating func pair(
        _ command: ReferenceCommand, _ client: Int, _ now: Double, _ effects: inout [Effect]
    ) throws(ReferenceFailure) -> ReferenceResult {
        switch command {
        case .pair:
            let code = try desk.begin(client: client, now: now)
            switch desk.authorization {
            case .none: return .paired(token: "")
            case .password: effects.append(.show(.passwordWanted))
            case .confirm: effects.append(.show(.confirmationWanted(client: clients[client]?.name ?? "")))
            case .pin4, .pin6: effects.append(.show(.code(code ?? "")))
            }
            return .challenge(authorization: desk.authorization, length: code?.count)
        case .answer(let code):
            guard !settings.failures.contains(.pairing) else {
                _ = desk.cancel(client: client)
                throw ReferenceFailure(.refused, "\(settings.name) pairs with nobody today.")
            }
            let answer = desk.answer(code, client: client, now: now)
            effects += took(answer, client)
            switch answer {
            case .paired(let token): return .paired(token: token)
            case .failed(let failure): throw failure
            }
        default:
            if desk.cancel(client: client) { effects.append(.show(.pairingCancelled)) }
            return .done
        }
    }

    private mutating func took(_ answer: PairingDesk.Answer, _ client: Int) -> [Effect] {
        switch answer {
        case .paired:
            clients[client]?.isAuthorized = true
            return [.remember(desk.tokens), .show(.paired(client: clients[client]?.name ?? ""))]
        case .failed(let failure): return [.show(.pairingFailed(failure.message))]
        }
    }

    // MARK: Playback

    private mutating func play(
        _ id: String, _ media: ReferenceMedia, _ client: Int, _ now: Double, _ effects: inout [Effect]
    ) throws(ReferenceFailure) {
        guard media.url.lowercased().hasPrefix("http://") else {
            throw ReferenceFailure(.unsupportedFormat, "Only http: addresses can be played.")
        }
        if settings.failures.contains(.format) {
            throw ReferenceFailure(.unsupportedFormat, "\(settings.name) does not play this format.")
        }
        if settings.failures.contains(.media) {
            throw ReferenceFailure(.unreachableMedia, "\(settings.name) cannot open \(media.url).")
        }
        playNumber += 1
        playerClient = client
        player = ReceiverPlayer(loading: media, id: id, now: now)
        failsAt = nil
        effects += stopReceiving() + [.show(.fetching(media.url)), .fetch(number: playNumber, media)]
        effects += tellPlayback(now)
    }

    private mutating func launch(
        _ id: String, _ application: String, _ client: Int, _ now: Double, _ effects: inout [Effect]
    ) throws(ReferenceFailure) {
        guard application == Self.echo else {
            throw ReferenceFailure(.notSupported, "There is no application “\(application)” here; try \(Self.echo).")
        }
        playNumber += 1
        playerClient = client
        player = ReceiverPlayer(application: application, title: "Echo", id: id, now: now)
        failsAt = settings.failures.isDisjoint(with: [.playback, .disconnect]) ? nil : now + Self.grace
        effects += stopReceiving() + tellPlayback(now)
    }

    private mutating func control(
        _ command: ReferenceCommand, _ now: Double, _ effects: inout [Effect]
    ) throws(ReferenceFailure) {
        guard var player else { throw ReferenceFailure(.nothingPlays, "Nothing plays.") }
        switch command {
        case .start(let position, let moment): try player.start(from: position, at: moment, now: now)
        case .resume, .pause:
            guard player.live == nil else {
                throw ReferenceFailure(.notSupported, "Only the client can pause what it sends.")
            }
            player.setPlaying(command == .resume, at: now)
        case .seek(let position): try player.seek(to: position, at: now)
        case .setSpeed(let speed): try player.setSpeed(speed, at: now)
        case .scan(let speed): try player.scan(speed, at: now)
        case .select(let list, let option): try player.select(list, option)
        case .describe(let title, let artist): try player.describe(title, artist)
        default: throw ReferenceFailure(.badRequest, "This is no command for what plays.")
        }
        self.player = player
        effects += tellPlayback(now)
    }

    func tellPlayback(_ now: Double) -> [Effect] {
        let state = player?.snapshot(at: now)
        return broadcast(.playback(state: state)) + [.show(.playback(state))]
    }

    private mutating func end(_ failure: ReferenceFailure?) -> [Effect] {
        guard let id = player?.state.id else { return [] }
        player = nil
        failsAt = nil
        playerClient = nil
        let notice = failure.map { Effect.show(.playbackFailed($0.message)) } ?? .show(.playback(nil))
        return stopReceiving() + broadcast(.ended(id: id, failure: failure)) + [notice]
    }

    func stopReceiving() -> [Effect] { [.cancelFetch, .endLive] }

    /// Responds to the first bytes of the media.
    mutating func fetched(_ number: Int, _ facts: MediaFacts, at now: Double) -> [Effect] {
        guard number == playNumber, player != nil else { return [] }
        player?.opened(facts, at: now)
        if !settings.failures.isDisjoint(with: [.playback, .disconnect]) { failsAt = now + Self.grace }
        return tellPlayback(now)
    }

    /// Responds to media that couldn't be fetched, or to the end of a live stream.
    mutating func fetchFailed(_ number: Int, _ failure: ReferenceFailure?) -> [Effect] {
        number == playNumber ? end(failure) : []
    }

    /// Responds to the passing of time: the end of the media, or a simulated failure.
    mutating func woken(at now: Double) -> [Effect] {
        if let failsAt, now >= failsAt {
            self.failsAt = nil
            if settings.failures.contains(.disconnect), let playerClient {
                return [.disconnect(client: playerClient)]
            }
            return end(ReferenceFailure(.broken, "\(settings.name) broke off."))
        }
        if let end = player?.end, now >= end { return self.end(nil) }
        guard let start = player?.startTime, now >= start else { return [] }
        player?.began()
        return tellPlayback(now)
    }

    // MARK: Level

    private mutating func changeLevel(
        _ command: ReferenceCommand, _ effects: inout [Effect]
    ) throws(ReferenceFailure) {
        switch (command, settings.volume) {
        case (.setVolume(let level), .absolute) where level.isFinite: self.level = min(1, max(0, level))
        case (.changeVolume(let steps), .relative): level = min(1, max(0, level + 0.05 * Double(steps)))
        case (.setMuted(let muted), .absolute), (.setMuted(let muted), .relative): isMuted = muted
        default: throw ReferenceFailure(.notSupported, "The level cannot be changed that way.")
        }
        effects += tellLevel()
    }

    private func tellLevel() -> [Effect] {
        broadcast(.volume(level: reportedLevel, muted: isMuted)) + [.show(.volume(level: level, isMuted: isMuted))]
    }

    // MARK: The person at the receiver

    mutating func performed(_ action: ReceiverAction, at now: Double) -> [Effect] {
        switch action {
        case .confirm(let isAllowed): return confirmed(isAllowed && !settings.failures.contains(.pairing))
        case .togglePlayback:
            guard let isPlaying = player?.state.isPlaying, player?.live == nil else { return [] }
            player?.setPlaying(!isPlaying, at: now)
            return tellPlayback(now)
        case .stop: return end(nil)
        case .changeVolume(let hundredths):
            guard settings.volume != .none else { return [] }
            level = min(1, max(0, level + Double(hundredths) / 100))
            return tellLevel()
        case .toggleMute:
            guard settings.volume != .none else { return [] }
            isMuted.toggle()
            return tellLevel()
        }
    }

    private mutating func confirmed(_ isAllowed: Bool) -> [Effect] {
        guard let (client, answer) = desk.confirm(isAllowed) else { return [] }
        let event: ReferenceEvent =
            switch answer {
            case .paired(let token): .paired(token: token)
            case .failed(let failure): .pairingFailed(failure: failure)
            }
        return [.send(client: client, .event(event))] + took(answer, client)
    }
}
