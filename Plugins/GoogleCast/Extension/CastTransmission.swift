import CastStreaming
import DeviceConnections
import Foundation
import PlaybackKit

/// The streams to one device, over one socket: sends the frames, and again what gets lost.
actor CastTransmission {
    enum Stream: CaseIterable, Sendable {
        case sound, pictures

        var format: StreamFormat { self == .sound ? .sound : .pictures }

        func offered(in offer: StreamOffer) -> StreamOffer.Stream? { self == .sound ? offer.sound : offer.pictures }
    }

    enum Event: Sendable {
        /// The device can't decode the pictures any more.
        case keyFrameNeeded
        /// About the device, for those who play.
        case report(CastLiveEvent)
    }

    /// The time between two reports of the quality.
    private static let qualityInterval = 1.0

    nonisolated let events: AsyncStream<Event>
    /// The time between a sample or picture and its playback.
    nonisolated let delay: Double
    /// The streams that the device takes.
    nonisolated let streams: Set<Stream>
    private let sink: AsyncStream<Event>.Continuation
    private let link: DatagramLink
    private var senders: [Stream: StreamSender]
    private var late = 0
    private var reported: (time: Double, RealtimeQuality?)
    private var receiving: Task<Void, Never>?
    private var waking: Task<Void, Never>?
    private var wakeTime = Double.infinity
    private var waiter: CheckedContinuation<Void, Never>?
    private var isClosed = false

    /// Opens a socket.
    ///
    /// - Parameters:
    ///   - device: The address and port of the answer.
    ///   - receivers: The receiver's numbers of the streams that it takes, by their position in the offer.
    static func open(
        _ offer: StreamOffer, to device: NWEndpoint, receivers: [Int: UInt32]
    ) async throws(MediaDeviceError) -> CastTransmission {
        do throws(TransportFailure) {
            let transmission = CastTransmission(try await DatagramLink.open(to: device), offer, receivers)
            await transmission.begin()
            return transmission
        } catch {
            throw MediaDeviceError(error)
        }
    }

    private init(_ link: DatagramLink, _ offer: StreamOffer, _ receivers: [Int: UInt32]) {
        self.link = link
        delay = offer.delay
        let now = CastPlayer.now
        // Seconds since 1900, of which a receiver only takes differences.
        let epoch = Date().timeIntervalSince1970 + 2_208_988_800 - now
        var senders: [Stream: StreamSender] = [:]
        for kind in Stream.allCases {
            guard let stream = kind.offered(in: offer), let receiver = receivers[stream.index] else { continue }
            senders[kind] = StreamSender(
                kind.format, source: stream.source, receiver: receiver, cipher: stream.cipher, now: now, epoch: epoch)
        }
        self.senders = senders
        streams = Set(senders.keys)
        reported = (now, nil)
        (events, sink) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(64))
    }

    private func begin() {
        receiving = Task { [weak self, link] in for await datagram in link.datagrams { await self?.received(datagram) }
        }
        schedule()
    }

    func close() {
        guard !isClosed else { return }
        isClosed = true
        receiving?.cancel()
        waking?.cancel()
        sink.finish()
        link.close()
        resumeWaiter()
    }

    /// Sends a frame of a stream that the device takes.
    ///
    /// - Parameters:
    ///   - isKey: A Boolean value that indicates whether it can be decoded without earlier frames.
    ///   - time: The time of its first sample, or of the picture.
    func send(_ frame: [UInt8], _ stream: Stream, isKey: Bool = true, from time: Double) async {
        guard !isClosed else { return }
        let now = CastPlayer.now
        if time + delay < now { late += 1 }
        await perform { kind, sender in
            kind == stream ? sender.send(frame, isKey: isKey, from: time, at: now) : sender.tick(at: now)
        }
    }

    /// Waits until the device has acknowledged so many pictures that the next one isn't late.
    ///
    /// - Returns: `false` after the end.
    func waitForRoom() async -> Bool {
        while !isClosed, senders[.pictures]?.backlog ?? 0 > delay / 2 {
            await withCheckedContinuation { waiter = $0 }
        }
        return !isClosed
    }

    private func received(_ datagram: [UInt8]) async {
        let now = CastPlayer.now
        await perform { $1.received(datagram, at: now) }
        resumeWaiter()
    }

    private func wake() async {
        wakeTime = .infinity
        guard !isClosed else { return }
        let now = CastPlayer.now
        guard !senders.values.allSatisfy({ $0.isAbandoned(at: now) }) else {
            sink.yield(.report(.abandoned))
            return
        }
        await perform { $1.tick(at: now) }
        reportQuality(now)
    }

    private func perform(_ step: (Stream, inout StreamSender) -> [[UInt8]]) async {
        var datagrams: [[UInt8]] = []
        for stream in Stream.allCases {
            // In its place: a copy would copy what waits.
            guard let index = senders.index(forKey: stream) else { continue }
            datagrams += step(stream, &senders.values[index])
            if senders.values[index].takeKeyFrameRequest() { sink.yield(.keyFrameNeeded) }
        }
        schedule()
        if !datagrams.isEmpty { await link.send(datagrams) }
    }

    private func schedule() {
        let next = senders.values.map(\.nextWake).min() ?? .infinity
        guard !isClosed, next < wakeTime else { return }
        wakeTime = next
        waking?.cancel()
        waking = Task { [weak self] in
            let pause = Duration.seconds(max(0.001, next - CastPlayer.now))
            guard (try? await Task.sleep(for: pause)) != nil else { return }
            await self?.wake()
        }
    }

    private func resumeWaiter() {
        waiter?.resume()
        waiter = nil
    }

    private func reportQuality(_ now: Double) {
        guard now - reported.time >= Self.qualityInterval else { return }
        let counts = senders.values.map(\.counts)
        let requested = counts.reduce(0) { $0 + $1.requested }
        let quality = RealtimeQuality(
            packetsSent: counts.reduce(0) { $0 + $1.packets }, packetsLate: late,
            packetsLost: requested, packetsResent: requested, stalls: 0, latency: delay)
        if quality != reported.1 { sink.yield(.report(.quality(quality))) }
        reported = (now, quality)
    }
}
