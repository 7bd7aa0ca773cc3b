package import BlueZ
import HostCore
package import HostInterface

/// The radio that the central managers of all extensions share: one connection to bluetoothd, one scan with a common
/// filter, and a connection to each device as long as one of them needs it.
package struct SharedBluetooth: CentralProvider {
    private let client: BlueZClient
    private let connections = ConnectionLedger()

    package init(_ client: BlueZClient) { self.client = client }

    package func open(_ requests: AsyncStream<CentralRequest>) async -> AsyncStream<CentralEvent> {
        let (events, feed) = AsyncStream.makeStream(of: CentralEvent.self)
        let session = CentralSession(client, connections) { feed.yield($0) }
        let serving = Task { [client] in
            let following = Task {
                for await update in await client.updates() { await session.take(update) }
            }
            await withTaskCancellationHandler {
                for await request in requests { await session.perform(request) }
            } onCancel: {
                following.cancel()
            }
            following.cancel()
            await session.end()
            feed.finish()
        }
        feed.onTermination = { _ in serving.cancel() }
        return events
    }
}
