import Dispatch
import Glibc
package import MediaReading
import PacketSockets
import Synchronization

/// Decodes one medium for the extension at the other end of a socket, as the extension orders.
package final class DecodingServer: Sendable {
    private struct State {
        var rate: UInt32?
        var seek: (frame: Int64, generation: UInt32)?
        var isOver = false
    }

    /// A third of a second at 44,100 Hz, which the kernel doubles.
    private static let buffer: Int32 = 1 << 16

    private let request: ReaderRequest
    private let socket: Int32
    private let trust: CertificateTrust
    private let allowsFiles: Bool
    private let stop = DecodingStop()
    private let state = Mutex(State())
    /// Counts orders that weren't looked at.
    private let news = DispatchSemaphore(value: 0)

    /// - Parameters:
    ///   - request: The media.
    ///   - socket: A blocking packet socket, which stays open as long as this object exists.
    ///   - authorities: PEM file of the certificate authorities.
    ///   - allowsFiles: `false` to read from servers only.
    package init(
        _ request: ReaderRequest, on socket: Int32, authorities: String? = CertificateTrust.systemAuthorities,
        allowsFiles: Bool = false
    ) {
        self.request = request
        // Each seek discards the samples that were sent ahead.
        var length = Self.buffer
        setsockopt(socket, SOL_SOCKET, SO_SNDBUF, &length, socklen_t(MemoryLayout<Int32>.size))
        self.allowsFiles = allowsFiles
        self.socket = socket
        var trust = CertificateTrust(authorities: authorities)
        if request.acceptsAnyCertificate, let server = CertificateTrust.server(of: request.address) {
            trust.exempt = [server]
        }
        self.trust = trust
    }

    // MARK: Orders

    /// Takes orders until the extension leaves, or orders something else. Run it on a thread of its own.
    package func takeOrders() {
        var buffer = [UInt8](repeating: 0, count: ReaderOrder.length)
        while let packet = PacketSocket.receive(on: socket, into: &buffer), let order = ReaderOrder(Array(packet)) {
            let isExpected = state.withLock { state in
                switch order {
                case .open(let rate):
                    guard state.rate == nil else { return false }
                    state.rate = rate
                case .seek(let frame, let generation): state.seek = (frame, generation)
                }
                return true
            }
            guard isExpected else { break }
            news.signal()
        }
        state.withLock { $0.isOver = true }
        stop.stop()
        // Ends sending.
        shutdown(socket, Int32(SHUT_RDWR))
        news.signal()
    }

    // MARK: Samples

    /// Sends what was ordered until the extension leaves. Waits for the source and the extension.
    package func run() {
        guard let rate = ordered(\.rate) else { return }
        let decoder: AudioDecoder
        do throws(DecodingError) {
            try checkAddress()
            decoder = try AudioDecoder(address: request.address, rate: Int(rate), trust: trust, stop: stop)
        } catch {
            send(.failure(error, generation: 0))
            return
        }
        var facts = decoder.facts
        facts.isReadOnce = request.isReadOnce
        guard send(facts) else { return }
        var generation: UInt32 = 0
        while true {
            do throws(DecodingError) {
                if let seek = state.withLock({ $0.seek.take() }) {
                    generation = seek.generation
                    try decoder.seek(toFrame: seek.frame)
                }
                guard let samples = try decoder.read() else {
                    guard send(.end(generation: generation)), ordered(\.seek) != nil else { return }
                    continue
                }
                guard send(samples, generation) else { return }
            } catch {
                guard send(.failure(error, generation: generation)), ordered(\.seek) != nil else { return }
            }
        }
    }

    private func checkAddress() throws(DecodingError) {
        let address = request.address.lowercased()
        guard allowsFiles || ["http://", "https://"].contains(where: address.hasPrefix) else {
            throw .unreadable("it isn't at an http or https address")
        }
    }

    /// Waits until the orders so far have a value.
    ///
    /// - Returns: `nil` if the extension left.
    private func ordered<Value: Sendable>(_ value: (State) -> Value?) -> Value? {
        while true {
            let (found, isOver) = state.withLock { (value($0), $0.isOver) }
            if isOver || found != nil { return isOver ? nil : found }
            news.wait()
        }
    }

    private func send(_ facts: MediaFacts) -> Bool {
        var rest = (facts.picture?.bytes ?? [])[...]
        while !rest.isEmpty {
            guard send(.picture(Array(rest.prefix(ReaderPacket.longestContent)))) else { return false }
            rest = rest.dropFirst(ReaderPacket.longestContent)
        }
        return send(.facts(facts.withoutBytes))
    }

    private func send(_ samples: [Int16], _ generation: UInt32) -> Bool {
        var rest = samples[...]
        while !rest.isEmpty {
            let part = rest.prefix(ReaderPacket.longestContent / 2)
            guard send(.samples(Array(part), generation: generation)) else { return false }
            rest = rest.dropFirst(part.count)
        }
        return true
    }

    @discardableResult
    private func send(_ packet: ReaderPacket) -> Bool { PacketSocket.send(packet.bytes, on: socket) }
}
