import Foundation

/// The host's request to a reader's process, sent with the socket on which the reader serves.
package struct ReaderRequest: Codable, Sendable, Hashable {
    /// The size of the longest request in bytes.
    package static let longest = 1 << 16

    /// An `http` or `https` URL, or a path.
    package var address: String
    /// A Boolean value that indicates whether a person accepted any certificate of the HTTPS server in ``address``.
    package var acceptsAnyCertificate: Bool
    /// A Boolean value that indicates whether the media is a stream of this host, of which each part can be read once; `nil`
    /// for other media.
    package var isReadOnce: Bool?

    package init(address: String, acceptsAnyCertificate: Bool = false, isReadOnce: Bool? = nil) {
        self.address = address
        self.acceptsAnyCertificate = acceptsAnyCertificate
        self.isReadOnce = isReadOnce
    }

    /// Reads a request.
    ///
    /// - Returns: `nil` if it is none.
    package init?(_ bytes: [UInt8]) {
        guard let request = try? JSONDecoder().decode(Self.self, from: Data(bytes)) else { return nil }
        self = request
    }

    /// The request as it is sent; `nil` if it is longer than ``longest``.
    package var bytes: [UInt8]? {
        guard let data = try? JSONEncoder().encode(self), data.count <= Self.longest else { return nil }
        return Array(data)
    }
}
