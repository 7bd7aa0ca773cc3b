import Foundation
import HostInterface
import LinkProtocol
import Synchronization

@testable import HostCore

/// The outside world of a host under test: it records the host's requests, and answers as the test's script says.
final class ScriptedRunner: ExtensionRunner {
    struct Record: Sendable {
        var calls: [ExtensionCall] = []
        var acquired: [String: Int] = [:]
        var acquisitions: [String: Int] = [:]
        var volume: (level: Double, isMuted: Bool) = (0.5, false)
        /// The volumes of devices that have one of their own.
        var volumes: [String: (level: Double, isMuted: Bool)] = [:]
        var failure: HostError?
        var status: ExtensionStatus
        var generation = 1

        mutating func obey(_ call: ExtensionCall) {
            switch call {
            case .setVolume(let device, let level): volumes[device]?.level = level
            case .muteDevice(let device): volumes[device]?.isMuted.toggle()
            default: break
            }
        }
    }

    let identifier: String
    var events: Batches<SupervisedEvent> { sink.elements }
    private let sink = Mailbox<SupervisedEvent>()
    private let record: Mutex<Record>
    private let script: @Sendable (ExtensionCall) -> [ExtensionMessage]
    private let starts: Bool
    private let acquiring: @Sendable () async -> Void
    private let performing: @Sendable (ExtensionCall) async -> Void

    /// - Parameters:
    ///   - protocolName: The name of its protocol; another name is another protocol.
    ///   - starts: A Boolean value that indicates whether the process connects when it is needed.
    ///   - announces: The service types that its manifest declares for announcing.
    ///   - browses: The service types that its manifest declares for browsing.
    ///   - acquiring: Runs whenever the extension is acquired.
    ///   - performing: Runs before a call is answered.
    ///   - script: The extension's answers to a call.
    init(
        identifier: String = "org.example.test", protocolName: String = "Test", starts: Bool = true,
        announces: [String] = [], browses: [String] = [],
        supportsSimultaneousSessions: Bool? = nil, handlesRealtimeSamples: Bool? = nil,
        acquiring: @escaping @Sendable () async -> Void = {},
        performing: @escaping @Sendable (ExtensionCall) async -> Void = { _ in },
        script: @escaping @Sendable (ExtensionCall) -> [ExtensionMessage]
    ) {
        self.identifier = identifier
        self.starts = starts
        self.acquiring = acquiring
        self.performing = performing
        self.script = script
        var status = ExtensionStatus(
            id: identifier, name: protocolName, protocolIdentifier: "org.example.protocol.\(protocolName)",
            protocolName: protocolName, path: "/nowhere", state: .idle)
        status.announcedServices = announces
        status.bonjourServices = browses
        status.supportsSimultaneousSessions = supportsSimultaneousSessions
        status.handlesRealtimeSamples = handlesRealtimeSamples
        record = Mutex(Record(status: status))
    }

    func statuses() async -> [ExtensionStatus] { [record.withLock { $0.status }] }

    func acquire(_ identifier: String, reason: String) async {
        await acquiring()
        let isFirst = record.withLock { record in
            record.acquired[reason, default: 0] += 1
            record.acquisitions[identifier, default: 0] += 1
            return record.acquired.values.reduce(0, +) == 1
        }
        if isFirst, starts { emit(.started) }
    }

    func release(_ identifier: String, reason: String) async {
        record.withLock { record in
            guard let count = record.acquired[reason] else { return }
            record.acquisitions[identifier] = record.acquisitions[identifier].flatMap { $0 > 1 ? $0 - 1 : nil }
            record.acquired[reason] = count > 1 ? count - 1 : nil
        }
    }

    func perform(_ call: ExtensionCall, on identifier: String) async throws {
        let failure = record.withLock { record in
            record.calls.append(call)
            if record.failure == nil { record.obey(call) }
            return record.failure
        }
        if let failure { throw failure }
        await performing(call)
        for message in script(call) { emit(.message(message)) }
    }

    func volume(of device: String, on identifier: String) async throws -> (level: Double, isMuted: Bool) {
        record.withLock { $0.volumes[device] ?? $0.volume }
    }

    func setEnabled(_ isEnabled: Bool, _ identifier: String) async throws {
        try changeStatus { $0.state = isEnabled ? .idle : .disabled }
    }

    func reload(_ identifier: String) async throws { try changeStatus { $0.generation += 1 } }
    func mark(_ ticket: Int) async { emit(.marked(ticket)) }

    func usage(of identifier: String) async throws -> ProcessUsage? { nil }
    func log(of identifier: String, last count: Int) async throws -> [ExtensionLogLine] { [] }
    func log(of identifier: String, after sequence: UInt64, count: Int) async -> ExtensionLogBatch {
        ExtensionLogBatch(lines: [], skipped: 0)
    }
    func logNews(of identifier: String) async throws -> AsyncStream<Void> { AsyncStream { $0.finish() } }

    private func changeStatus(_ change: (inout ExtensionStatus) -> Void) throws {
        if let failure = record.withLock({ $0.failure }) { throw failure }
        emit(
            .status(
                record.withLock { record in
                    change(&record.status)
                    return record.status
                }))
    }

    func stopAll() async { sink.finish() }

    /// - Parameter generation: The generation of the process; `nil` for the running one.
    func emit(_ event: ExtensionEvent, generation: Int? = nil) {
        let generation = generation ?? record.withLock(\.generation)
        sink.yield(SupervisedEvent(identifier: identifier, generation: generation, event: event))
    }

    /// The process dies: calls fail until ``restart()``.
    func crash(_ error: HostError = HostError(.extensionCrashed, "It died.")) {
        record.withLock { $0.failure = error }
        emit(.crashed(error))
    }

    /// The next process says hello.
    func restart() {
        record.withLock { record in
            record.failure = nil
            record.generation += 1
        }
        emit(.started)
    }

    /// Reports that it crashed too often and isn't restarted automatically.
    func quarantine() async {
        record.withLock { $0.status.state = .quarantined }
        for status in await statuses() { emit(.status(status)) }
    }

    /// Makes all further requests fail; `nil` ends that.
    func fail(_ error: HostError?) { record.withLock { $0.failure = error } }

    func setVolume(_ volume: (level: Double, isMuted: Bool)) { record.withLock { $0.volume = volume } }
    func setVolume(_ volume: (level: Double, isMuted: Bool), device: String) {
        record.withLock { $0.volumes[device] = volume }
    }

    var calls: [ExtensionCall] { record.withLock { $0.calls } }
    /// The number of current acquisitions of each extension.
    var acquisitions: [String: Int] { record.withLock { $0.acquisitions } }
    /// Reasons that keep the process alive now.
    var reasons: Set<String> { Set(record.withLock { $0.acquired.keys }) }
}

/// Several extensions, each by its own script.
final class ScriptedRunners: ExtensionRunner {
    var events: Batches<SupervisedEvent> { sink.elements }
    private let sink = Mailbox<SupervisedEvent>()
    private let all: [ScriptedRunner]

    init(_ all: [ScriptedRunner]) {
        self.all = all
        Task { [sink] in
            await withDiscardingTaskGroup { group in
                for one in all { group.addTask { for await event in one.events { sink.yield(event) } } }
            }
            sink.finish()
        }
    }

    private subscript(identifier: String) -> ScriptedRunner { all.first { $0.identifier == identifier } ?? all[0] }

    func statuses() async -> [ExtensionStatus] {
        var statuses: [ExtensionStatus] = []
        for one in all { statuses += await one.statuses() }
        return statuses
    }
    func acquire(_ identifier: String, reason: String) async {
        await self[identifier].acquire(identifier, reason: reason)
    }
    func release(_ identifier: String, reason: String) async {
        await self[identifier].release(identifier, reason: reason)
    }
    func perform(_ call: ExtensionCall, on identifier: String) async throws {
        try await self[identifier].perform(call, on: identifier)
    }
    func setEnabled(_ isEnabled: Bool, _ identifier: String) async throws {
        try await self[identifier].setEnabled(isEnabled, identifier)
    }
    func reload(_ identifier: String) async throws { try await self[identifier].reload(identifier) }
    func mark(_ ticket: Int) async { await all[0].mark(ticket) }
    func usage(of identifier: String) async throws -> ProcessUsage? { nil }
    func log(of identifier: String, last count: Int) async throws -> [ExtensionLogLine] { [] }
    func log(of identifier: String, after sequence: UInt64, count: Int) async -> ExtensionLogBatch {
        ExtensionLogBatch(lines: [], skipped: 0)
    }
    func logNews(of identifier: String) async throws -> AsyncStream<Void> { AsyncStream { $0.finish() } }
    func volume(of device: String, on identifier: String) async throws -> (level: Double, isMuted: Bool) {
        try await self[identifier].volume(of: device, on: identifier)
    }
    func stopAll() async { for one in all { await one.stopAll() } }
}
