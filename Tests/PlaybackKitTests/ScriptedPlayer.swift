import Foundation
import PlaybackKit

/// A player without a device: follows a test's script, and records its requests.
@MainActor
final class ScriptedPlayer: LiveVideoPlayer {
    enum Asked: Equatable {
        case load(URL), describe(title: String?), adopt(token: Data?)
        case takeControl, launch(String), send(Data), perform(PlayerWish), stop, close
    }

    nonisolated let events: AsyncStream<PlayerEvent>
    nonisolated let secretToStore: Data?
    private let sink: AsyncStream<PlayerEvent>.Continuation
    private(set) var asked: [Asked] = []
    private(set) var run: PlaybackRun?
    var token: Data?
    var isStillPlaying = true
    var refusal: MediaDeviceError?
    /// Wishes wait here while it is set.
    var gate: CheckedContinuation<Void, Never>?
    var holdsWishes = false
    /// So do loads and adoptions.
    var holdsLoads = false
    private(set) var samples: PlayableSamples?
    private(set) var received: [Data] = []
    private(set) var hasPlayedAll = false
    private(set) var video: PlayableVideo?
    private(set) var frames: [Data] = []
    private(set) var hasShownAll = false
    /// Loses the connection with the next block.
    var loses = false

    init(secretToStore: Data? = nil) {
        self.secretToStore = secretToStore
        (events, sink) = PlayerEvent.makeStream()
    }

    func send(_ event: PlayerEvent) { sink.yield(event) }
    func lose() { sink.finish() }

    func load(_ media: PlayableMedia, as run: PlaybackRun) async throws(MediaDeviceError) -> Data? {
        asked.append(.load(media.url))
        if holdsLoads { await withCheckedContinuation { gate = $0 } }
        if let refusal { throw refusal }
        self.run = run
        return token
    }

    func describe(_ media: PlayableMedia, of run: PlaybackRun) async { asked.append(.describe(title: media.title)) }

    func adopt(_ media: PlayableMedia, token: Data?, as run: PlaybackRun) async throws(MediaDeviceError) -> Bool {
        asked.append(.adopt(token: token))
        if holdsLoads { await withCheckedContinuation { gate = $0 } }
        if let refusal { throw refusal }
        self.run = run
        return isStillPlaying
    }

    func takeControl(as run: PlaybackRun) async throws(MediaDeviceError) -> Bool {
        asked.append(.takeControl)
        if let refusal { throw refusal }
        self.run = run
        return isStillPlaying
    }

    func launch(
        _ application: String, with media: PlayableMedia, as run: PlaybackRun
    ) async throws(MediaDeviceError) -> Data? {
        asked.append(.launch(application))
        if holdsLoads { await withCheckedContinuation { gate = $0 } }
        if let refusal { throw refusal }
        self.run = run
        return token
    }

    func send(_ data: Data, to run: PlaybackRun) async throws(MediaDeviceError) {
        asked.append(.send(data))
        if let refusal { throw refusal }
    }

    func play(_ samples: PlayableSamples, as run: PlaybackRun) async throws(MediaDeviceError) {
        if let refusal { throw refusal }
        self.run = run
        self.samples = samples
        for await block in samples {
            if loses {
                loses = false
                lose()
                throw MediaDeviceError(.connectionFailed)
            }
            received.append(block.samples)
        }
        hasPlayedAll = true
    }

    func play(
        _ video: PlayableVideo, with samples: PlayableSamples?, as run: PlaybackRun
    ) async throws(MediaDeviceError) {
        if let refusal { throw refusal }
        self.run = run
        self.video = video
        if let samples { Task { try? await play(samples, as: run) } }
        for await frame in video { frames.append(frame.accessUnit) }
        hasShownAll = true
    }

    func perform(_ wish: PlayerWish) async throws(MediaDeviceError) {
        asked.append(.perform(wish))
        if holdsWishes { await withCheckedContinuation { gate = $0 } }
        if let refusal { throw refusal }
    }

    func stop(_ run: PlaybackRun) async { asked.append(.stop) }

    func close() async {
        asked.append(.close)
        sink.finish()
    }

    func answerWish() {
        gate?.resume()
        gate = nil
    }
}

/// A protocol whose devices are ``ScriptedPlayer``s.
@MainActor
final class ScriptedProtocol: PlayerProtocol {
    let sources: [SightingSource] = [.bonjour("_scripted._tcp"), .bonjour("_scripted-b._tcp")]
    /// The password it wants.
    var password: String?
    var failure: MediaDeviceError?
    private(set) var secrets: [PlayerSecret] = []
    private(set) var players: [ScriptedPlayer] = []
    var secretToStore: Data?

    var player: ScriptedPlayer? { players.last }
    var ownDevices: [MediaOutputDevice] = []
    /// The changes of devices that need no announcement.
    private(set) var changes: AsyncStream<DeviceChange>.Continuation?
    /// The question that is asked while a device is opened for an activation.
    var question: SecretRequest?
    /// Shows the question without waiting for an answer.
    var onlyShows = false
    private(set) var answers: [String?] = []

    func deviceChanges() -> AsyncStream<DeviceChange> {
        let (stream, changes) = AsyncStream.makeStream(of: DeviceChange.self)
        self.changes = changes
        return stream
    }

    func open(
        _ device: MediaOutputDevice, secret: PlayerSecret, prompt: PlayerPrompt
    ) async throws(PlayerOpeningError) -> ScriptedPlayer {
        if let question, onlyShows {
            prompt.show(question)
            // Until the task is cancelled.
            for await _ in AsyncStream<Void>.makeStream().stream {}
            throw .failed(MediaDeviceError(.connectionFailed, reason: "Cancelled."))
        } else if let question {
            answers.append(await prompt.ask(question))
            if answers.last == .some(nil) { throw .failed(MediaDeviceError(.authorizationFailed, reason: "Refused.")) }
        }
        return try await open(device, secret: secret)
    }

    func identity(of sighting: Sighting) -> String? { sighting.record["id"] }

    func device(_ identity: String, from sightings: [Sighting]) -> MediaOutputDevice? {
        MediaOutputDevice(
            id: UUID(version5: "scripted:" + identity), displayName: sightings[0].name,
            capabilities: [.urlPlayback, .appLaunch],
            volumeControl: .absolute, canMute: true, requiredNetworkEndpoints: sightings.flatMap(\.endpoints))
    }

    func open(_ device: MediaOutputDevice, secret: PlayerSecret) async throws(PlayerOpeningError) -> ScriptedPlayer {
        secrets.append(secret)
        if let failure { throw .failed(failure) }
        if let password {
            switch secret {
            case .none: throw .secretRequired(SecretRequest(.password, reason: "It wants a password."))
            case .stored(let data) where data == Data(password.utf8): break
            case .entered(password): break
            default: throw .secretRejected(reason: "Wrong.", retryAfter: .seconds(30))
            }
        }
        let player = ScriptedPlayer(secretToStore: secretToStore)
        players.append(player)
        return player
    }
}

final class ScriptedExtension: SamplePlayerExtension {
    let protocolType = UTType(exportedAs: "org.example.scripted")
    let described = ScriptedProtocol()
    private let clock: any Clock<Duration>
    lazy var players = PlayerController(described, for: self, clock: clock)

    init() { clock = ContinuousClock() }

    init(clock: any Clock<Duration>) { self.clock = clock }
}

struct NotInTime: Error {}

/// Waits, without a clock, until something is so.
@MainActor
func until(_ what: String, _ isSo: @MainActor () -> Bool) async throws {
    for _ in 0..<100_000 {
        if isSo() { return }
        await Task.yield()
    }
    throw NotInTime()
}
