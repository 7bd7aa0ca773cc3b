package import BlueZ
package import HostCore
package import HostInterface
package import Logging

/// The daemon's Bluetooth: bluetoothd, shared by all extensions.
package final class HostBluetooth: BluetoothPort {
    private let client: BlueZClient
    private let sound: any BluetoothSoundPort
    private let clock: any Clock<Duration>
    private let logger: Logger

    /// The duration of a scan, which disturbs audio on the adapter, and the pause after it.
    private static let search = Duration.seconds(30)
    private static let pause = Duration.seconds(30)

    package init(
        client: BlueZClient, sound: any BluetoothSoundPort, clock: any Clock<Duration> = ContinuousClock(),
        logger: Logger
    ) {
        self.client = client
        self.sound = sound
        self.clock = clock
        self.logger = logger
    }

    package func begin(_ order: BluetoothOrder) async -> BluetoothConversation {
        switch order.verb {
        case .browse: return BluetoothConversation(answers: browse())
        case .pair:
            let questions = PairingQuestions()
            let answers = answers(for: order) { [client] device, sink throws(BlueZError) in
                try await Self.pair(device, by: client, questions, sink)
            }
            return BluetoothConversation(answers: answers) { questions.answer($0) }
        case .connect:
            return BluetoothConversation(
                answers: answers(for: order) { [client] device, _ throws(BlueZError) in try await client.connect(device)
                })
        case .disconnect:
            return BluetoothConversation(
                answers: answers(for: order) { [client] device, _ throws(BlueZError) in
                    do throws(BlueZError) {
                        try await client.disconnect(device)
                    } catch {
                        guard error.code == .notConnected else { throw error }
                    }
                })
        case .setVolume:
            let volume = Int(((order.volume ?? 0) * 127).rounded())
            return BluetoothConversation(
                answers: answers(for: order) { [client] device, _ throws(BlueZError) in
                    let transport = await client.current().tree.transports(of: device).first { $0.volume != nil }
                    guard let transport else {
                        throw BlueZError(.notSupported, "The device keeps its level for itself.")
                    }
                    try await client.setVolume(volume, transport.id)
                })
        case .setMuted:
            let failure = BluetoothAnswer(BlueZError(.notSupported, "Bluetooth has no mute."), .failed)
            return BluetoothConversation(
                answers: AsyncStream {
                    $0.yield(failure)
                    $0.finish()
                })
        case .play:
            return BluetoothPlayback(client: client, sound: sound, logger: logger).conversation(order)
        case .reply, .cancel, .pause, .resume, .describe:
            return BluetoothConversation(answers: AsyncStream { $0.finish() })
        }
    }

    package func forget(_ address: String) async throws(HostError) {
        do throws(BlueZError) {
            try await client.forget(address: address)
        } catch {
            throw HostError(.storageFailed, "Bluetooth does not forget the device: \(error.sentence)")
        }
    }

    // MARK: Carrying out

    private func browse() -> AsyncStream<BluetoothAnswer> {
        AsyncStream { [client, clock] sink in
            let search = Task {
                while !Task.isCancelled {
                    let scan = await client.scan(BlueZScanFilter())
                    try? await clock.sleep(for: Self.search)
                    scan.end()
                    try? await clock.sleep(for: Self.pause)
                }
            }
            let task = Task {
                var states = DeviceStates()
                for await update in await client.updates() {
                    for answer in states.apply(update) { sink.yield(answer) }
                }
            }
            sink.onTermination = { _ in
                search.cancel()
                task.cancel()
            }
        }
    }

    private func answers(
        for order: BluetoothOrder,
        _ body:
            @escaping @Sendable (BlueZIdentifier, AsyncStream<BluetoothAnswer>.Continuation) async throws(BlueZError) ->
            Void
    ) -> AsyncStream<BluetoothAnswer> {
        AsyncStream { [client, logger] sink in
            let task = Task {
                do throws(BlueZError) {
                    if let obstacle = DeviceStates.obstacle(await client.current()) { throw obstacle }
                    try await body(BlueZIdentifier(rawValue: order.device ?? ""), sink)
                    sink.yield(BluetoothAnswer(.done))
                } catch {
                    logger.info("\(order.verb.rawValue) failed: \(error.code.rawValue): \(error.message)")
                    sink.yield(BluetoothAnswer(error, .failed))
                }
                sink.finish()
            }
            sink.onTermination = { _ in task.cancel() }
        }
    }

    private static func pair(
        _ device: BlueZIdentifier, by client: BlueZClient, _ questions: PairingQuestions,
        _ sink: AsyncStream<BluetoothAnswer>.Continuation
    ) async throws(BlueZError) {
        var isNew = true
        do throws(BlueZError) {
            try await client.pair(device) { await questions.ask($0, sink) }
        } catch {
            guard error.code == .alreadyPaired else { throw error }
            isNew = false
        }
        do throws(BlueZError) {
            // A device that a person paired may reconnect by itself.
            try await client.setTrusted(true, device)
        } catch {
            if isNew { try await client.unpair(device) }
            throw error
        }
        let tree = await client.current().tree
        if let paired = tree.device(device) { sink.yield(.device(BluetoothDeviceState(paired, in: tree))) }
    }
}
