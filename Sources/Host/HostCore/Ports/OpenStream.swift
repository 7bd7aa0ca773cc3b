package import Foundation
package import HostInterface

/// The reading end of media that another program writes during playback.
///
/// Releasing it closes the descriptor, by which the writer learns of the end.
package final class OpenStream: Sendable {
    /// The descriptor of a pipe, a socket or a file, in blocking mode.
    package let descriptor: Int32
    /// The format of samples without a header; `nil` if the stream has a header.
    package let samples: SampleFormat?
    /// The latency that a person asks for; `nil` for the device's usual one.
    package let latency: RequestedLatency?
    /// A Boolean value that indicates whether what was written before playback is out of date.
    package let isLive: Bool

    /// - Parameter descriptor: Taken over.
    package init(
        descriptor: Int32, samples: SampleFormat? = nil, latency: RequestedLatency? = nil, isLive: Bool = false
    ) {
        self.descriptor = descriptor
        self.samples = samples
        self.latency = latency
        self.isLive = isLive
    }

    /// Creates a stream with a copy of a descriptor.
    ///
    /// - Parameter descriptor: The descriptor, which the caller keeps.
    /// - Throws: ``HostError`` `internal-failure` if the system has no descriptors left.
    package init(
        duplicating descriptor: Int32, samples: SampleFormat?, latency: RequestedLatency? = nil, isLive: Bool = false
    ) throws(HostError) {
        self.descriptor = fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
        self.samples = samples
        self.latency = latency
        self.isLive = isLive
        guard self.descriptor >= 0 else {
            throw HostError(.internalFailure, "Couldn't duplicate the stream: \(String(cString: strerror(errno))).")
        }
    }

    deinit { close(descriptor) }
}

/// A source of playback.
package enum PlaybackSource: Sendable {
    /// `http:`, `https:` or another URL the device opens itself, or a `file:` URL of this machine, which the host serves to
    /// the devices that play it while the session lives.
    case address(URL)
    /// Served likewise, once and from its beginning.
    case stream(OpenStream)
    /// Delivered as samples.
    case screen(OpenScreen)

    /// The ``HostSession/source`` of a stream, or screen, which has no URL.
    package static let streamAddress = "stream:"

    var address: String {
        switch self {
        case .address(let url): url.absoluteString
        case .stream, .screen: Self.streamAddress
        }
    }

    /// The latency that a person asks for, in seconds; `nil` for the device's usual one.
    var latency: Double? {
        if case .stream(let stream) = self { stream.latency?.seconds } else { nil }
    }

    /// Returns whether a device can play it, as far as its capabilities say.
    func isPlayed(by device: DeviceDescription) -> Bool {
        if case .screen = self { device.capabilities.contains(.realtimeVideo) } else { device.playsAddresses }
    }

    /// The sentence for a device that can't play it.
    func refusal(of name: String) -> String {
        if case .screen = self { "\(name) doesn't show live video." } else { "\(name) does not play addresses." }
    }
}
