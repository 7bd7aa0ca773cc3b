import HostClient
import HostInterface
import Synchronization

/// The daemon's list of extensions, reported at each change. It reconnects after the daemon exits.
final class ExtensionListSource: Sendable {
    /// The delay before each attempt to reach the daemon again. The last one repeats.
    private static let retryDelays: [Duration] = [.zero] + [0.25, 0.5, 1, 2, 4, 8].map { .seconds($0) }

    private let connect: @Sendable () async throws(HostError) -> HostClient
    private let following = Mutex<Task<Void, Never>?>(nil)

    init(
        connect: @escaping @Sendable () async throws(HostError) -> HostClient = { () async throws(HostError) in
            try await HostClient.connect()
        }
    ) {
        self.connect = connect
    }

    /// Starts to report the list, and returns after the first report. No effect if it has already started.
    func start(_ tell: @escaping @Sendable ([String: ClientExtension]) -> Void) async throws(HostError) {
        guard following.withLock({ $0 == nil }) else { return }
        let client = try await connect()
        let events = try await client.events()
        var list = ExtensionList()
        var iterator = events.makeAsyncIterator()
        while !list.isComplete {
            guard let event = await iterator.next() else {
                throw HostError(.hostUnavailable, "The daemon exited.")
            }
            list.apply(event)
        }
        tell(list.extensions)
        let complete = list
        let task = Task { [connect] in
            await Self.follow(events, complete, tell)
            await client.close()
            await Self.reconnect(connect, tell)
        }
        let isSecond = following.withLock { current in
            guard current == nil else { return true }
            current = task
            return false
        }
        if isSecond { task.cancel() }
    }

    func stop() { following.withLock { $0?.cancel() } }

    private static func follow(
        _ events: AsyncStream<HostEvent>, _ list: ExtensionList, _ tell: ([String: ClientExtension]) -> Void
    ) async {
        var list = list
        for await event in events {
            list.apply(event)
            if list.isComplete { tell(list.extensions) }
        }
    }

    private static func reconnect(
        _ connect: @Sendable () async throws(HostError) -> HostClient, _ tell: ([String: ClientExtension]) -> Void
    ) async {
        var tries = 0
        while !Task.isCancelled {
            let delay = retryDelays[min(tries, retryDelays.count - 1)]
            guard (try? await Task.sleep(for: delay)) != nil else { return }
            tries += 1
            guard let client = try? await connect() else { continue }
            if let events = try? await client.events() {
                tries = 0
                await follow(events, ExtensionList(), tell)
            }
            await client.close()
        }
    }
}

/// The extensions among the daemon's objects.
private struct ExtensionList {
    private(set) var extensions: [String: ClientExtension] = [:]
    private(set) var isComplete = false

    mutating func apply(_ event: HostEvent) {
        switch event {
        case .extension(let status): extensions[status.id] = status
        case .extensionRemoved(let status): extensions[status.id] = nil
        case .ready: isComplete = true
        default: break
        }
    }
}
