import HostInterface
import Synchronization

@testable import HostCore

/// Streams of programs on a sound card, under a test's control.
final class ScriptedStreams: ProgramStreamPort {
    let changes: AsyncStream<Void>
    private let change: AsyncStream<Void>.Continuation
    let sinks: ScriptedSoundServer
    private let state = Mutex<(streams: [ProgramStream], isFollowed: Bool)>(([], false))

    init(_ sinks: ScriptedSoundServer = ScriptedSoundServer()) {
        self.sinks = sinks
        (changes, change) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        sinks.changed.withLock { [change] in $0 = { change.yield() } }
    }

    var isFollowed: Bool { state.withLock { $0.isFollowed } }
    func play(_ stream: UInt32, _ process: Int32, to output: String = "card") {
        state.withLock { $0.streams.append(ProgramStream(id: stream, output: output, processID: process)) }
        change.yield()
    }
    func output(of stream: UInt32) -> String {
        state.withLock { state in state.streams.first { $0.id == stream }?.output ?? "" }
    }

    func follow(_ isFollowed: Bool) async {
        let isNew = state.withLock { state in
            defer { state.isFollowed = isFollowed }
            return isFollowed != state.isFollowed
        }
        if isNew { change.yield() }
    }
    func streams() async -> ProgramStreams? {
        let shown = Set(sinks.shown.keys.map(sinks.outputName))
        return state.withLock { state in
            guard state.isFollowed else { return nil }
            return ProgramStreams(
                server: 1, streams: state.streams, outputs: shown.union(["card", "hdmi"]), defaultOutput: "card")
        }
    }
    func move(_ stream: UInt32, to output: String) async throws(HostError) {
        state.withLock { state in
            for index in state.streams.indices where state.streams[index].id == stream {
                state.streams[index].output = output
            }
        }
        change.yield()
    }
}
