import DBus
import Glibc
import HostCore
import HostInterface
import PacketSockets
import Synchronization
import Testing

@testable import HostSamples

@Suite(.timeLimit(.minutes(1)))
struct ScreenDeliveryTests {
    /// A running delivery, and the ends of the program that captures the screen.
    private struct Running {
        let delivery: any SampleDelivery
        let video: DBusDescriptor
        let sound: DBusDescriptor
        let ends: AsyncStream<Void>

        init() throws {
            let (video, sending) = try #require(try DeliveredVideo.pair(width: 640, height: 360, rate: 30))
            let (samples, sendingSound) = try #require(DeliveredSamples.pair(try SampleFormat(encoding: "s16le")))
            (self.video, sound) = (sending, sendingSound)
            let (ends, feed) = AsyncStream.makeStream(of: Void.self)
            self.ends = ends
            delivery = try SocketDeliveries().begin(
                OpenScreen(video, sound: samples.socket, try samples.format)
            ) { feed.yield() }
        }

        func receive() throws -> [UInt8]? {
            var buffer = [UInt8](repeating: 0, count: 64)
            let socket = try #require(try delivery.connect().video).socket
            return PacketSocket.receive(on: socket.number, into: &buffer).map(Array.init)
        }
    }

    /// Also by the process that replaces the first one.
    @Test func eachProcessReadsOn() throws {
        let running = try Running()
        for byte in [UInt8(1), 2] {
            #expect(PacketSocket.send([byte], on: running.video.number))
            #expect(try running.receive() == [byte])
        }
        let delivered = try running.delivery.connect()
        #expect(delivered.video?.width == 640 && delivered.rate == 44_100)
        running.delivery.end()
    }

    @Test func theEndOfTheCaptureIsTold() async throws {
        let running = try Running()
        shutdown(running.video.number, Int32(SHUT_RDWR))
        var ends = running.ends.makeAsyncIterator()
        #expect(await ends.next() != nil)
    }

    @Test func theExtensionEndsIt() async throws {
        let running = try Running()
        shutdown(try #require(try running.delivery.connect().video).socket.number, Int32(SHUT_RDWR))
        var ends = running.ends.makeAsyncIterator()
        #expect(await ends.next() != nil)
    }

    /// The program that captures learns of it on both sockets, although an extension has copies of them.
    @Test func endingItEndsTheCapture() throws {
        let running = try Running()
        let copies = try running.delivery.connect()
        running.delivery.end()
        for socket in [running.video, running.sound] {
            #expect(!PacketSocket.send([1], on: socket.number) && errno == EPIPE)
        }
        withExtendedLifetime(copies) {}
    }
}
