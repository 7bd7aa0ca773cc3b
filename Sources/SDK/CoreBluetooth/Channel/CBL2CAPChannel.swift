public import Foundation

/// The number of an L2CAP service of a peripheral: 1 to 255, and 128 to 255 for services that aren't standardized.
public typealias CBL2CAPPSM = UInt16

/// An L2CAP channel to a peripheral, opened by ``CBPeripheral/openL2CAPChannel(_:)``.
///
/// Open both streams to use the channel. It stays open until both streams are closed, the channel and its streams are
/// released, or the peripheral closes it or disconnects.
///
/// The streams report events to their delegates on the run loop on which they are scheduled. On the main run loop the
/// main queue calls them, so that a program without a running loop gets them too. Without a schedule, reads and writes
/// wait until they can be carried out.
public final class CBL2CAPChannel {
    /// The peripheral, a ``CBPeripheral``.
    public let peer: CBPeer!
    /// The stream of received bytes. The boundaries of the peripheral's packets aren't visible in it.
    ///
    /// At the end of the channel its status is `atEnd`; if the connection was lost, `error`, with a ``CBError``.
    public let inputStream: InputStream!
    /// The stream of bytes to send. One write accepts at most a packet of the size that the peripheral accepts, and
    /// returns how many bytes that were.
    ///
    /// A write to a closed channel fails with ``CBError/peripheralDisconnected``.
    public let outputStream: OutputStream!
    /// The number of the peripheral's service.
    public let psm: CBL2CAPPSM

    init(_ socket: ChannelSocket, psm: CBL2CAPPSM, peer: CBPeer) {
        self.peer = peer
        self.psm = psm
        inputStream = ChannelInputStream(socket)
        outputStream = ChannelOutputStream(socket)
    }
}
