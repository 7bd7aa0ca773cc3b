import Testing

@testable import Avahi

/// Tests that need no daemon.
@Suite(.timeLimit(.minutes(1)))
struct AvahiClientTests {
    @Test(arguments: ["", "mpd", "_mpd", "_mpd._icmp", "_mpd._tcp\u{0}x", "not a type"])
    func invalidTypeIsATypedError(_ type: String) async throws {
        let client = try AvahiClient()
        await #expect(throws: AvahiError(.invalidServiceType)) { try await client.browse(type: type, resolving: false) }
        await client.close()
    }

    @Test func invalidDomainIsATypedError() async throws {
        let client = try AvahiClient()
        await #expect(throws: AvahiError(.invalidDomainName)) {
            try await client.browse(type: "_mpd._tcp", domain: "a..b", resolving: false)
        }
        await client.close()
    }

    @Test func errorsCarryAvahisSentence() {
        #expect(AvahiError(.invalidServiceType).message == "Invalid service type")
        #expect(AvahiError(.timeout).message == "Timeout reached")
        #expect(AvahiError(number: 0).message == "Operation failed")
    }

    @Test func closingEndsStreamsAndLaterBrowsesFail() async throws {
        let client = try AvahiClient()
        let stream = try await client.browse(type: "_mpd._tcp", resolving: true)
        await client.close()
        for await _ in stream {}
        #expect(await client.objectCounts == (0, 0, 0))
        await #expect(throws: AvahiError(.badState)) { try await client.browse(type: "_mpd._tcp", resolving: false) }
    }

    @Test func callsOfManyTasksAllRunOnTheLoop() async throws {
        let client = try AvahiClient()
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<200 {
                group.addTask { for _ in 0..<20 { #expect(await client.objectCounts.browsers == 0) } }
            }
        }
        await client.close()
    }

    @Test func clientsComeAndGoWithoutClosing() async throws {
        for _ in 0..<50 {
            let client = try AvahiClient()
            #expect(await client.objectCounts.resolvers == 0)
        }
    }
}
