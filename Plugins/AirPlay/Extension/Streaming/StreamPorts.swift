import AirPlayProtocol
import Foundation
import NIOCore
import NIOPosix

/// The UDP ports to which receivers send. The range is fixed, so that a firewall can allow it.
struct StreamPorts: Sendable, Hashable {
    /// Two for each stream: 16 streams at a time.
    static let standard = StreamPorts(range: 6001...6032)

    let range: ClosedRange<Int>

    init(range: ClosedRange<Int>) { self.range = range }

    /// Reads `6001-6032`, as the person sets `MDHOST_UDP_PORTS`; the standard ones for anything else.
    init(text: String?) {
        let numbers = (text ?? "").split(separator: "-").map { Int($0) ?? 0 }
        guard numbers.count == 2, (1024...65_534).contains(numbers[0]), (numbers[0] + 1...65_535).contains(numbers[1])
        else {
            self = .standard
            return
        }
        range = numbers[0]...numbers[1]
    }

    static var ofProcess: StreamPorts { StreamPorts(text: ProcessInfo.processInfo.environment["MDHOST_UDP_PORTS"]) }

    /// Binds to the first free port.
    ///
    /// - Parameters:
    ///   - local: The address; its port is ignored.
    ///   - used: The port after which the search starts; `nil` for the whole range.
    ///   - received: A function that runs on the event loop for each datagram.
    /// - Throws: ``AirPlayError/unreachable(_:)`` if no port is free.
    func bind(
        on eventLoop: any EventLoop, at local: SocketAddress, after used: Int? = nil,
        received: @escaping @Sendable ([UInt8], SocketAddress) -> Void
    ) async throws(AirPlayError) -> any Channel {
        let bootstrap = DatagramBootstrap(group: eventLoop).channelInitializer { channel in
            channel.eventLoop.makeCompletedFuture {
                try channel.pipeline.syncOperations.addHandler(DatagramHandler(received))
            }
        }
        var address = local
        for port in range where port > used ?? 0 {
            address.port = port
            if let channel = try? await bootstrap.bind(to: address).get() { return channel }
        }
        throw .unreachable("no UDP port of \(range.lowerBound)-\(range.upperBound) is free on this machine")
    }
}

/// Passes on datagrams.
private final class DatagramHandler: ChannelInboundHandler {
    typealias InboundIn = AddressedEnvelope<ByteBuffer>

    private let received: @Sendable ([UInt8], SocketAddress) -> Void

    init(_ received: @escaping @Sendable ([UInt8], SocketAddress) -> Void) { self.received = received }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let envelope = unwrapInboundIn(data)
        received(Array(envelope.data.readableBytesView), envelope.remoteAddress)
    }

    /// Ignores an ICMP error. The receiver reports problems on its connection.
    func errorCaught(context: ChannelHandlerContext, error: any Error) {}
}
