import DBus
import Foundation
import Glibc
import HostInterface
import LinkProtocol
import MediaReading
import PacketSockets
import Synchronization
import Testing

@testable import HostCore

/// Media that extensions have read by a program of the host.
@Suite(.timeLimit(.minutes(1))) struct MediaReadingTests {
    private final class Readers: MediaReaders {
        let requests = Mutex<[ReaderRequest]>([])

        func start(_ request: ReaderRequest, on socket: ReaderSocket, for identifier: String) async {
            requests.withLock { $0.append(request) }
        }
    }

    /// Each session asks for a reader as it starts, with what `socket` returns.
    private static func world(_ readers: Readers, socket: @escaping @Sendable () -> ReaderSocket) -> HostUnderTest {
        let runner = ScriptedRunner { call in
            switch call {
            case .activate(let device, let session, _, _): [.activatedDevice(device: device.id, session: session)]
            case .startSession(let session, _, _, _):
                [
                    .readMedia(session: session, socket: socket()), .readMedia(session: "other", socket: socket()),
                    .started(session: session, application: "", state: PlaybackState()),
                ]
            default: []
            }
        }
        return HostUnderTest(runner, readers: readers)
    }

    private static func packetSocket() -> ReaderSocket {
        guard let (one, other) = PacketSocket.pair() else { return ReaderSocket(DBusDescriptor(sending: -1)) }
        close(other)
        return ReaderSocket(received: one)
    }

    private func play(_ source: PlaybackSource, in world: HostUnderTest) async throws {
        await world.discover(HostUnderTest.device)
        _ = try await world.host.play(
            source, on: HostUnderTest.device.id, application: nil, media: MediaInformation(), prompt: nil)
    }

    private func play(_ address: String, in world: HostUnderTest) async throws {
        try await play(.address(try #require(URL(string: address))), in: world)
    }

    @Test func theMediaOfTheSessionIsReadAndNoOther() async throws {
        let readers = Readers()
        let world = Self.world(readers, socket: Self.packetSocket)
        try await world.host.acceptCertificate(of: "nas.local", true)
        try await play("https://nas.local/a.flac", in: world)
        await world.until { _ in !readers.requests.withLock(\.isEmpty) }
        let requests = readers.requests.withLock { $0 }
        #expect(requests == [ReaderRequest(address: "https://nas.local/a.flac", acceptsAnyCertificate: true)])
        await world.finish()
    }

    @Test func aReaderIsToldThatAStreamCannotBeReadAgain() async throws {
        let readers = Readers()
        let world = Self.world(readers, socket: Self.packetSocket)
        try await play(.stream(OpenStream(descriptor: open("/dev/zero", O_RDONLY))), in: world)
        await world.until { _ in !readers.requests.withLock(\.isEmpty) }
        #expect(readers.requests.withLock { $0.map(\.isReadOnce) } == [true])
        await world.finish()
    }

    /// An extension isn't trusted with what the program gets.
    @Test func anotherDescriptorIsNotPassedOn() async throws {
        let readers = Readers()
        let world = Self.world(readers) { ReaderSocket(received: open("/dev/null", O_RDWR)) }
        try await play("http://nas.local/a.flac", in: world)
        let requests = readers.requests.withLock { $0 }
        #expect(requests == [])
        await world.finish()
    }
}
