import Avahi
import HostDiscovery
import SSDP
import Synchronization

/// Browsers whose events the test makes; the type `invalid` is refused.
final class FakeSources: BonjourBrowsing, SSDPBrowsing {
    private let names = Mutex<[String]>([])
    private let bonjour = AsyncStream<AsyncStream<AvahiEvent>.Continuation>.makeStream()
    private let ssdp = AsyncStream<AsyncStream<SSDPEvent>.Continuation>.makeStream()

    /// Types in the order they were asked for.
    var started: [String] { names.withLock { $0 } }

    /// The events of the next Bonjour browse that starts.
    func nextBonjour() async -> AsyncStream<AvahiEvent>.Continuation {
        for await continuation in bonjour.stream { return continuation }
        return AsyncStream.makeStream(of: AvahiEvent.self).continuation
    }

    /// The events of the next SSDP browse that starts.
    func nextSSDP() async -> AsyncStream<SSDPEvent>.Continuation {
        for await continuation in ssdp.stream { return continuation }
        return AsyncStream.makeStream(of: SSDPEvent.self).continuation
    }

    func browse(type: String, domain: String?, resolving: Bool) async throws(AvahiError) -> AsyncStream<AvahiEvent> {
        guard type != "invalid" else { throw AvahiError(.invalidServiceType) }
        names.withLock { $0.append(type) }
        let (stream, continuation) = AsyncStream.makeStream(of: AvahiEvent.self)
        bonjour.continuation.yield(continuation)
        return stream
    }

    func browse(_ target: SSDPTarget) async -> AsyncStream<SSDPEvent> {
        names.withLock { $0.append(target.text) }
        let (stream, continuation) = AsyncStream.makeStream(of: SSDPEvent.self)
        ssdp.continuation.yield(continuation)
        return stream
    }
}
