import Foundation
import MQTT

/// Messages over the same broker with nothing of ours around them: one publisher, one subscriber, QoS 1.
struct Probe: Sendable {
    let settings: MQTTSettings
    let rate: Double
    let ledger: Ledger

    private static let topic = "probe/1"

    /// Publishes from `begin` until `end`; messages that the broker misses while it is away aren't repeated.
    func run(from begin: Double, until end: Double) async {
        let reader = Task { await read() }
        var connection: MQTTConnection?
        var due = begin
        while due < end {
            try? await Task.sleep(for: .seconds(max(0, due - Clock.seconds)))
            do throws(MQTTError) {
                let open =
                    if let connection { connection } else { try await MQTTConnection.open(named("probe-writer")) }
                connection = open
                let publication = MQTTPublication(topic: Self.topic, payload: Array("\(due)".utf8), expiry: 60)
                Task { try? await open.publish(publication) }
                if await open.end != nil { connection = nil }
            } catch {
                connection = nil
            }
            due += 1 / rate
            // After a pause it doesn't catch up.
            due = max(due, Clock.seconds - 1 / rate)
        }
        reader.cancel()
        await connection?.close()
    }

    private func read() async {
        while !Task.isCancelled {
            do throws(MQTTError) {
                let connection = try await MQTTConnection.open(named("probe-reader"))
                try await connection.subscribe(Self.topic, includesOwn: false)
                for await message in connection.messages {
                    if let due = Double(String(decoding: message.payload, as: UTF8.self)) {
                        ledger.probed(due: due, now: Clock.seconds)
                    }
                }
                await connection.close()
            } catch {
                try? await Task.sleep(for: .milliseconds(100))
            }
        }
    }

    private func named(_ name: String) -> MQTTSettings {
        var settings = settings
        settings.clientIdentifier = name
        return settings
    }
}
