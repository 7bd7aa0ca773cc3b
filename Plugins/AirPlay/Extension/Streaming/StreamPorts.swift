import AirPlayProtocol
import Foundation
import NIOCore
import NIOPosix

/// The UDP ports that receivers send to: a known range, so that a firewall can be told.
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

    /// Binds the first free one.
    ///
    /// - Parameters:
    ///   - local: The address to bind at; its port does not matter.
    ///   - used: Only ports above it.
    ///   - received: Called on the event loop with each datagram.
    /// - Throws: ``AirPlayError/unreachable(_:)`` where none is free.
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

/// Hands datagrams on.
private final class DatagramHandler: ChannelInboundHandler {
    typealias InboundIn = AddressedEnvelope<ByteBuffer>

    private let received: @Sendable ([UInt8], SocketAddress) -> Void

    init(_ received: @escaping @Sendable ([UInt8], SocketAddress) -> Void) { self.received = received }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let envelope = unwrapInboundIn(data)
        received(Array(envelope.data.readableBytesView), envelope.remoteAddress)
    }

    /// An answer that no one listens there: the receiver's own word comes over its connection.
    func errorCaught(context: ChannelHandlerContext, error: any Error) {}
}
