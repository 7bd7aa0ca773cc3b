import DBus
import DeviceDiscovery
import Foundation
import HostInterface
import Synchronization

/// The host's Bluetooth, as a test scripts it: its devices, pairing, connections and sound.
final class ScriptedSoundHost: DiscoverySource {
    struct Sound: Sendable {
        let order: BluetoothOrder
        /// The end from which the test reads.
        let reader: Int32
        let answers: AsyncStream<BluetoothAnswer>.Continuation
    }

    private struct State {
        var device: BluetoothDeviceState
        var browser: AsyncStream<BluetoothAnswer>.Continuation?
        var challenge: BluetoothAnswer?
        var refusals: [BluetoothOrder.Verb: [BluetoothAnswer]] = [:]
        var orders: [BluetoothOrder.Verb] = []
        var replies: [BluetoothOrder] = []
    }

    private let state: Mutex<State>
    /// Every sound that was begun.
    let sounds: AsyncStream<Sound>
    private let begun: AsyncStream<Sound>.Continuation

    init(_ device: BluetoothDeviceState) {
        state = Mutex(State(device: device))
        (sounds, begun) = AsyncStream.makeStream()
    }

    /// Answers the next orders of a kind with errors.
    func refuse(_ verb: BluetoothOrder.Verb, _ answers: [BluetoothAnswer]) {
        state.withLock { $0.refusals[verb] = answers }
    }

    /// Asks this question when the device is paired.
    func challenge(_ challenge: BluetoothAnswer) { state.withLock { $0.challenge = challenge } }

    /// Changes the device, and tells whoever follows it.
    func change(_ body: (inout BluetoothDeviceState) -> Void) {
        state.withLock {
            body(&$0.device)
            $0.browser?.yield(.device($0.device))
        }
    }

    var device: BluetoothDeviceState { state.withLock { $0.device } }
    var orders: [BluetoothOrder.Verb] { state.withLock { $0.orders } }
    /// The messages that followed an order, with its number.
    var replies: [BluetoothOrder] { state.withLock { $0.replies } }

    func next() async -> Sound? {
        for await sound in sounds { return sound }
        return nil
    }

    func browse(_ request: BrowseRequest) -> AsyncStream<BrowseEvent> { AsyncStream { $0.finish() } }

    func order(_ order: BluetoothOrder) -> BluetoothExchange {
        let (answers, sink) = AsyncStream.makeStream(of: BluetoothAnswer.self)
        let refusal = state.withLock { state -> BluetoothAnswer? in
            state.orders.append(order.verb)
            guard let first = state.refusals[order.verb]?.first else { return nil }
            state.refusals[order.verb]?.removeFirst()
            return first
        }
        if let refusal {
            sink.yield(refusal)
            sink.finish()
        } else {
            carryOut(order, sink)
        }
        return BluetoothExchange(answers: answers) { reply in
            self.state.withLock { $0.replies.append(reply) }
            if reply.verb == .reply { self.paired(reply.isAccepted == true, sink) }
        }
    }

    private func carryOut(_ order: BluetoothOrder, _ sink: AsyncStream<BluetoothAnswer>.Continuation) {
        switch order.verb {
        case .browse:
            state.withLock {
                $0.browser = sink
                sink.yield(.device($0.device))
            }
        case .pair:
            if let challenge = state.withLock(\.challenge) { sink.yield(challenge) } else { paired(true, sink) }
        case .connect, .disconnect:
            change { $0.isConnected = order.verb == .connect }
            sink.yield(BluetoothAnswer(.done))
            sink.finish()
        case .setVolume:
            change { $0.volume = order.volume }
            sink.yield(BluetoothAnswer(.done))
            sink.finish()
        case .play:
            var ends: [Int32] = [-1, -1]
            precondition(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0)
            sink.yield(.sound(DBusDescriptor(received: ends[0])))
            begun.yield(Sound(order: order, reader: ends[1], answers: sink))
        case .setMuted, .reply, .cancel, .pause, .resume, .describe: sink.finish()
        }
    }

    private func paired(_ isAccepted: Bool, _ sink: AsyncStream<BluetoothAnswer>.Continuation) {
        if isAccepted {
            change { $0.isPaired = true }
            sink.yield(.device(device))
            sink.yield(BluetoothAnswer(.done))
        } else {
            sink.yield(.failed("authentication-cancelled", "Pairing was cancelled."))
        }
        sink.finish()
    }
}
