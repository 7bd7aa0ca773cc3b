import Foundation
import HostCore
import HostInterface
import LinkProtocol
import Testing

@testable import HostExtensions

@Suite(.timeLimit(.minutes(1))) struct ExtensionSupervisorTests {
    private let identifier = "org.example.faulty"
    private let device = "0A1B2C3D-0000-4000-8000-000000000001"

    @Test func runsWhatIsNeededAndStopsWhatIsNot() async throws {
        let clock = ManualClock()
        let supervisor = try FaultyBundle("good").supervisor { $0.clock = clock.supervision }
        var events = supervisor.events.makeAsyncIterator()
        #expect(await supervisor.statuses().map(\.state) == [.idle])
        await supervisor.acquire(identifier, reason: "lease")
        try await supervisor.perform(.startDeviceDiscovery, on: identifier)
        #expect(try await supervisor.volume(of: device, on: identifier) == (0.25, true))
        #expect(await events.nextStatus()?.state == .starting)
        #expect(await events.next()?.event == .started)
        guard case .message(.foundDevice(let found))? = await events.nextButStatus() else {
            Issue.record("no device")
            return
        }
        #expect(found.id == device)
        let status = try #require(await supervisor.statuses().first)
        #expect(status.state == .running && status.generation == 1 && status.protocolName == "Example Sharing")
        #expect(status.processID.map(isAlive) == true)

        await supervisor.release(identifier, reason: "lease")
        await clock.advance(by: .seconds(29))
        #expect(await supervisor.statuses().first?.state == .running)
        await clock.advance(by: .seconds(1))
        #expect(await events.nextButStatus() == .stopped)
        #expect(status.processID.map(isAlive) == false)
        await supervisor.stopAll()
        #expect(await supervisor.statuses().first?.state != .running)
    }

    @Test func restartsAfterACrashAndEveryEventHasItsGeneration() async throws {
        let supervisor = try FaultyBundle("crash-in-call").supervisor()
        var events = supervisor.events.makeAsyncIterator()
        await supervisor.acquire(identifier, reason: "lease")
        for generation in 1...2 {
            let started = await events.nextEvent { $0.event == .started }
            #expect(started?.generation == generation)
            await #expect(throws: HostError.self) {
                try await supervisor.perform(.startDeviceDiscovery, on: identifier)
            }
            let crashed = await events.nextEvent {
                if case .crashed(let error) = $0.event { return error.code == .extensionCrashed }
                return false
            }
            #expect(crashed?.generation == generation)
        }
        let status = await events.nextStatus { $0.state == .crashed || $0.state == .starting }
        #if !SANITIZED  // Swift's crash handler does not get through ThreadSanitizer's own.
            #expect(status?.lastError?.contains("was killed by signal 6") == true)
        #endif
        await supervisor.stopAll()
    }

    @Test func oneThatLeavesByItselfHasNotCrashed() async throws {
        let supervisor = try FaultyBundle("leave").supervisor()
        var events = supervisor.events.makeAsyncIterator()
        for generation in 1...2 {
            await supervisor.acquire(identifier, reason: "lease")
            let started = await events.nextEvent { $0.event == .started }
            #expect(started?.generation == generation, "the next need launches it anew")
            await supervisor.release(identifier, reason: "lease")
            await #expect(throws: HostError.self) { try await supervisor.perform(.stopDeviceDiscovery, on: identifier) }
            let ended = await events.nextEvent {
                if case .crashed = $0.event { true } else { $0.event == .stopped }
            }
            #expect(ended?.event == .stopped)
            let status = try #require(await supervisor.statuses().first)
            #expect(status.state == .idle && status.restarts == 0 && status.lastError == nil)
            #expect(status.lastExit == "ended with status 0")
        }
        await supervisor.stopAll()
    }

    @Test func discoveryIsBackWithinASecondOfAFirstCrash() async throws {
        let supervisor = try FaultyBundle("good").supervisor()
        var events = supervisor.events.makeAsyncIterator()
        await supervisor.acquire(identifier, reason: "lease")
        _ = await events.nextEvent { $0.event == .started }
        let running = await events.nextStatus { $0.state == .running }
        kill(try #require(running?.processID), SIGKILL)
        _ = await events.nextEvent { if case .crashed = $0.event { true } else { false } }
        #expect(await supervisor.statuses().first?.state == .crashed)
        #expect(await events.nextEvent { $0.event == .started }?.generation == 2)
        #expect(await supervisor.statuses().first?.restarts == 1)
        await supervisor.stopAll()
    }

    @Test func quarantineEndsTheRestarts() async throws {
        let clock = ManualClock()
        let supervisor = try FaultyBundle("exit-at-once").supervisor { $0.clock = clock.supervision }
        var events = supervisor.events.makeAsyncIterator()
        await supervisor.acquire(identifier, reason: "lease")
        for generation in 1...5 {
            let crash = await events.nextEvent { if case .crashed = $0.event { true } else { false } }
            #expect(crash?.generation == generation)
            let status = await events.nextStatus { $0.state == .crashed || $0.state == .quarantined }
            #expect(status?.state == (generation < 5 ? .crashed : .quarantined))
            await clock.advance(by: .seconds(5))
        }
        #expect(await supervisor.statuses().first?.lastError == "Faulty ended with status 3.")
        await #expect(throws: HostError(.extensionCrashed, "Faulty ended with status 3.")) {
            try await supervisor.perform(.startDeviceDiscovery, on: identifier)
        }
        await #expect(throws: HostError(.extensionCrashed, "Faulty ended with status 3.")) {
            try await supervisor.reload(identifier)
        }
        #expect(await events.nextEvent { if case .crashed = $0.event { true } else { false } }?.generation == 6)
        #expect(await supervisor.statuses().first?.state == .crashed)
        await supervisor.stopAll()
    }

    @Test func anUnusableOneIsNotRetried() async throws {
        let supervisor = try FaultyBundle("wrong-version").supervisor()
        var events = supervisor.events.makeAsyncIterator()
        await supervisor.acquire(identifier, reason: "lease")
        let status = await events.nextStatus { $0.state == .loadFailed }
        #expect(
            status?.lastError
                == "Faulty needs a newer mdhost: its SDK 0 speaks version 2 of the link, and this mdhost version 1.")
        await #expect(throws: HostError.self) {
            try await supervisor.perform(.startDeviceDiscovery, on: identifier)
        }
        await supervisor.stopAll()
    }

    @Test func aReloadReplacesTheProcess() async throws {
        let supervisor = try FaultyBundle("good").supervisor()
        var events = supervisor.events.makeAsyncIterator()
        await supervisor.acquire(identifier, reason: "lease")
        _ = await events.nextEvent { $0.event == .started }
        try await supervisor.reload(identifier)
        let status = try #require(await supervisor.statuses().first)
        #expect(status.state == .running && status.generation == 2 && status.lastExit == "ended with status 0")
        #expect(await events.nextButStatus() == .stopped)
        #expect(await events.nextEvent { $0.event == .started }?.generation == 2)
        #expect(await supervisor.statuses().first?.restarts == 0)
        await supervisor.stopAll()
    }

    @Test func removedOnesAreEndedAndUnknownOnesRefused() async throws {
        let bundle = try FaultyBundle("good")
        let supervisor = bundle.supervisor()
        var events = supervisor.events.makeAsyncIterator()
        await supervisor.acquire(identifier, reason: "lease")
        let running = await events.nextStatus { $0.state == .running }
        let processID = try #require(running?.processID)
        let broken = ExtensionManifestError(file: "/x/Info.plist", .notARegularFile)
        await supervisor.update(
            ExtensionCatalog(manifests: [], invalid: [.init(path: "/x/broken.mdext", error: broken)]))
        #expect(await events.nextButStatus() == .stopped)
        await #expect(throws: HostError.self) {
            try await supervisor.perform(.startDeviceDiscovery, on: identifier)
        }
        let statuses = await supervisor.statuses()
        #expect(statuses.map(\.state) == [.invalidManifest])
        #expect(statuses.first?.lastError == "/x/Info.plist is not a regular file.")
        await supervisor.stopAll()
        #expect(!isAlive(processID))
    }

    @Test func switchingOffEndsIt() async throws {
        let supervisor = try FaultyBundle("good").supervisor { $0.disabled = ["org.example.faulty"] }
        var events = supervisor.events.makeAsyncIterator()
        await supervisor.acquire(identifier, reason: "lease")
        #expect(await supervisor.statuses().first?.state == .disabled)
        try await supervisor.setEnabled(true, identifier)
        #expect(await events.nextEvent { $0.event == .started } != nil)
        try await supervisor.setEnabled(false, identifier)
        #expect(await events.nextButStatus() == .stopped)
        await supervisor.stopAll()
    }
}
