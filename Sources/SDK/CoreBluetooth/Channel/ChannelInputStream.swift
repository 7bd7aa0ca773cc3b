import Foundation

/// The received bytes of a channel.
final class ChannelInputStream: InputStream, ChannelStream {
    static let side = ChannelSocket.Side.input
    let socket: ChannelSocket
    let events = StreamEvents()

    init(_ socket: ChannelSocket) {
        self.socket = socket
        super.init(data: Data())
    }

    func judge() -> ChannelSocket.Outcome { socket.look() }

    override func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength length: Int) -> Int {
        carryOut { length > 0 ? socket.read(into: buffer, length) : .bytes(0) }
    }

    /// Also `true` at the end, which a read then reports.
    override var hasBytesAvailable: Bool { events.status == .open && socket.isReady(.input) }

    override func getBuffer(
        _ buffer: UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>, length: UnsafeMutablePointer<Int>
    ) -> Bool { false }

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
