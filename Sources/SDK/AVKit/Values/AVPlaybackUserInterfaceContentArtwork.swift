public import Foundation
public import TypeIdentifiers

/// A picture of the current item, created with ``artwork(url:contentType:size:)``. Compared by value.
public class AVPlaybackUserInterfaceContentArtwork: NSObject, @unchecked Sendable {
    // Sendable holds although the class is not final: it has no initialiser outside this file, so its only subclass is
    // the one below, and both have nothing but constants of Sendable types.

    /// The width and height in pixels; zero if unknown.
    public let size: CGSize

    fileprivate init(size: CGSize) { self.size = size }

    /// Returns artwork that can be fetched.
    ///
    /// - Parameters:
    ///   - url: The URL of the picture.
    ///   - contentType: The type of the picture, such as `.jpeg`.
    ///   - size: The width and height in pixels.
    public class func artwork(
        url: URL, contentType: UTType, size: CGSize
    ) -> AVPlaybackUserInterfaceContentURLArtwork {
        AVPlaybackUserInterfaceContentURLArtwork(url: url, contentType: contentType, size: size)
    }

    /// Returns a Boolean value that indicates whether another object is artwork of the same kind with the same values.
    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? AVPlaybackUserInterfaceContentArtwork else { return false }
        return type(of: self) == type(of: other) && size == other.size
    }

    /// Hashes the size.
    public override var hash: Int {
        var hasher = Hasher()
        hasher.combine(size.width)
        hasher.combine(size.height)
        return hasher.finalize()
    }
}

/// A picture of the current item that can be fetched. Compared by value.
public final class AVPlaybackUserInterfaceContentURLArtwork: AVPlaybackUserInterfaceContentArtwork, @unchecked Sendable
{
    /// The URL of the picture.
    public let url: URL
    /// The type of the picture, such as `.jpeg`.
    public let contentType: UTType

    fileprivate init(url: URL, contentType: UTType, size: CGSize) {
        self.url = url
        self.contentType = contentType
        super.init(size: size)
    }

    /// Returns a Boolean value that indicates whether another object is artwork with the same values.
    public override func isEqual(_ object: Any?) -> Bool {
        guard super.isEqual(object), let other = object as? AVPlaybackUserInterfaceContentURLArtwork else {
            return false
        }
        return url == other.url && contentType == other.contentType
    }

    /// Hashes the URL and the size.
    public override var hash: Int {
        var hasher = Hasher()
        hasher.combine(super.hash)
        hasher.combine(url)
        return hasher.finalize()
    }
}
