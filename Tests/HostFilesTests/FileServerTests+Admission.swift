import HostCore
import Testing

@testable import HostFiles

/// The devices that may fetch a file.
extension FileServerTests {
    @Test func othersSeeTheSameAsIfThereWereNothing() async throws {
        let file = try await serve("a.mp3", [1, 2, 3])
        let stranger = try RawClient(to: file.url, from: "127.0.0.2")
        await #expect(throws: RawClient.Failure.self) { try await stranger.request("GET", path(file)) }
        let device = try RawClient(to: file.url)
        let almost = file.id.dropLast() + (file.id.hasSuffix("0") ? "1" : "0")
        for path in ["/", "/\(almost)/a.mp3", "/../" + file.id, "//", "*", "/etc/passwd"] {
            let missing = try await device.request("GET", path)
            #expect(missing.status == 404)
            #expect(missing.headers["content-length"] == "0")
        }
        #expect(await !server.wasFetched(file))
        await server.stop()
    }

    @Test func severalAddressesOfTheDeviceMayFetch() async throws {
        let file = try await serve("a.mp3", [1], to: ["127.0.0.3", "127.0.0.2", "::1", "not an address"])
        for source in ["127.0.0.2", "127.0.0.3"] {
            let client = try RawClient(to: file.url, from: source)
            #expect(try await client.request("GET", path(file)).status == 200)
        }
        let other = try RawClient(to: file.url, from: "127.0.0.1")
        await #expect(throws: RawClient.Failure.self) { try await other.request("GET", path(file)) }
        await server.stop()
    }

    /// Strangers take no slot, and a device no more than its share.
    @Test func connectionsOfStrangersAndOfOneDeviceAreBounded() async throws {
        let file = try await serve("a.mp3", [1], to: ["127.0.0.2", "127.0.0.3"])
        let strangers = try (0..<100).map { _ in try RawClient(to: file.url, from: "127.0.0.4") }
        let slow = try (0..<100).map { _ in try RawClient(to: file.url, from: "127.0.0.3") }
        let device = try RawClient(to: file.url, from: "127.0.0.2")
        #expect(try await device.request("GET", path(file)).status == 200)
        var answered = 0
        for client in slow { if (try? await client.request("GET", path(file)))?.status == 200 { answered += 1 } }
        #expect(answered == 16)
        for stranger in strangers {
            await #expect(throws: RawClient.Failure.self) { try await stranger.request("GET", path(file)) }
        }
        await server.stop()
    }

    @Test func aDeviceThatIsAdmittedLaterMayFetchIt() async throws {
        let file = try await serve("a.mp3", [1], to: ["127.0.0.2"])
        let late = try RawClient(to: file.url, from: "127.0.0.3")
        await #expect(throws: RawClient.Failure.self) { try await late.request("GET", path(file)) }
        await server.admit(["127.0.0.3", "not an address"], to: file)
        for source in ["127.0.0.2", "127.0.0.3"] {
            let client = try RawClient(to: file.url, from: source)
            #expect(try await client.request("GET", path(file)).status == 200)
        }
        await server.withdraw(file)
        await server.admit(["127.0.0.4"], to: file)
        await server.stop()
    }
}
