import Foundation

/// The common behaviour of both streams of a channel.
protocol ChannelStream: Stream, EventStream {
    static var side: ChannelSocket.Side { get }
    var socket: ChannelSocket { get }
    var events: StreamEvents { get }
    /// Returns the event to report for a ready stream; ``ChannelSocket/Outcome/nothing`` to keep waiting.
    func judge() -> ChannelSocket.Outcome
}

extension ChannelStream {
    private var readyEvent: Stream.Event { Self.side == .input ? .hasBytesAvailable : .hasSpaceAvailable }

    func openChannel() {
        guard events.change(to: .open) else { return }
        events.post(.openCompleted, of: self)
        awaitReadiness()
    }

    func closeChannel() {
        guard events.change(to: .closed) else { return }
        socket.close(Self.side)
    }

    /// Has the delegate told when the stream is ready. Once per read or write, and not before the last such event has
    /// been delivered.
    func awaitReadiness() {
        guard events.beginWaiting() else { return }
        let reference = Weak<any ChannelStream>(self)
        if !socket.whenReady(Self.side, { reference.object?.becameReady() }) {
            fail(CBError(.outOfSpace, "This system has no thread left for the channel."))
        }
    }

    private func becameReady() { events.post(readyEvent, of: self) }

    func handle(_ event: Stream.Event) {
        if event == readyEvent {
            events.endWaiting()
            guard events.status == .open else { return }
            // The available bytes may have been read since.
            switch judge() {
            case .bytes: break
            case .nothing: return awaitReadiness()
            case .ended: return end()
            case .lost(let number): return fail(Self.error(number))
            }
        }
        guard events.status != .closed else { return }
        events.delegate?.stream(self, handle: event)
    }

    /// Reads or writes, and waits until it can.
    ///
    /// - Returns: The number of bytes; 0 at the end, -1 after an error.
    func carryOut(_ attempt: () -> ChannelSocket.Outcome) -> Int {
        while events.status == .open {
            switch attempt() {
            case .bytes(let count):
                awaitReadiness()
                return count
            case .nothing: socket.wait(Self.side)
            case .ended where Self.side == .output:
                fail(CBError(.peripheralDisconnected, "The channel is closed."))
            case .ended: end()
            case .lost(let number): fail(Self.error(number))
            }
        }
        return events.status == .atEnd ? 0 : -1
    }

    private func end() {
        if events.change(to: .atEnd) { events.post(.endEncountered, of: self) }
    }

    private func fail(_ error: CBError) {
        if events.change(to: .error, error) { events.post(.errorOccurred, of: self) }
    }

    private static func error(_ number: Int32) -> CBError {
        number == ETIMEDOUT
            ? CBError(.connectionTimeout, "The connection to the peripheral was lost.")
            : CBError(.peripheralDisconnected, "The channel has failed: \(String(cString: strerror(number))).")
    }
}
