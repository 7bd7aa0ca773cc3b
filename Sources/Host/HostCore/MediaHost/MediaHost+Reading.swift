import HostInterface
import MediaReading
import PacketSockets

/// Media that extensions send to their devices as samples: a program of the host reads and decodes it.
extension MediaHost {
    /// Has the media of the route's session read. An extension reads no other addresses this way than those it was given.
    func readMedia(_ route: Route, _ socket: ReaderSocket) {
        guard let readers, let id = route.currentSession, let record = adoptable[id], deliveredPlaybacks[id] == nil,
            PacketSocket.isOne(socket.number)
        else { return }
        let request = readerRequest(record.url, of: record.source, record.media)
        Task { await readers.start(request, on: socket, for: route.extensionIdentifier) }
    }

    /// - Parameter source: The source of the session.
    func readerRequest(_ url: String, of source: String, _ information: MediaInformation) -> ReaderRequest {
        ReaderRequest(
            address: url, acceptsAnyCertificate: media(information, at: url).acceptsAnyCertificate == true,
            isReadOnce: source == PlaybackSource.streamAddress ? true : nil)
    }
}
