import Foundation
import MediaDeviceTesting
import Testing

/// An extension whose only device is announced, wants a code and answers commands.
@MainActor
private final class PlainExtension: MediaDeviceExtension {
    let protocolType = UTType(exportedAs: "org.example.plain")
    let supportsSimultaneousSessions = true
    private lazy var host = MediaDeviceRoutingManager.routingManager(for: self)
    private var browser: NWBrowser?
    private(set) var received: [String] = []
    private var level: Float = 0.5

    required init() {}

    func startDeviceDiscovery() {
        let browser = NWBrowser(for: .bonjourWithTXTRecord(type: "_plain._tcp", domain: nil), using: .tcp)
        browser.browseResultsChangedHandler = { [weak self] _, changes in
            MainActor.assumeIsolated { for change in changes { self?.take(change) } }
        }
        browser.stateUpdateHandler = { [weak self] state in
            MainActor.assumeIsolated {
                if case .failed = state { self?.host.discoveryFailed(MediaDeviceError(.discoveryFailed)) }
            }
        }
        browser.start(queue: .main)
        self.browser = browser
    }

    private func take(_ change: NWBrowser.Result.Change) {
        switch change {
        case .added(let result), .changed(_, let result, _): device(result).map(host.foundDevice)
        case .removed(let result): device(result).map(host.lostDevice)
        case .identical: break
        }
    }

    private func device(_ result: NWBrowser.Result) -> MediaOutputDevice? {
        guard case .service(let name, _, _, _) = result.endpoint, case .bonjour(let record) = result.metadata else {
            return nil
        }
        return MediaOutputDevice(
            id: UUID(version5: name), displayName: name, capabilities: .urlPlayback,
            volumeControl: record["volume"] == "relative" ? .relative : .absolute, canMute: false,
            requiredNetworkEndpoints: result.resolvedEndpoints)
    }

    func stopDeviceDiscovery() { browser?.cancel() }

    func activateDevice(
        _ device: MediaOutputDevice, session: MediaOutputSession, for deviceFeatures: MediaOutputDevice.Capabilities
    ) {
        if host.credential(for: device) != nil { return host.activatedDevice(device, session: session) }
        host.requestPairingCode(
            for: device, session: session, reason: "Look at \(device.displayName).",
            authorizationMethod: .numericCode(length: .sixCharacter))
    }

    func connectUsingPairingCode(_ pairingCode: String?, to device: MediaOutputDevice, session: MediaOutputSession) {
        guard pairingCode == "123456" else {
            let error = MediaDeviceError(.authorizationFailed, reason: pairingCode ?? "cancelled")
            return host.failedToActivateDevice(device, session: session, error: error)
        }
        host.setCredential(Data("secret".utf8), for: device)
        host.activatedDevice(device, session: session)
    }

    func deactivateDevice(_ device: MediaOutputDevice, session: MediaOutputSession) {}
    func setVolume(_ volume: Float, for device: MediaOutputDevice) {
        level = volume
        host.volumeChanged(for: device)
    }
    func volume(for device: MediaOutputDevice) -> Float { level }
    func changeVolume(by increments: Int, for device: MediaOutputDevice) { received.append("steps \(increments)") }
    func muteDevice(_ device: MediaOutputDevice) {}
    func isDeviceMuted(_ device: MediaOutputDevice) -> Bool { false }
    func startSession(_ session: MediaOutputSession, identifier: String?, url: URL) {
        if url.scheme == "http" {
            host.sessionEnded(session)
        } else {
            let error = MediaDeviceError(.sessionFailed, detail: .unsupportedFormat, reason: "No \(url).")
            host.sessionFailed(session, error: error)
        }
    }
    func stopSession(_ session: MediaOutputSession) { received.append("stop") }
    func sendData(_ data: Data, toApplication applicationIdentifier: String, session: MediaOutputSession) {
        host.receiveData(Data(data.reversed()), fromApplication: applicationIdentifier, session: session)
    }
}

@MainActor
@Suite(.timeLimit(.minutes(1)))
struct TestSystemTests {
    private let system = TestSystem(PlainExtension())

    private func found(_ name: String, txt: [String: String] = [:]) async throws -> MediaOutputDevice {
        system.network.announce(name, type: "_plain._tcp", txt: txt)
        system.startDiscovery()
        return try await system.foundDevice(named: name)
    }

    @Test func deliversWhatIsAnnouncedBeforeAndAfterTheBrowser() async throws {
        let first = try await found("Before")
        #expect(system.network.browsedTypes == ["_plain._tcp"])
        system.network.announce("After", type: "_plain._tcp")
        let second = try await system.foundDevice(named: "After")
        #expect(Set(system.devices) == [first, second])
        system.network.withdraw("Before", type: "_plain._tcp")
        try await system.report("the loss") { $0 == .lost(first.id) }
        #expect(system.devices == [second])
        system.network.fail("_plain._tcp", message: "broken")
        try await system.report("the failure") { if case .discoveryFailed = $0 { true } else { false } }
    }

    /// Browsers belong to the system their extension runs in.
    @Test func systemsDoNotHearEachOther() async throws {
        let other = TestSystem(PlainExtension())
        other.startDiscovery()
        _ = try await found("Mine")
        other.network.announce("Theirs", type: "_plain._tcp")
        _ = try await other.foundDevice(named: "Theirs")
        #expect(system.devices.map(\.displayName) == ["Mine"])
        #expect(other.devices.map(\.displayName) == ["Theirs"])
    }

    @Test func asksForACodeAndKeepsWhatWasStored() async throws {
        let device = try await found("TV")
        let wrong = system.activate(device)
        let request = try await wrong.pairingRequest()
        #expect(request.method == .numericCode(digits: 6) && request.reason == "Look at TV.")
        wrong.answer("1")
        await #expect(throws: ReportedError.self) { try await wrong.activated() }
        let cancelled = system.activate(device)
        _ = try await cancelled.pairingRequest()
        cancelled.answer(nil)
        await #expect(throws: ReportedError.self) { try await cancelled.activated() }

        let right = system.activate(device)
        _ = try await right.pairingRequest()
        right.answer("123456")
        try await right.activated()
        #expect(system.credential(for: device) == Data("secret".utf8))
        let again = system.activate(device)
        try await again.activated()
    }

    @Test func refusesWhatTheSystemWouldRefuse() async throws {
        let absolute = try await found("A")
        #expect(throws: ReportedError.self) { try system.changeVolume(by: 1, for: absolute) }
        try system.setVolume(7, for: absolute)
        #expect(system.volume(of: absolute).level == 1)
        try await system.report("the level") { $0 == .volumeChanged(device: absolute.id, level: 1, isMuted: false) }
        #expect(throws: ReportedError.self) { try system.toggleMute(of: absolute) }
        let relative = try await found("R", txt: ["volume": "relative"])
        try system.changeVolume(by: 2, for: relative)
        #expect(system.extension.received == ["steps 2"] && system.volume(of: relative).level == nil)
    }

    @Test func tellsHowPlaybackEnded() async throws {
        let device = try await found("TV")
        system.setCredential(Data([1]), for: device)
        let session = system.activate(device)
        try await session.activated()
        session.start(try #require(URL(string: "http://h/x")))
        try await session.ended()
        #expect(throws: ReportedError.self) { try session.perform(.pause) }
        session.start(try #require(URL(string: "file:///x")))
        do {
            try await session.started()
            Issue.record("it started")
        } catch let error as ReportedError {
            #expect(error.code == "unsupported-format" && error.message == "No file:///x.")
        }
        session.send(Data([1, 2]))
        let answer = try await session.receivedData()
        #expect(answer.data == Data([2, 1]) && answer.application == "com.apple.media-device-extension")
    }

    @Test func aVainWaitTellsWhatWasReported() async throws {
        _ = try await found("TV")
        system.patience = .milliseconds(20)
        do {
            try await system.report("a miracle") { _ in false }
            Issue.record("it came")
        } catch let error as TestSystemError {
            #expect("\(error)".contains("a miracle") && "\(error)".contains("found"))
        }
    }
}

@Suite(.timeLimit(.minutes(1)))
struct ManualClockTests {
    @Test func wakesInOrderAndWhoSleepsAgain() async throws {
        let clock = ManualClock()
        let (ticks, feed) = AsyncStream.makeStream(of: Duration.self)
        let task = Task {
            for _ in 0..<3 {
                try await clock.sleep(for: .seconds(10))
                feed.yield(clock.now.offset)
            }
            feed.finish()
        }
        while clock.sleeperCount == 0 { await Task.yield() }
        await clock.advance(by: .seconds(5))
        #expect(clock.sleeperCount == 1 && clock.now.offset == .seconds(5))
        await clock.advance(by: .seconds(5))
        // The scheduler decides when the task sleeps again, so the clock may need several steps.
        var seen: [Duration] = []
        for await tick in ticks {
            seen.append(tick)
            if seen.count == 1 { #expect(tick == .seconds(10)) }
            if seen.count == 3 { break }
            while clock.sleeperCount == 0 { await Task.yield() }
            await clock.advance(by: .seconds(10))
        }
        #expect(seen == seen.sorted() && seen.count == 3)
        try await task.value
    }

    @Test func aCancelledSleepEnds() async {
        let clock = ManualClock()
        let task = Task { try await clock.sleep(for: .seconds(1)) }
        while clock.sleeperCount == 0 { await Task.yield() }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(clock.sleeperCount == 0)
    }
}
