import Foundation
import TypeIdentifiers

/// A picture of what plays. Made only as one of its kinds, by ``artwork(url:contentType:size:)``. Equal by value.
public class AVPlaybackUserInterfaceContentArtwork: NSObject, @unchecked Sendable {
    // Sendable holds although the class is not final: it has no initialiser outside this file, so its only subclass is
    // the one below, and both have nothing but constants of Sendable types.

    /// Width and height in pixels; zero where they are not known.
    public let size: CGSize

    fileprivate init(size: CGSize) { self.size = size }

    /// A picture that can be fetched.
    ///
    /// - Parameters:
    ///   - url: Where the picture is.
    ///   - contentType: Its type, such as `.jpeg`.
    ///   - size: Width and height in pixels.
    public class func artwork(
        url: URL, contentType: UTType, size: CGSize
    ) -> AVPlaybackUserInterfaceContentURLArtwork {
        AVPlaybackUserInterfaceContentURLArtwork(url: url, contentType: contentType, size: size)
    }

    /// Whether another object is the same kind of picture with the same values.
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

/// A picture of what plays that can be fetched. Equal by value.
public final class AVPlaybackUserInterfaceContentURLArtwork: AVPlaybackUserInterfaceContentArtwork, @unchecked Sendable
{
    /// Where the picture is.
    public let url: URL
    /// Its type, such as `.jpeg`.
    public let contentType: UTType

    fileprivate init(url: URL, contentType: UTType, size: CGSize) {
        self.url = url
        self.contentType = contentType
        super.init(size: size)
    }

    /// Whether another object is a picture with the same values.
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
