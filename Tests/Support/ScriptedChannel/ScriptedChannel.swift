package import DBus
package import DataChannels
package import HostInterface
import Synchronization

/// One end of a data channel, which keeps what arrives.
package final class ScriptedChannel: Sendable {
    package let socket: DataSocket
    /// The frames from the other end, which end with the channel. One reader.
    package let frames: AsyncStream<DataFrame>
    /// Once, when the channel has ended: the frame that was none, if one ended it. One reader.
    package let failures: AsyncStream<MalformedFrame?>
    private let otherEnd: Mutex<DBusDescriptor?>

    /// Opens a channel, whose other end is to be given away.
    package convenience init() throws(HostError) {
        guard let (own, theirs) = DataSocket.pair() else { throw HostError(.limitExceeded, "No more descriptors.") }
        try self.init(own, otherEnd: theirs)
    }

    package init(_ end: DBusDescriptor, otherEnd: DBusDescriptor? = nil) throws(HostError) {
        let (frames, feed) = AsyncStream.makeStream(of: DataFrame.self)
        let (failures, failureFeed) = AsyncStream.makeStream(of: MalformedFrame?.self)
        (self.frames, self.failures) = (frames, failures)
        self.otherEnd = Mutex(otherEnd)
        socket = DataSocket(end, longestUnsent: .max)
        let isStarted = socket.start(longest: DataFrame.longestFromApp) {
            feed.yield($0)
        } ended: {
            feed.finish()
            failureFeed.yield($0)
        }
        guard isStarted else { throw HostError(.limitExceeded, "No more threads.") }
    }

    /// Returns the other end as the value of a message, once.
    package func giveOtherEnd() -> [DBusValue] {
        otherEnd.withLock { $0.take() }.map { [.fileDescriptor($0)] } ?? []
    }

    package func send(_ frame: DataFrame) { socket.send(frame) }

    package func close() { socket.close() }
}
