import Foundation
import HostInterface
import Synchronization

@testable import HostCore

/// A sound server under a test's control.
final class ScriptedSoundServer: SoundServerPort {
    let events: AsyncStream<SoundServerEvent>
    private let eventsContinuation: AsyncStream<SoundServerEvent>.Continuation
    private let state = Mutex<(sinks: [String: ShownSink], shut: [String], isThere: Bool)>(([:], [], true))
    private let asked = Mutex<[Double?]>([])
    /// The latencies asked for, in order.
    var latencies: [Double?] { asked.withLock { $0 } }
    /// Called after a change of the shown sinks.
    let changed = Mutex<(@Sendable () -> Void)?>(nil)
    /// The latest samples of every sink.
    let handed = Mutex<HandedSamples?>(nil)

    init() { (events, eventsContinuation) = AsyncStream.makeStream() }

    var shown: [String: ShownSink] { state.withLock { $0.sinks } }
    var shut: [String] { state.withLock { $0.shut } }
    func setThere(_ isThere: Bool) { state.withLock { $0.isThere = isThere } }
    func tell(_ event: SoundServerEvent) { eventsContinuation.yield(event) }

    var serverName: String? { state.withLock { $0.isThere ? "Scripted" : nil } }
    func connect() async throws(HostError) {
        if serverName == nil { throw HostError(.noSoundServer, "No sound server answers here.") }
    }
    func outputName(of id: String) -> String { "mdhost." + id }
    func show(_ sink: ShownSink) async {
        state.withLock { $0.sinks[sink.id] = sink }
        changed.withLock { $0 }?()
    }
    func hide(_ id: String) async {
        state.withLock { $0.sinks[id] = nil }
        changed.withLock { $0 }?()
    }
    func open(_ id: String, latency: RequestedLatency?) async throws(HostError) -> OpenStream {
        asked.withLock { $0.append(latency?.seconds) }
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw HostError(.internalFailure, "no pipe") }
        close(ends[1])
        return OpenStream(descriptor: ends[0], samples: try SampleFormat(encoding: "s16le"), latency: latency)
    }
    func handedIn(_ id: String) async -> HandedSamples? { handed.withLock { $0 } }
    func rest() async {}
    func shut(_ id: String) async { state.withLock { $0.shut.append(id) } }
    func close() async { eventsContinuation.finish() }
    private func close(_ descriptor: Int32) { Glibc.close(descriptor) }
}

final class MemorySinks: SoundSinkStore {
    let records = Mutex<[SoundSinkRecord]>([])
    let following = Mutex(SinkFollowing())

    func soundSinks() async throws -> [SoundSinkRecord] { records.withLock { $0 } }
    func keep(_ sink: SoundSinkRecord) async throws {
        records.withLock { records in
            if let index = records.firstIndex(where: { $0.id == sink.id }) {
                records[index] = sink
            } else {
                records.append(sink)
            }
        }
    }
    func dropSoundSink(id: String) async throws { records.withLock { $0.removeAll { $0.id == id } } }
    func sinkFollowing() async throws -> SinkFollowing { following.withLock { $0 } }
    func keep(_ following: SinkFollowing) async throws { self.following.withLock { $0 = following } }
}
