import AirPlayPairing
import AirPlayProtocol
import Foundation
import NIOCore
import NIOPosix
import Synchronization

/// A receiver on loopback: answers as shairport-sync does, and records the data it receives.
final class FakeReceiver: Sendable {
    struct Received: Sendable {
        var requests: [RTSPRequest] = []
        /// Audio by sequence number, as it arrived.
        var audio: [[UInt8]] = []
        var resent: [[UInt8]] = []
        var control: [[UInt8]] = []
        var timingAnswers = 0
        var challenges = 0

        func count(_ method: String) -> Int { requests.count { $0.method == method } }
        /// The payloads of the audio packets, in the order of their numbers, each once and without silence: on a busy
        /// machine the stream may have to begin again.
        var payloads: [[UInt8]] {
            guard let first = audio.first else { return [] }
            func number(_ packet: [UInt8]) -> UInt16 { UInt16(packet[2]) << 8 | UInt16(packet[3]) }
            var known: Set<[UInt8]> = [LosslessFrame.encode([])]
            return audio.sorted { number($0) &- number(first) < number($1) &- number(first) }
                .map { Array($0.dropFirst(12)) }.filter { known.insert($0).inserted }
        }
    }

    struct Behaviour: Sendable {
        var password: String?
        /// A Boolean value that indicates whether it requests the time, as all receivers do.
        var asksForTime = true
        /// Answer to ANNOUNCE.
        var announceStatus = 200
        /// A Boolean value that indicates whether it requests every tenth packet again.
        var losesPackets = false
        /// The access control; `nil` admits all senders.
        var door: ReceiverDoor?
        /// The player of addresses; `nil` for a receiver that doesn't play addresses.
        var screen: ReceiverScreen?
    }

    let received = Mutex(Received())
    let behaviour: Behaviour
    private let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    private let server = Mutex<(any Channel)?>(nil)
    fileprivate let sockets = Mutex<[any Channel]>([])
    fileprivate let clients = Mutex<[any Channel]>([])
    fileprivate let senderPorts = Mutex<(control: Int, timing: Int)>((0, 0))

    init(_ behaviour: Behaviour = Behaviour()) async throws {
        self.behaviour = behaviour
        for role in 0..<3 {
            let socket = try await DatagramBootstrap(group: group)
                .channelInitializer { [self] channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandler(DatagramSink { self.datagram($0, role: role) })
                    }
                }.bind(host: "127.0.0.1", port: 0).get()
            sockets.withLock { $0.append(socket) }
        }
        let channel = try await ServerBootstrap(group: group)
            .childChannelInitializer { [self] channel in
                clients.withLock { $0.append(channel) }
                return channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(
                        RequestHandler(receiver: self, guest: behaviour.door.map { DoorGuest($0) }))
                }
            }.bind(host: "127.0.0.1", port: 0).get()
        server.withLock { $0 = channel }
    }

    var port: Int { server.withLock { $0?.localAddress?.port ?? 0 } }

    func now() -> Received { received.withLock { $0 } }

    /// Ends the connections, as a receiver that is switched off.
    func hangUp() { for client in clients.withLock({ $0 }) { client.close(promise: nil) } }

    func stop() async {
        try? await server.withLock { $0 }?.close()
        for socket in sockets.withLock({ $0 }) { try? await socket.close() }
        try? await group.shutdownGracefully()
    }

    private func datagram(_ bytes: [UInt8], role: Int) {
        guard bytes.count >= 8 else { return }
        switch role {
        case 0:
            let number = received.withLock { state in
                state.audio.append(bytes)
                return state.audio.count
            }
            if behaviour.losesPackets, number % 10 == 0 {
                send([0x80, 0xD5, 0, 1] + bytes[2..<4] + [0, 1], from: 1, to: senderPorts.withLock { $0.control })
            }
        case 1:
            received.withLock { state in
                if bytes[1] == 0xD6 { state.resent.append(bytes) } else { state.control.append(bytes) }
            }
        default: received.withLock { $0.timingAnswers += bytes[1] == 0xD3 ? 1 : 0 }
        }
    }

    fileprivate func send(_ bytes: [UInt8], from role: Int, to port: Int) {
        guard port > 0, let address = try? SocketAddress(ipAddress: "127.0.0.1", port: port) else { return }
        let socket = sockets.withLock { $0[role] }
        socket.writeAndFlush(
            AddressedEnvelope(remoteAddress: address, data: ByteBuffer(bytes: bytes)), promise: nil)
    }

    /// Returns the answer to a request.
    fileprivate func answer(_ request: RTSPRequest) -> String {
        let number = request.headers["CSeq"] ?? ""
        if let password = behaviour.password, !isProved(request, password) {
            received.withLock { $0.challenges += 1 }
            return "RTSP/1.0 401 Unauthorized\r\nCSeq: \(number)\r\n"
                + "WWW-Authenticate: Digest realm=\"raop\", nonce=\"abc\"\r\n\r\n"
        }
        received.withLock { $0.requests.append(request) }
        var headers = "CSeq: \(number)\r\n"
        var body = ""
        var status = 200
        switch request.method {
        case "ANNOUNCE": status = behaviour.announceStatus
        case "SETUP":
            let ports = sockets.withLock { $0.map { $0.localAddress?.port ?? 0 } }
            headers +=
                "Transport: RTP/AVP/UDP;unicast;server_port=\(ports[0]);control_port=\(ports[1]);"
                + "timing_port=\(ports[2])\r\n"
            remember(request.headers["Transport"] ?? "")
        case "RECORD":
            headers += "Audio-Latency: 11025\r\n"
            if behaviour.asksForTime {
                send(
                    [0x80, 0xD2, 0, 7] + [UInt8](repeating: 1, count: 28), from: 2,
                    to: senderPorts.withLock { $0.timing })
            }
        case "GET_PARAMETER":
            body = "volume: -15.000000\r\n"
            headers += "Content-Type: text/parameters\r\nContent-Length: \(body.utf8.count)\r\n"
        default: break
        }
        return "RTSP/1.0 \(status) X\r\n\(headers)\r\n\(body)"
    }

    private func remember(_ transport: String) {
        func port(_ name: String) -> Int {
            transport.split(separator: ";").first { $0.hasPrefix(name + "=") }
                .flatMap { Int($0.dropFirst(name.count + 1)) } ?? 0
        }
        senderPorts.withLock { $0 = (port("control_port"), port("timing_port")) }
    }

    private func isProved(_ request: RTSPRequest, _ password: String) -> Bool {
        guard var digest = try? DigestAuthentication(challenge: "Digest realm=\"raop\", nonce=\"abc\"") else {
            return false
        }
        let expected = digest.authorization(
            method: request.method, uri: request.uri, user: "iTunes", password: password, clientNonce: "")
        return request.headers["Authorization"] == expected
    }
}

private final class DatagramSink: ChannelInboundHandler {
    typealias InboundIn = AddressedEnvelope<ByteBuffer>
    private let received: @Sendable ([UInt8]) -> Void

    init(_ received: @escaping @Sendable ([UInt8]) -> Void) { self.received = received }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        received(Array(unwrapInboundIn(data).data.readableBytesView))
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {}
}

private final class RequestHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let receiver: FakeReceiver
    private var guest: DoorGuest?
    private var cipher: EncryptedChannel?
    private var buffer: [UInt8] = []
    /// The parser of the sender's answers to the receiver's requests.
    private var answers: RTSPParser<RTSPResponse>?

    init(receiver: FakeReceiver, guest: DoorGuest?) {
        self.receiver = receiver
        self.guest = guest
    }

    func channelInactive(context: ChannelHandlerContext) { guest?.left() }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let bytes = Array(unwrapInboundIn(data).readableBytesView)
        do {
            let plain = cipher == nil ? bytes : try cipher?.open(bytes) ?? []
            guard answers == nil else { return try answered(plain) }
            buffer += plain
            while let request = next() {
                var answer: [UInt8]
                var keys: ChannelKeys?
                if let knocked = guest?.answer(request) {
                    answer = Self.response(request, knocked.status, body: knocked.body)
                    keys = knocked.keys
                } else if guest?.isLetIn == false, cipher == nil {
                    answer = Self.response(request, 470)
                } else if request.version == .http, let screen = receiver.behaviour.screen {
                    let (status, body) = screen.answer(request)
                    answer = Self.response(request, status, body: body)
                    if status == 101 { ask(for: screen, over: context.channel) }
                } else {
                    answer = Array(receiver.answer(request).utf8)
                }
                if cipher != nil { answer = try cipher?.seal(answer) ?? answer }
                context.writeAndFlush(NIOAny(ByteBuffer(bytes: answer)), promise: nil)
                if let keys { cipher = EncryptedChannel(keys) }
            }
        } catch {
            context.close(promise: nil)
        }
    }

    /// From now on the receiver asks.
    private func ask(for screen: ReceiverScreen, over channel: any Channel) {
        answers = RTSPParser()
        let handler = NIOLoopBound(self, eventLoop: channel.eventLoop)
        screen.asks(
            by: { request in
                channel.eventLoop.execute {
                    guard let bytes = try? handler.value.cipher?.seal(request) ?? request else { return }
                    channel.writeAndFlush(ByteBuffer(bytes: bytes), promise: nil)
                }
            }, until: { channel.close(promise: nil) })
    }

    private func answered(_ bytes: [UInt8]) throws {
        answers?.append(bytes)
        while let answer = try answers?.next() { receiver.behaviour.screen?.isAnswered(answer.status) }
    }

    private static func response(_ request: RTSPRequest, _ status: Int, body: [UInt8] = []) -> [UInt8] {
        let head =
            "\(request.version.rawValue) \(status) X\r\nCSeq: \(request.headers["CSeq"] ?? "")\r\n"
            + "Content-Length: \(body.count)\r\n\r\n"
        return Array(head.utf8) + body
    }

    private func next() -> RTSPRequest? {
        guard let end = buffer.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
        let lines = String(decoding: buffer[..<end.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
        let words = lines[0].split(separator: " ").map(String.init)
        var headers: RTSPHeaders = [:]
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            headers.append(String(parts[0]), String(parts[1].drop { $0 == " " }))
        }
        let length = headers["Content-Length"].flatMap { Int($0) } ?? 0
        guard buffer.count >= end.upperBound + length else { return nil }
        let body = Array(buffer[end.upperBound..<end.upperBound + length])
        buffer.removeFirst(end.upperBound + length)
        return RTSPRequest(
            words[0], words[1], version: RTSPRequest.Version(rawValue: words[2]) ?? .rtsp, headers: headers, body: body)
    }
}
