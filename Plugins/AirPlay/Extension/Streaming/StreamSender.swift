import AirPlayProtocol
import NIOCore
import NIOPosix

/// Sends one stream: performs what ``AudioStream`` decides, at the times it names, on the event loop of its sockets.
actor StreamSender {
    enum Event: Sendable, Hashable {
        case stalled
        case ended
        /// Carries the local port that the receiver does not reach.
        case returnPathBlocked(port: Int)
    }

    nonisolated let eventLoop: any EventLoop
    nonisolated var unownedExecutor: UnownedSerialExecutor { eventLoop.executor.asUnownedSerialExecutor() }
    /// What the owner has to act on; ends with ``close()``.
    nonisolated let events: AsyncStream<Event>

    /// Packets that are kept ready; 125 are a second.
    private static let highWater = 250
    /// Packets due within it go out together: three at a time, a third of the wake-ups.
    private static let batch = 0.024

    private let eventsContinuation: AsyncStream<Event>.Continuation
    private var stream: AudioStream
    private var sockets: Sockets?
    private var timer: Scheduled<Void>?
    private var isFed = false
    private var isClosed = false
    private var roomWaiter: CheckedContinuation<Bool, Never>?
    private var fillWaiter: (packets: Int, continuation: CheckedContinuation<Bool, Never>)?

    private struct Sockets {
        let audio: any Channel
        let control: any Channel
        let timing: any Channel
        var audioAddress: SocketAddress?
        var controlAddress: SocketAddress?
        var timingAddress: SocketAddress?
    }

    /// - Parameter latency: Seconds between sending and playing.
    init(eventLoop: any EventLoop, latency: Double) {
        self.eventLoop = eventLoop
        stream = AudioStream(
            sequenceNumber: UInt16.random(in: .min ... .max), timestamp: UInt32.random(in: .min ... .max),
            source: UInt32.random(in: .min ... .max), latency: latency)
        (events, eventsContinuation) = AsyncStream.makeStream()
    }

    static var now: StreamTime { StreamTime(nanoseconds: Int64(NIODeadline.now().uptimeNanoseconds)) }

    // MARK: Sockets

    /// - Parameter local: The address that the receiver sees of this machine.
    /// - Returns: The ports it may send to.
    func open(_ ports: StreamPorts, at local: SocketAddress) async throws(AirPlayError) -> (control: Int, timing: Int) {
        let control = try await ports.bind(on: eventLoop, at: local) { [weak self] bytes, address in
            self?.assumeIsolated { $0.receivedControl(bytes, from: address) }
        }
        do throws(AirPlayError) {
            let timing = try await ports.bind(
                on: eventLoop, at: local, after: control.localAddress?.port
            ) { [weak self] bytes, address in
                self?.assumeIsolated { $0.receivedTiming(bytes, from: address) }
            }
            do {
                var any = local
                any.port = 0
                let audio = try await DatagramBootstrap(group: eventLoop).bind(to: any).get()
                guard !isClosed else {
                    audio.close(promise: nil)
                    throw AirPlayError.disconnected("it is not wanted any more")
                }
                sockets = Sockets(audio: audio, control: control, timing: timing)
            } catch {
                timing.close(promise: nil)
                throw error as? AirPlayError ?? .unreachable(AirPlayTransport.describe(error))
            }
            return (control.localAddress?.port ?? 0, timing.localAddress?.port ?? 0)
        } catch {
            control.close(promise: nil)
            throw error
        }
    }

    /// What the receiver adds to the time it is told, in frames.
    func setReceiverDelay(_ frames: Int) { stream.setReceiverDelay(frames: frames) }

    /// Tells where the receiver takes what, and sends to its ports first, so that a firewall here lets its answers in.
    func connect(to receiver: SocketAddress, _ transport: StreamTransport) {
        func address(_ port: Int) -> SocketAddress {
            var address = receiver
            address.port = port
            return address
        }
        sockets?.audioAddress = address(transport.audio)
        sockets?.controlAddress = address(transport.control)
        sockets?.timingAddress = transport.timing.map(address)
        guard let sockets else { return }
        for (channel, address) in [
            (sockets.timing, sockets.timingAddress), (sockets.control, sockets.controlAddress),
        ] {
            // No type that anybody knows: it only has to leave.
            if let address { write([UInt8](repeating: 0, count: 8), on: channel, to: address) }
        }
    }

    /// Ends the stream at once, and everything that waits for it.
    func close() {
        guard !isClosed else { return }
        isClosed = true
        timer?.cancel()
        for channel in [sockets?.audio, sockets?.control, sockets?.timing] { channel?.close(promise: nil) }
        sockets = nil
        roomWaiter?.resume(returning: false)
        roomWaiter = nil
        fillWaiter?.continuation.resume(returning: false)
        fillWaiter = nil
        eventsContinuation.finish()
    }

    // MARK: Samples

    /// Waits until packets are wanted.
    ///
    /// - Returns: `false` once none are any more.
    func room() async -> Bool {
        guard !isClosed, isFed else { return false }
        if stream.queuedPackets < Self.highWater, !stream.isInputFinished { return true }
        return await withCheckedContinuation { roomWaiter = $0 }
    }

    /// Adds packets.
    ///
    /// - Parameter isLast: Whether nothing comes behind them.
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

    /// Takes no more packets, and ends the wait for room: whoever feeds goes away.
    func stopFeeding() {
        isFed = false
        roomWaiter?.resume(returning: false)
        roomWaiter = nil
    }

    /// Forgets what is queued and takes packets of that place of the media from now on.
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

    /// - Returns: When the first sample is heard.
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

    var quality: StreamQuality { stream.quality }

    /// Frame of the media that is heard, and when that was.
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
        // Never at once: what is late for want of samples comes by ``enqueue(_:isLast:)``.
        let deadline = NIODeadline.uptimeNanoseconds(UInt64(max(0, wake.nanoseconds)))
        timer = eventLoop.scheduleTask(deadline: max(deadline, .now() + .milliseconds(16))) { [weak self] in
            self?.assumeIsolated { $0.tick() }
        }
    }

    private func perform(_ actions: [AudioStream.Action]) {
        for action in actions {
            switch action {
            case .sendAudio(let bytes): send(bytes, \.audio, \.audioAddress)
            case .sendControl(let bytes): send(bytes, \.control, \.controlAddress)
            case .sendTiming(let bytes): send(bytes, \.timing, \.timingAddress)
            case .stalled: eventsContinuation.yield(.stalled)
            case .ended: eventsContinuation.yield(.ended)
            case .returnPathBlocked:
                eventsContinuation.yield(.returnPathBlocked(port: sockets?.timing.localAddress?.port ?? 0))
            }
        }
    }

    private func send(
        _ bytes: [UInt8], _ channel: KeyPath<Sockets, any Channel>, _ address: KeyPath<Sockets, SocketAddress?>
    ) {
        guard let sockets, let address = sockets[keyPath: address] else { return }
        write(bytes, on: sockets[keyPath: channel], to: address)
    }

    private func write(_ bytes: [UInt8], on channel: any Channel, to address: SocketAddress) {
        channel.writeAndFlush(
            AddressedEnvelope(remoteAddress: address, data: channel.allocator.buffer(bytes: bytes)), promise: nil)
    }

    // MARK: Called by the handlers, on the event loop

    private func receivedControl(_ bytes: [UInt8], from address: SocketAddress) {
        guard address.ipAddress == sockets?.controlAddress?.ipAddress else { return }
        perform(stream.receivedControl(bytes))
    }

    private func receivedTiming(_ bytes: [UInt8], from address: SocketAddress) {
        let received = Self.now
        // Before the answer to `SETUP` is read, its address is not known; it asks again.
        guard let known = sockets?.controlAddress, address.ipAddress == known.ipAddress else { return }
        // Some answer from another port than they named, or named none.
        sockets?.timingAddress = address
        perform(stream.receivedTiming(bytes, at: received, now: Self.now))
    }
}
