import AddressPolicy

/// Who named the address of a picture.
package enum PictureOrigin: Sendable, Hashable {
    /// A person or a program of this user, who may name everything.
    case program
    /// A device on the network, with its addresses: it may name its own network and the internet, and no file.
    case device([NetworkAddress])
}

/// Gets pictures from their addresses.
package protocol PictureFetcher: Sendable {
    /// - Throws: ``HostError`` where that cannot be done.
    func fetch(_ url: String, from origin: PictureOrigin) async throws -> [UInt8]
}

package enum PictureLimits {
    /// The largest picture in bytes.
    package static let size = 16 << 20
}
