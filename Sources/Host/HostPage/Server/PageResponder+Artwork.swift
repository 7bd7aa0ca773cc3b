import Foundation
import HTTPTypes
import HostClient
import HostInterface

extension PageResponder {
    /// The side of a picture that is asked for, in pixels.
    private static let artworkSize = 512.0
    private static let greatestPicture = 16 << 20

    /// Answers with the picture of a session. The daemon gets it from the app, the device or a server, by its own rules about
    /// addresses, so that a device can't make a browser connect anywhere.
    func artwork(_ path: String) async -> PageResponse {
        let words = path.split(separator: "/").map(String.init)
        guard words.count == 4, words[3].allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }) else {
            return .error(.notFound, HostError(.noSuchSession, "There is no such picture."))
        }
        let id: String
        switch words[2] {
        // What plays on a device is a media session, too.
        case "session": id = "route" + words[3]
        case "media": id = words[3]
        default: return .error(.notFound, HostError(.noSuchSession, "There is no such picture."))
        }
        do throws(HostError) {
            let picture = try await commands.link.with { client throws(HostError) in
                try await client.artwork(of: HostNames.mediaSessionPath(id), size: Self.artworkSize)
            }
            return try Self.response(picture)
        } catch {
            return .error(.notFound, error)
        }
    }

    private static func response(_ picture: (file: String, type: String)) throws(HostError) -> PageResponse {
        // Nothing that a browser could take for a page: an SVG can contain scripts.
        guard ["image/png", "image/jpeg", "image/webp", "image/gif", "image/avif", "image/bmp"].contains(picture.type)
        else {
            throw HostError(.unsupportedFormat, "The picture has a format that isn't shown.")
        }
        let url = URL(filePath: picture.file)
        let values = try? url.resourceValues(forKeys: [.fileSizeKey, .isRegularFileKey])
        guard values?.isRegularFile == true, values?.fileSize ?? 0 <= greatestPicture,
            let data = try? Data(contentsOf: url)
        else { throw HostError(.fileNotFound, "The picture isn't there any more.") }
        var response = PageResponse(status: .ok, body: [UInt8](data))
        response.fields[.contentType] = picture.type
        response.fields[.cacheControl] = "private, max-age=86400"
        return response
    }
}
