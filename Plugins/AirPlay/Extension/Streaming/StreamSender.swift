import AirPlayProtocol
import Foundation
import NIOCore
import NIOPosix

/// The sender of one stream. It performs the actions of an ``AudioStream`` at their times, on the event loop of its
/// sockets. All receivers get the same packets, so that they play in sync.
actor StreamSender {
    enum Event: Sendable, Hashable {
        case stalled
        case ended
        /// Carries the local port that the receiver does not reach.
        case returnPathBlocked(UUID, port: Int)
    }

    nonisolated let eventLoop: any EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { eventLoop.executor.asUnownedSerialExecutor() }
    /// The events for the owner. The stream finishes with ``close()``.
    nonisolated let events: AsyncStream<Event>

    /// Packets that are kept ready; 125 are a second.
    private static let highWater = 250
    /// Packets due within it go out together: six at a time, a sixth of the wake-ups.
    private static let batch = 0.048

    private let eventsContinuation: AsyncStream<Event>.Continuation
    private var stream: AudioStream
    private var outlets: [UUID: StreamOutlet] = [:]
    private var timer: Scheduled<Void>?
    private var isFed = false
    private var isClosed = false
    /// The quality at the time the sender was closed.
    private var lastQuality: [UUID: StreamQuality] = [:]
    private var roomWaiter: CheckedContinuation<Bool, Never>?
    private var fillWaiter: (packets: Int, continuation: CheckedContinuation<Bool, Never>)?

    /// - Parameter latency: Seconds between sending and playing.
    init(eventLoop: any EventLoop, latency: Double) {
        self.eventLoop = eventLoop
        stream = AudioStream(
            sequenceNumber: UInt16.random(in: .min ... .max), timestamp: UInt32.random(in: .min ... .max),
            source: UInt32.random(in: .min ... .max), latency: latency)
        (events, eventsContinuation) = AsyncStream.makeStream()
    }

    static var now: StreamTime { StreamTime(nanoseconds: Int64(NIODeadline.now().uptimeNanoseconds)) }

    // MARK: Receivers

    /// Binds the sockets for a receiver.
    ///
    /// - Parameter local: The address that it sees of this machine.
    /// - Returns: The ports it may send to.
    func open(
        _ id: UUID, _ ports: StreamPorts, at local: SocketAddress
    ) async throws(AirPlayError) -> (control: Int, timing: Int) {
        let outlet = try await StreamOutlet.open(
            ports, at: local, on: eventLoop,
            control: { [weak self] bytes, address in
                self?.assumeIsolated { $0.receivedControl(bytes, from: address, of: id) }
            },
            timing: { [weak self] bytes, address in
                self?.assumeIsolated { $0.receivedTiming(bytes, from: address, of: id) }
            })
        guard !isClosed else {
            outlet.close()
            throw .disconnected("it is not wanted any more")
        }
        outlets.updateValue(outlet, forKey: id)?.close()
        return outlet.ports
    }

    /// Sets the receiver's ports, and sends to them first, so that a local firewall accepts its answers.
    func connect(_ id: UUID, to receiver: SocketAddress, _ transport: StreamTransport) {
        outlets[id]?.connect(to: receiver, transport)
    }

    /// Sends the stream to a receiver from now on.
    ///
    /// - Parameters:
    ///   - delay: The latency that the receiver adds by itself, in frames.
    ///   - encryption: The encryption of the audio; `nil` for none.
    func listen(_ id: UUID, delay: Int, encryption: StreamEncryption?) {
        stream.makeRoom(for: delay, upTo: StreamLatency.usual)
        outlets[id]?.listener.listen(delay: delay, latency: stream.latency, encryption: encryption)
    }

    /// Stops sending to a receiver.
    func remove(_ id: UUID) { outlets.removeValue(forKey: id)?.close() }

    /// Ends the stream at once, and everything that waits for it.
    func close() {
        guard !isClosed else { return }
        isClosed = true
        timer?.cancel()
        lastQuality = quality
        for outlet in outlets.values { outlet.close() }
        outlets = [:]
        roomWaiter?.resume(returning: false)
        roomWaiter = nil
        fillWaiter?.continuation.resume(returning: false)
        fillWaiter = nil
        eventsContinuation.finish()
    }

    // MARK: Samples

    /// Waits until the stream needs packets.
    ///
    /// - Returns: `false` if it needs no more.
    func room() async -> Bool {
        guard !isClosed, isFed else { return false }
        if stream.queuedPackets < Self.highWater, !stream.isInputFinished { return true }
        return await withCheckedContinuation { roomWaiter = $0 }
    }

    /// Adds packets.
    ///
    /// - Parameter isLast: `true` for the last packets of the media.
    func enqueue(_ packets: [[UInt8]], isLast: Bool) {
        guard isFed, !isClosed else { return }
        for packet in packets { stream.enqueue(packet) }
        if isLast { stream.finishInput() }
        if let waiter = fillWaiter, stream.queuedPackets >= waiter.packets || stream.isInputFinished {
            fillWaiter = nil
            waiter.continuation.resume(returning: true)
        }
        if stream.isRunning { tick() }
    }

    /// Waits until that many packets are ready, or all there are.
    ///
    /// - Returns: `false` if it was closed meanwhile.
    func filled(_ packets: Int) async -> Bool {
        if isClosed { return false }
        if stream.queuedPackets >= packets || stream.isInputFinished { return true }
        fillWaiter?.continuation.resume(returning: false)
        return await withCheckedContinuation { fillWaiter = (packets, $0) }
    }

    /// Stops accepting packets, and ends the wait for room.
    func stopFeeding() {
        isFed = false
        roomWaiter?.resume(returning: false)
        roomWaiter = nil
    }

    /// Discards the queue, and accepts packets from a place of the media on.
    func startFeeding(fromMediaFrame frame: Int64) {
        stream.seek(toMediaFrame: frame)
        isFed = true
    }

    private func wakeFeeder() {
        guard let waiter = roomWaiter, stream.queuedPackets < Self.highWater, !stream.isInputFinished else { return }
        roomWaiter = nil
        waiter.resume(returning: true)
    }

    // MARK: Running

    /// Starts the stream.
    ///
    /// - Returns: The time at which the first sample plays.
    func start() -> StreamTime? {
        guard !isClosed else { return nil }
        stream.start(at: Self.now)
        tick()
        return stream.runIsHeardAt
    }

    func pause() {
        timer?.cancel()
        stream.pause(at: Self.now)
    }

    var nextPacket: (sequenceNumber: UInt16, timestamp: UInt32) { stream.nextPacket }

    /// The quality of the stream for each receiver.
    var quality: [UUID: StreamQuality] {
        outlets.isEmpty ? lastQuality : outlets.mapValues { $0.listener.quality(of: stream) }
    }

    /// Returns the frame of the media that is playing, and its time.
    func position() -> (frame: Int64, time: StreamTime) {
        let now = Self.now
        return (stream.mediaPosition(at: now), now)
    }

    func progress(duration: Int64) -> (start: UInt32, current: UInt32, end: UInt32) {
        stream.progress(at: Self.now, duration: duration)
    }

    private func tick() {
        timer?.cancel()
        perform(stream.due(at: Self.now, ahead: Self.batch))
        wakeFeeder()
        guard let wake = stream.nextWake, !isClosed else { return }
        // Never at once: packets that are late for lack of samples are sent by ``enqueue(_:isLast:)``.
        let deadline = NIODeadline.uptimeNanoseconds(UInt64(max(0, wake.nanoseconds)))
        timer = eventLoop.scheduleTask(deadline: max(deadline, .now() + .milliseconds(16))) { [weak self] in
            self?.assumeIsolated { $0.tick() }
        }
    }

    private func perform(_ actions: [AudioStream.Action]) {
        for action in actions {
            switch action {
            case .sendAudio(let bytes): for id in outlets.keys { outlets[id]?.sendAudio(bytes) }
            case .tellTime(let sync): for id in outlets.keys { outlets[id]?.tellTime(sync) }
            case .stalled: eventsContinuation.yield(.stalled)
            case .ended: eventsContinuation.yield(.ended)
            }
        }
        for outlet in outlets.values { outlet.flush() }
        let now = Self.now
        for (id, outlet) in outlets where outlets[id]?.listener.isCutOff(at: now) == true {
            eventsContinuation.yield(.returnPathBlocked(id, port: outlet.ports.timing))
        }
    }

    // MARK: Called by the handlers, on the event loop

    private func receivedControl(_ bytes: [UInt8], from address: SocketAddress, of id: UUID) {
        outlets[id]?.receivedControl(bytes, from: address, of: stream)
    }

    private func receivedTiming(_ bytes: [UInt8], from address: SocketAddress, of id: UUID) {
        outlets[id]?.receivedTiming(bytes, from: address, at: Self.now)
    }
}
