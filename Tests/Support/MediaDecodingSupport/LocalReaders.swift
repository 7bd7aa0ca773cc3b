import Foundation
package import HostInterface
import MediaDecoding
package import MediaReading

extension MediaReaderSource {
    /// Readers of one medium that run on threads of this process instead of in their own.
    package static func local(_ address: String, authorities: String? = nil) -> MediaReaderSource {
        MediaReaderSource { socket in
            serveLocally(
                ReaderRequest(address: address), on: ReaderSocket(received: socket), authorities: authorities)
        }
    }
}

/// Serves a reader's client on threads of this process until it leaves.
package func serveLocally(_ request: ReaderRequest, on socket: ReaderSocket, authorities: String? = nil) {
    let server = DecodingServer(request, on: socket.number, authorities: authorities, allowsFiles: true)
    Thread.detachNewThread { withExtendedLifetime(socket) { server.takeOrders() } }
    Thread.detachNewThread { withExtendedLifetime(socket) { server.run() } }
}
