import Foundation

/// The bytes of a channel to be sent.
final class ChannelOutputStream: OutputStream, ChannelStream {
    static let side = ChannelSocket.Side.output
    let socket: ChannelSocket
    let events = StreamEvents()

    init(_ socket: ChannelSocket) {
        self.socket = socket
        super.init(toMemory: ())
    }

    @available(*, unavailable) required init(toMemory: ()) { fatalError("only for memory") }

    func judge() -> ChannelSocket.Outcome { socket.isReady(.output) ? .bytes(0) : .nothing }

    override func write(_ buffer: UnsafePointer<UInt8>, maxLength length: Int) -> Int {
        carryOut { socket.write(buffer, length) }
    }

    /// Also `true` at the end, which a write then reports.
    override var hasSpaceAvailable: Bool { events.status == .open && socket.isReady(.output) }

    // MARK: As of both streams

    override func open() { openChannel() }
    override func close() { closeChannel() }
    override var streamStatus: Stream.Status { events.status }
    override var streamError: (any Error)? { events.error }
    override var delegate: (any StreamDelegate)? {
        get { events.delegate }
        set { events.delegate = newValue }
    }

    override func schedule(in loop: RunLoop, forMode mode: RunLoop.Mode) {
        events.schedule(loop, mode, of: self)
        awaitReadiness()
    }

    override func remove(from loop: RunLoop, forMode mode: RunLoop.Mode) { events.remove(loop, mode) }
    override func property(forKey key: Stream.PropertyKey) -> AnyObject? { nil }
    override func setProperty(_ property: AnyObject?, forKey key: Stream.PropertyKey) -> Bool { false }
}
