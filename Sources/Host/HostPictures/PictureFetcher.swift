package import AddressPolicy
package import HostInterface

/// The party that named the address of a picture.
package enum PictureOrigin: Sendable, Hashable {
    /// A person or a program of this user, which may use any address.
    case program
    /// A device on the network, with its addresses: it may name its own network and the internet, and no file.
    case device([NetworkAddress])
}

/// Gets pictures from their addresses, and makes them smaller.
package protocol PictureFetcher: Sendable {
    /// - Parameter side: Of the square that the picture is fitted into, in pixels; 0 for the picture as it is. One that fits
    ///   already, or whose format isn't JPEG, PNG or WebP, stays as it is.
    /// - Throws: ``HostError`` where that cannot be done.
    func fetch(_ url: String, from origin: PictureOrigin, fitting side: Int) async throws -> [UInt8]

    /// Fits a picture of an app into a square, as above.
    ///
    /// - Throws: ``HostError`` where that cannot be done.
    func fit(_ picture: [UInt8], into side: Int) async throws -> [UInt8]

    /// Returns the pixels of a JPEG, PNG or WebP picture, fitted into a square.
    ///
    /// - Throws: ``HostError`` where that cannot be done.
    func pixels(of picture: [UInt8], into side: Int) async throws -> PixelPicture
}

package enum PictureLimits {
    /// The largest picture in bytes.
    package static let size = 16 << 20
}
