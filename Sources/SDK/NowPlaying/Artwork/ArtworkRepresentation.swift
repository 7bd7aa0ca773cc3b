public import BitmapImages
public import Foundation
import HostInterface

/// An encoded picture.
///
/// Source: NowPlaying, iOS 27 SDK.
public struct ArtworkRepresentation: Sendable {
    /// An error of a picture that can't be used.
    public enum ArtworkRepresentationError: Error, Equatable, Hashable, Sendable {
        /// The data isn't a picture, has an unsupported format, or is too large.
        case noRepresentationAvailable
    }

    /// The largest size of a picture, in bytes.
    static let greatestSize = 16 << 20

    let data: Data

    /// Creates a representation from an encoded picture.
    ///
    /// - Parameter data: A JPEG, PNG, GIF, WebP, BMP, AVIF or HEIC file of at most 16 MiB. Every desktop draws the
    ///   first three.
    /// - Throws: ``ArtworkRepresentationError/noRepresentationAvailable`` for other data.
    public init(data: Data) throws {
        guard data.count <= Self.greatestSize, ImageFormat(sniffing: data) != nil else {
            throw ArtworkRepresentationError.noRepresentationAvailable
        }
        self.data = data
    }

    /// Creates a representation from an image: the file that the image was made from, or else a PNG file.
    ///
    /// - Throws: ``ArtworkRepresentationError/noRepresentationAvailable`` if the file exceeds 16 MiB.
    public init(cgImage: CGImage) throws { try self.init(data: cgImage.encoded) }
}
