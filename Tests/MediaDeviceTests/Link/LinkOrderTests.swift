import DBus
import ExtensionProgram
import Foundation
import HostInterface
import MediaDevice
import Testing

@MainActor
@Suite("Order and end of the link", .timeLimit(.minutes(1)))
struct LinkOrderTests {
    @Test("a thousand requests reach the author in the order of the wire")
    func requests() async throws {
        let link = try await LinkedExtension.greeted()
        link.manager.foundDevice(.sample())
        let id = DBusValue.string(MediaOutputDevice.sampleID.uuidString)
        for number in 0..<1000 {
            if number.isMultiple(of: 3) {
                try await link.host.send("StartDeviceDiscovery")
            } else {
                try await link.host.send("SetVolume", [id, .double(Double(number) / 1024)])
            }
        }
        // Answered after all before it.
        try await link.host.call("StopDeviceDiscovery")
        let expected = (0..<1000).map { number -> SampleExtension.Request in
            number.isMultiple(of: 3)
                ? .startDeviceDiscovery : .setVolume(Float(number) / 1024, MediaOutputDevice.sampleID)
        }
        #expect(link.extension.requests == expected + [.stopDeviceDiscovery])
    }

    @Test("a thousand reports reach the host in the order they were made")
    func reports() async throws {
        let link = try await LinkedExtension.greeted()
        try await link.activate()
        let session = try #require(link.extension.sessions.first)
        for number in 0..<1000 {
            link.manager.receiveData(Data("\(number)".utf8), fromApplication: "app", session: session)
        }
        for number in 0..<1000 {
            #expect(try await link.next().arguments[0] == .bytes(Array("\(number)".utf8)))
        }
    }

    @Test("requests and reports interleave: every report is caused by the request before it")
    func pingPong() async throws {
        let link = try await LinkedExtension.greeted()
        link.extension.onRequest = { [link] _ in link.manager.lostDevice(.sample()) }
        for _ in 0..<200 {
            try await link.host.call("StartDeviceDiscovery")
            #expect(try await link.next().member == "LostDevice")
        }
        #expect(link.extension.requests.count == 200)
        link.extension.onRequest = { _ in }
    }

    @Test("the runtime ends with the link, and later reports are no error")
    func closed() async throws {
        let link = try await LinkedExtension.greeted()
        try await link.activate()
        await link.host.connection.close()
        try await link.ended()
        link.manager.foundDevice(.sample())
        link.manager.volumeChanged(for: .sample())
        await nextTurns()
        #expect(link.extension.volumeReadings == 0)
    }

    @Test("a link that closes while a request is being served is no error")
    func closedInside() async throws {
        let link = try await LinkedExtension.greeted()
        let connection = link.connection
        let closing = AsyncStream.makeStream(of: Void.self)
        link.extension.onRequest = { _ in
            Task {
                await connection.close()
                closing.continuation.finish()
            }
        }
        await #expect(throws: DBusError.self) {
            // The first is answered or cut off; the second can't be answered.
            try await link.host.call("StartDeviceDiscovery")
            for await _ in closing.stream {}
            try await link.host.call("StopDeviceDiscovery")
        }
        try await link.ended()
        link.extension.onRequest = { _ in }
    }

    @Test("a host that speaks another version, or nonsense, is refused")
    func welcome() async throws {
        var newer = HostEnd.welcome
        newer["linkVersion"] = .variant(.int64(2))
        let link = try await LinkedExtension(welcome: newer)
        await #expect(throws: LinkGreetingError.unknownLinkVersion(2)) { try await link.ended() }
        let nonsense = try await LinkedExtension(welcome: ["linkVersion": .variant(.string("one"))])
        let error = await #expect(throws: LinkGreetingError.self) { try await nonsense.ended() }
        if case .noWelcome(let reason)? = error {
            #expect(reason.contains("linkVersion"))
        } else {
            #expect(Bool(false))
        }
    }

    @Test("a host that closes before its welcome ends the runtime with an error")
    func closedBeforeWelcome() async throws {
        var ends: [Int32] = [-1, -1]
        #expect(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
        let connection = DBusConnection(loop: DBusLoop(label: "test.alone"))
        try await connection.openPeer(fileDescriptor: ends[1], role: .client)
        close(ends[0])
        await #expect(throws: DBusError.self) {
            try await ExtensionRuntime(connection: connection).run { SampleExtension() }
        }
    }
}
