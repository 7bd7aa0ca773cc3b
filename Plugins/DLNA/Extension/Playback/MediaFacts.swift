import DLNAProtocol
import DeviceConnections
import Foundation
import MediaTypes

/// The facts about media that a renderer needs besides the URL.
struct MediaFacts: Sendable, Hashable {
    /// The type as reported by the media's server; `nil` if unknown.
    var mimeType: String?
    var acceptsRanges: Bool
    /// Bytes.
    var size: Int64?
}

extension MediaFacts {
    private static let redirectLimit = 5

    /// Determines the facts from the declared type, else from the media's server, else from the extension of the URL.
    ///
    /// It is no failure if this computer can't reach the server, because the device might.
    ///
    /// - Parameter declared: The MIME type that the app declares. The server isn't asked then.
    /// - Throws: ``UnreachableMedia`` if the server reports that the media doesn't exist.
    static func reading(
        _ url: URL, declared: String?, transport: any DeviceTransport
    ) async throws(UnreachableMedia) -> MediaFacts {
        let guess = guessing(url, declared: declared)
        if let declared, guess.mimeType == declared { return guess }
        var target = url
        for _ in 0...redirectLimit {
            guard let answer = try? await transport.send(DeviceRequest(method: "HEAD", url: target)) else {
                return guess
            }
            if answer.isSuccess { return MediaFacts(answer, guess: guess) }
            switch answer.status {
            case 300..<400:
                guard
                    let next = answer.headers["location"].flatMap({ URL(string: $0, relativeTo: target)?.absoluteURL }),
                    ["http", "https"].contains(next.scheme)
                else { return guess }
                target = next
            case 401, 403, 404, 410: throw UnreachableMedia(status: answer.status)
            default: return guess
            }
        }
        return guess
    }

    /// Returns the facts known without a request: the declared type, otherwise that of the URL's extension.
    static func guessing(_ url: URL, declared: String?) -> MediaFacts {
        let declared = declared.flatMap { MIMEType.isGeneric(MIMEType.bare($0)) ? nil : $0 }
        return MediaFacts(mimeType: declared ?? MediaType.guess(fromPath: url.path), acceptsRanges: true)
    }

    private init(_ answer: DeviceAnswer, guess: MediaFacts) {
        let told = answer.headers["content-type"].flatMap { MIMEType.isGeneric(MIMEType.bare($0)) ? nil : $0 }
        mimeType = told ?? guess.mimeType
        acceptsRanges = answer.headers["accept-ranges"]?.lowercased() == "bytes"
        size = answer.headers["content-length"].flatMap { Int64($0) }.flatMap { $0 > 0 ? $0 : nil }
    }
}

/// The server of the media refused it.
struct UnreachableMedia: Error, Sendable, Hashable {
    var status: Int

    var sentence: String {
        switch status {
        case 401, 403: "The server of the media does not let anyone have it without signing in (HTTP status \(status))."
        default: "There is nothing at the address of the media (HTTP status \(status))."
        }
    }
}
