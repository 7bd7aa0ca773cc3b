import HostInterface
import Synchronization
import Testing

@testable import DeviceDiscovery

/// Pairing as an extension sees it, with a scripted host.
@Suite(.timeLimit(.minutes(1))) struct BluetoothAudioTests {
    private final class ScriptedHost: DiscoverySource {
        let orders = Mutex<[BluetoothOrder]>([])
        private let script: @Sendable (BluetoothOrder, AsyncStream<BluetoothAnswer>.Continuation) -> Void
        private let sinks = Mutex<[AsyncStream<BluetoothAnswer>.Continuation]>([])

        init(_ script: @escaping @Sendable (BluetoothOrder, AsyncStream<BluetoothAnswer>.Continuation) -> Void) {
            self.script = script
        }

        func browse(_ request: BrowseRequest) -> AsyncStream<BrowseEvent> { AsyncStream { $0.finish() } }

        func order(_ order: BluetoothOrder) -> BluetoothExchange {
            let (answers, sink) = AsyncStream.makeStream(of: BluetoothAnswer.self)
            sinks.withLock { $0.append(sink) }
            take(order, sink)
            return BluetoothExchange(answers: answers) { self.take($0, sink) }
        }

        private func take(_ order: BluetoothOrder, _ sink: AsyncStream<BluetoothAnswer>.Continuation) {
            orders.withLock { $0.append(order) }
            script(order, sink)
        }
    }

    private func connected<Value>(
        to host: ScriptedHost, _ body: () async throws -> Value
    ) async rethrows -> Value {
        let slot = DiscoverySourceSlot()
        slot.install(host)
        return try await DiscoverySources.$shared.withValue(slot, operation: body)
    }

    @Test func aQuestionGoesToThePersonAndTheAnswerToTheDevice() async throws {
        let host = ScriptedHost { order, sink in
            switch order.verb {
            case .pair:
                var question = BluetoothAnswer(.challenge)
                question.challenge = .comparison
                question.number = "000042"
                sink.yield(question)
            default:
                sink.yield(.device(BluetoothDeviceState(id: "speaker", address: "00:11", name: "K", kind: "speaker")))
                sink.yield(BluetoothAnswer(.done))
            }
        }
        let paired = try await connected(to: host) {
            try await BluetoothAudio.pair("speaker") { $0 == .comparison("000042") ? .accept : .refuse }
        }
        #expect(paired?.address == "00:11")
        #expect(
            host.orders.withLock { $0 }
                == [BluetoothOrder(.pair, device: "speaker"), BluetoothOrder(.reply, isAccepted: true)])
    }

    @Test func aFailureHasItsCodeAndItsRemedy() async throws {
        let host = ScriptedHost { _, sink in sink.yield(.failed("not-powered", "It is off.", remedy: "Switch it on.")) }
        let error = await #expect(throws: BluetoothAudioError.self) {
            try await connected(to: host) { try await BluetoothAudio.connect("speaker") }
        }
        #expect(error == BluetoothAudioError(code: "not-powered", message: "It is off.", remedy: "Switch it on."))
    }

    @Test func devicesComeAndGo() async throws {
        let host = ScriptedHost { _, sink in
            sink.yield(BluetoothAnswer(.ready))
            sink.yield(.device(BluetoothDeviceState(id: "1", address: "00:11", name: "Kitchen", kind: "speaker")))
            sink.yield(.lost("1"))
            sink.finish()
        }
        var story: [String] = []
        await connected(to: host) {
            for await event in BluetoothAudio.devices() {
                switch event {
                case .ready: story.append("ready")
                case .found(let device): story.append(device.name)
                case .lost(let id): story.append("lost \(id)")
                case .waiting(let error): story.append(error.code)
                }
            }
        }
        #expect(story == ["ready", "Kitchen", "lost 1"])
    }
}
