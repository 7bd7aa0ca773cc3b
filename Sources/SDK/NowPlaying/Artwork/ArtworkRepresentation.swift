import BitmapImages
import Foundation
import HostInterface

/// A picture in an encoded form.
///
/// Source: NowPlaying, iOS 27 SDK.
public struct ArtworkRepresentation: Sendable {
    /// Why a picture cannot be used.
    public enum ArtworkRepresentationError: Error, Equatable, Hashable, Sendable {
        /// The bytes are no picture, or one of a format that cannot be shown.
        case noRepresentationAvailable
    }

    /// The most bytes a picture may have.
    static let greatestSize = 16 << 20

    let data: Data

    /// - Parameter data: A JPEG, PNG, GIF, WebP, BMP, AVIF or HEIC file, at most 16 MB. Desktops draw the first three
    ///   everywhere.
    /// - Throws: ``ArtworkRepresentationError/noRepresentationAvailable`` for anything else.
    public init(data: Data) throws {
        guard data.count <= Self.greatestSize, ImageFormat(sniffing: data) != nil else {
            throw ArtworkRepresentationError.noRepresentationAvailable
        }
        self.data = data
    }

    /// Draws a picture as a PNG file, or takes the file that it was made from.
    ///
    /// - Throws: ``ArtworkRepresentationError/noRepresentationAvailable`` for one of more than 16 MB.
    public init(cgImage: CGImage) throws { try self.init(data: cgImage.encoded) }
}
