import DBus
import DataChannels
import Foundation
import Glibc
import ScriptedChannel
import Testing

@Suite(.timeLimit(.minutes(1)))
struct DataSocketTests {
    @Test func framesArriveInOrderHoweverSlowTheReaderIs() async throws {
        let (near, far) = try #require(DataSocket.pair())
        let sender = DataSocket(near, longestUnsent: .max)
        // Far more than the socket holds; nobody reads yet.
        let messages = (0..<40).map { Data(repeating: UInt8($0), count: 100_000) }
        for message in messages { #expect(sender.send(.message(message))) }
        let received = try ScriptedChannel(far)
        var frames = received.frames.makeAsyncIterator()
        for message in messages { #expect(await frames.next() == .message(message)) }
        sender.send(.accepted)
        #expect(await frames.next() == .accepted)
        sender.close()
        #expect(await frames.next() == nil)
        #expect(!sender.send(.accepted))
    }

    @Test func anEndThatDoesNotReadLosesTheChannel() throws {
        let (near, far) = try #require(DataSocket.pair())
        let sender = DataSocket(near, longestUnsent: 1 << 20)
        var sent = 0
        while sent < 100, sender.send(.message(Data(count: 100_000))) { sent += 1 }
        // The limit, and what the socket itself holds.
        #expect((10...20).contains(sent) && sender.isClosed)
        withExtendedLifetime(far) {}
    }

    @Test func theEndOfOneSideIsTheEndOfBoth() async throws {
        let (near, far) = try #require(DataSocket.pair())
        let (first, second) = (try ScriptedChannel(near), try ScriptedChannel(far))
        first.socket.close()
        var frames = second.frames.makeAsyncIterator()
        #expect(await frames.next() == nil)
        #expect(second.socket.isClosed && !second.socket.send(.accepted))
        frames = first.frames.makeAsyncIterator()
        #expect(await frames.next() == nil)
    }

    @Test func whatIsNoFrameEndsTheChannelWithItsReason() async throws {
        let (near, far) = try #require(DataSocket.pair())
        let (first, second) = (try ScriptedChannel(near), far)
        let bytes: [UInt8] = Array("GET / HTTP/1.1\r\n".utf8)
        #expect(Glibc.send(second.number, bytes, bytes.count, 0) == bytes.count)
        var failures = first.failures.makeAsyncIterator()
        let failure = await failures.next()
        #expect(failure??.reason.hasPrefix("it has ") == true)
        #expect(first.socket.isClosed)
    }
}
