import Avahi
import HostDiscovery
import Reachability
import SSDP
import Synchronization

/// Browsers whose events the test makes; the type `invalid` is refused.
final class FakeSources: BonjourBrowsing, SSDPBrowsing {
    private let names = Mutex<[String]>([])
    private let bonjour = AsyncStream<AsyncStream<AvahiEvent>.Continuation>.makeStream()
    private let ssdp = AsyncStream<AsyncStream<SSDPEvent>.Continuation>.makeStream()

    /// Types in the order of the requests.
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

    /// Names that were to be resolved anew.
    let resolvedAgain = Mutex<[String]>([])

    func resolveAgain(name: String, type: String, domain: String) async {
        resolvedAgain.withLock { $0.append(name) }
    }

    func fullCaches() async -> AsyncStream<[AvahiCacheLoad]> { AsyncStream { $0.finish() } }

    func browse(_ target: SSDPTarget) async -> AsyncStream<SSDPEvent> {
        names.withLock { $0.append(target.text) }
        let (stream, continuation) = AsyncStream.makeStream(of: SSDPEvent.self)
        ssdp.continuation.yield(continuation)
        return stream
    }
}

/// All hosts answer at once, or none does.
final class FakeProber: EndpointProbing {
    private let isSilent = Mutex(false)
    let asked = Mutex<[NumericEndpoint]>([])

    func fallSilent() { isSilent.withLock { $0 = true } }

    func ask(_ endpoints: [NumericEndpoint], _ question: ProbeQuestion, within limit: Duration) async -> ProbeAnswer {
        asked.withLock { $0 += endpoints }
        return isSilent.withLock { $0 } ? .silent : .answered([])
    }

    func ask(_ requests: [ProbeRequest], gathering: Duration) -> AsyncStream<[ProbeReply]> { gather(requests) }
}

extension EndpointProbing {
    /// The answers to one request after another, all together.
    func gather(_ requests: [ProbeRequest]) -> AsyncStream<[ProbeReply]> {
        AsyncStream { sink in
            Task {
                var replies: [ProbeReply] = []
                for (index, request) in requests.enumerated() {
                    let answer = await ask(request.endpoints, request.question, within: request.limit)
                    replies.append(ProbeReply(index: index, answer: answer))
                }
                sink.yield(replies)
                sink.finish()
            }
        }
    }
}

extension AsyncStream<AvahiEvent>.Continuation {
    /// The service is there, at 10.0.0.1.
    func appear(_ row: AvahiService) {
        yield(.added(row))
        yield(.resolved(row, AvahiResolution(host: "hosta.local", address: "10.0.0.1", port: 6_600, txt: [:])))
    }
}
