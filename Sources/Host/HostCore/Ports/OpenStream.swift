import Foundation
import HostInterface

/// Media that another program writes while it plays: the reading end, handed over by a client.
///
/// Whoever has it last closes it; the writer is told by that.
package final class OpenStream: Sendable {
    /// Of a pipe, a socket or a file; blocking.
    package let descriptor: Int32
    /// What it holds where that does not tell itself: samples without a header.
    package let samples: SampleFormat?

    /// - Parameter descriptor: Taken over.
    package init(descriptor: Int32, samples: SampleFormat? = nil) {
        self.descriptor = descriptor
        self.samples = samples
    }

    /// - Parameter descriptor: Stays the caller's.
    /// - Throws: ``HostError`` `internal-failure` where the system has no descriptors left.
    package init(duplicating descriptor: Int32, samples: SampleFormat?) throws(HostError) {
        self.descriptor = fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
        self.samples = samples
        guard self.descriptor >= 0 else {
            throw HostError(.internalFailure, "The stream cannot be kept: \(String(cString: strerror(errno))).")
        }
    }

    deinit { close(descriptor) }
}

/// What a person wants to hear or see.
package enum PlaybackSource: Sendable {
    /// `http:`, `https:` or another URL the device opens itself, or a `file:` URL of this machine, which the host serves to
    /// the devices that play it while the session lives.
    case address(URL)
    /// Served likewise, once and from its beginning.
    case stream(OpenStream)

    /// What ``HostSession/source`` says of a stream, which has no address.
    package static let streamAddress = "stream:"

    var address: String {
        switch self {
        case .address(let url): url.absoluteString
        case .stream: Self.streamAddress
        }
    }
}
