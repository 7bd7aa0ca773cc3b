import HostInterface
import LinkProtocol
import Testing

@testable import HostCore

/// The number of messages in which the services of a browse reach an extension.
@Suite(.timeLimit(.minutes(1)))
struct BrowseBatchTests {
    /// Hands out a thousand services in batches, and then the end of the first round.
    private struct CrowdedDiscovery: DiscoveryProvider {
        static let crowd = 1000
        static let batch = 100

        func browse(_ request: BrowseRequest) async -> AsyncStream<[BrowseEvent]> {
            let events = (1...Self.crowd).map { number in
                BrowseEvent(.found, item: BrowseItem(name: "Room \(number)", type: request.type, domain: "local"))
            }
            return AsyncStream { feed in
                for start in stride(from: 0, to: Self.crowd, by: Self.batch) {
                    feed.yield(Array(events[start..<start + Self.batch]))
                }
                feed.yield([BrowseEvent(.settled)])
            }
        }
        func watch(_ endpoints: [String], isInUse: Bool) async -> AsyncStream<Bool> { AsyncStream { $0.finish() } }
        func confirm(_ endpoints: [String]) async -> Bool? { nil }
        func doubts() async -> AsyncStream<[String]> { AsyncStream { $0.finish() } }
        func search(
            _ address: ManualAddress, for kinds: [DeclaredKind]
        ) async throws(HostError) -> [ManualDevice.Finding] { [] }
        func setManual(_ findings: [ManualDevice.Finding]) async {}
        func limits() async -> AsyncStream<[HostError]> { AsyncStream { $0.finish() } }
    }

    @Test func aBatchIsOneMessageToTheExtension() async {
        let runner = ScriptedRunner(browses: ["_mpd._tcp"]) { _ in [] }
        let world = HostUnderTest(runner, discovery: CrowdedDiscovery())
        await world.host.takeLease("test")
        let request = BrowseRequest(kind: .bonjour, type: "_mpd._tcp", includesTXT: true)
        runner.emit(.message(.browse(browser: 1, request: request)))
        let told = { runner.calls.compactMap { if case .browserEvents(1, let events) = $0 { events } else { nil } } }
        await world.until { _ in told().last?.last?.kind == .settled }
        #expect(told().joined().count { $0.kind == .found } == CrowdedDiscovery.crowd)
        #expect(told().count <= CrowdedDiscovery.crowd / 10)
        await world.finish()
    }
}
