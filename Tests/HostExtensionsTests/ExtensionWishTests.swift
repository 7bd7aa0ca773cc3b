import Foundation
import HostCore
import HostInterface
import LinkProtocol
import Testing

@testable import HostExtensions

/// A person's settings of an extension, with real processes.
@Suite(.timeLimit(.minutes(1))) struct ExtensionWishTests {
    private let identifier = "org.example.faulty"

    /// Two extensions of one program, running.
    private func pair() async throws -> (bundle: FaultyBundle, supervisor: ExtensionSupervisor, other: ExtensionStatus)
    {
        let bundle = try FaultyBundle("good")
        var info = InfoPlist()
        info.identifier = "<string>org.example.other</string>"
        info.executable = "<string>FaultyExtension</string>"
        try bundle.folder.write(info.text, to: "other.mdext/Info.plist")
        let supervisor = bundle.supervisor(catalog: ExtensionCatalog.scan(bundle.places)) {
            $0.folders = { bundle.places }
        }
        var events = supervisor.events.makeAsyncIterator()
        for identifier in [identifier, "org.example.other"] {
            await supervisor.acquire(identifier, reason: "lease")
            _ = await events.nextStatus { $0.id == identifier && $0.state == .running }
        }
        let other = try #require(await supervisor.statuses().first { $0.id == "org.example.other" })
        return (bundle, supervisor, other)
    }

    @Test func aReloadReadsTheManifestAgainAndLeavesOthersAlone() async throws {
        let (bundle, supervisor, other) = try await pair()
        try bundle.rewrite { $0.displayName = "<string>Renamed</string>" }
        try await supervisor.reload(identifier)
        let status = try #require(await supervisor.statuses().first { $0.id == identifier })
        #expect(status.name == "Renamed" && status.generation == 2 && status.state == .running)
        #expect(await supervisor.statuses().first { $0.id == other.id } == other)
        await supervisor.stopAll()
    }

    @Test func aReloadOfWhatCannotBeUsedSaysWhyAndWorksOnceItCan() async throws {
        let (bundle, supervisor, other) = try await pair()
        try bundle.folder.write("nonsense", to: "faulty.mdext/Info.plist")
        do throws(HostError) {
            try await supervisor.reload(identifier)
            Issue.record("it was loaded")
        } catch {
            #expect(error.code == .extensionUnusable && error.message.contains("is not an XML property list"))
        }
        #expect(await supervisor.statuses().last?.id == "faulty.mdext")
        try bundle.rewrite { _ in }
        try await supervisor.reload("faulty.mdext")
        let status = try #require(await supervisor.statuses().first { $0.id == identifier })
        #expect(status.id == identifier && status.state == .idle)
        // The one before was generation 1: none of its late news can be taken for the new one's.
        await supervisor.acquire(identifier, reason: "lease")
        try await supervisor.perform(.startDeviceDiscovery, on: identifier)
        #expect(await supervisor.statuses().first { $0.id == identifier }?.generation == 2)
        #expect(await supervisor.statuses().first { $0.id == other.id } == other)
        await supervisor.stopAll()
    }

    @Test func aReloadOfWhatNobodyNeedsLaunchesNothing() async throws {
        let bundle = try FaultyBundle("good")
        let supervisor = bundle.supervisor { $0.folders = { bundle.places } }
        try await supervisor.reload(identifier)
        let status = try #require(await supervisor.statuses().first { $0.id == identifier })
        #expect(status.state == .idle && status.generation == 0)
        await #expect(throws: HostError(.noSuchExtension, "There is no extension “org.example.none”.")) {
            try await supervisor.reload("org.example.none")
        }
        await supervisor.stopAll()
    }

    @Test func aSwitchedOffOneIsGoneWhenTheCallReturnsAndStaysOffWhenInstalledAnew() async throws {
        let (_, supervisor, other) = try await pair()
        let processID = try #require(await supervisor.statuses().first { $0.id == identifier }?.processID)
        try await supervisor.setEnabled(false, identifier)
        let status = try #require(await supervisor.statuses().first { $0.id == identifier })
        #expect(status.state == .disabled && status.processID == nil)
        #expect(!isAlive(processID))
        await #expect(throws: HostError(.extensionDisabled, "The extension Faulty is switched off.")) {
            try await supervisor.perform(.startDeviceDiscovery, on: identifier)
        }
        let all = await supervisor.catalog
        await supervisor.update(ExtensionCatalog(manifests: all.manifests.filter { $0.identifier == other.id }))
        await supervisor.update(all)
        #expect(await supervisor.statuses().first { $0.id == identifier }?.state == .disabled)
        #expect(await supervisor.statuses().first { $0.id == other.id } == other)
        await supervisor.stopAll()
    }

    @Test func theLogHasWhatCrashedProcessesPrintedAndTheHostsRemarks() async throws {
        let clock = ManualClock()
        let supervisor = try FaultyBundle("crash-at-once").supervisor { $0.clock = clock.supervision }
        var events = supervisor.events.makeAsyncIterator()
        await supervisor.acquire(identifier, reason: "lease")
        _ = await events.nextStatus { $0.state == .crashed }
        await clock.advance(by: .seconds(1))
        _ = await events.nextStatus { $0.state == .crashed && $0.generation == 2 }
        let lines = try await supervisor.log(of: identifier, last: 100)
        let words = "Module/File.swift:1: Fatal error: nothing works"
        #expect(lines.filter { $0.text == words && $0.level == "error" && !$0.isFromHost }.map(\.generation) == [1, 2])
        let ends = lines.filter { $0.isFromHost && $0.text.hasPrefix("was killed by signal 6") }
        #expect(ends.map(\.generation) == [1, 2])
        #expect(try await supervisor.log(of: identifier, last: 1).map(\.sequence) == [UInt64(lines.count)])
        await #expect(throws: HostError.self) { try await supervisor.log(of: "org.example.none", last: 1) }
        await supervisor.stopAll()
    }

    @Test func whatAProcessTakesIsReadWhenAskedFor() async throws {
        let (_, supervisor, _) = try await pair()
        let usage = try #require(try await supervisor.usage(of: identifier))
        #expect(usage.residentMemory > 1 << 20 && usage.residentMemory < 1 << 30)
        #expect(usage.proportionalMemory.map { $0 <= usage.residentMemory } ?? true)
        #expect(usage.processorTime >= 0 && usage.runningTime < 60)
        try await supervisor.setEnabled(false, identifier)
        #expect(try await supervisor.usage(of: identifier) == nil)
        await #expect(throws: HostError.self) { try await supervisor.usage(of: "org.example.none") }
        await supervisor.stopAll()
    }

    @Test func theNextTryOfACrashedOneIsToldOnceInTheClockOfAll() async throws {
        let clock = ManualClock()
        let supervisor = try FaultyBundle("exit-at-once").supervisor { $0.clock = clock.supervision }
        var events = supervisor.events.makeAsyncIterator()
        await supervisor.acquire(identifier, reason: "lease")
        let status = try #require(await events.nextStatus { $0.state == .crashed })
        var now = timespec()
        clock_gettime(CLOCK_MONOTONIC, &now)
        let rest = try #require(status.retryAt) - Double(now.tv_sec) - Double(now.tv_nsec) / 1e9
        #expect(rest <= 0.25)
        #expect(await supervisor.statuses().first?.retryAt == status.retryAt)
        await clock.advance(by: .milliseconds(250))
        #expect(await events.nextStatus { $0.state == .starting }?.retryAt == nil)
        await supervisor.stopAll()
    }
}
