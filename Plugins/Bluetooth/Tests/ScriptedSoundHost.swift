import DBus
import DeviceDiscovery
import Foundation
import HostInterface
import Synchronization

/// The host's side of sound for a device: what was asked, and the other ends of what was given.
final class ScriptedSoundHost: DiscoverySource {
    struct Sound: Sendable {
        let order: BluetoothOrder
        /// Read from; the test's.
        let reader: Int32
        let answers: AsyncStream<BluetoothAnswer>.Continuation
    }

    private struct State {
        var refusals: [BluetoothAnswer] = []
        var replies: [BluetoothOrder.Verb] = []
    }

    private let state = Mutex(State())
    /// Every sound that was begun.
    let sounds: AsyncStream<Sound>
    private let begun: AsyncStream<Sound>.Continuation

    init() { (sounds, begun) = AsyncStream.makeStream() }

    /// What the next attempts are answered with.
    func refuse(_ answers: [BluetoothAnswer]) { state.withLock { $0.refusals = answers } }

    var replies: [BluetoothOrder.Verb] { state.withLock { $0.replies } }

    func next() async -> Sound? {
        for await sound in sounds { return sound }
        return nil
    }

    func browse(_ request: BrowseRequest) -> AsyncStream<BrowseEvent> { AsyncStream { $0.finish() } }

    func order(_ order: BluetoothOrder) -> BluetoothExchange {
        let (answers, sink) = AsyncStream.makeStream(of: BluetoothAnswer.self)
        let refusal = state.withLock { $0.refusals.isEmpty ? nil : $0.refusals.removeFirst() }
        if let refusal {
            sink.yield(refusal)
            sink.finish()
        } else {
            var ends: [Int32] = [-1, -1]
            precondition(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0)
            sink.yield(.sound(DBusDescriptor(received: ends[0])))
            begun.yield(Sound(order: order, reader: ends[1], answers: sink))
        }
        return BluetoothExchange(answers: answers) { reply in self.state.withLock { $0.replies.append(reply.verb) } }
    }
}
