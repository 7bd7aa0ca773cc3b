import CFFmpeg

/// The reason media can't be decoded.
package enum DecodingError: Error, Sendable, Hashable {
    /// The address or file cannot be opened or read; carries the reason.
    case unreadable(String)
    /// The source isn't media, or its format isn't supported; carries the reason.
    case unsupported(String)
    /// The certificate of the server, `host:port`, isn't trusted.
    case untrusted(String)
    /// The media has pictures or data, but no sound.
    case noAudio
    case cancelled

    private static let aboutFormat = [
        mdhost_av_invalid_data, mdhost_av_no_decoder, mdhost_av_no_demuxer, mdhost_av_unsupported,
    ]

    init(code: Int32, opening: Bool) {
        var text = [CChar](repeating: 0, count: 256)
        _ = av_strerror(code, &text, text.count)
        let length = text.firstIndex(of: 0) ?? text.count
        let reason = String(decoding: text[..<length].map { UInt8(bitPattern: $0) }, as: UTF8.self)
        if code == mdhost_av_exit {
            self = .cancelled
        } else if opening, Self.aboutFormat.contains(code) {
            self = .unsupported(reason)
        } else {
            self = .unreadable(reason)
        }
    }

    /// The end of a sentence.
    package var reason: String {
        switch self {
        case .unreadable(let reason), .unsupported(let reason): reason
        case .untrusted(let server): "the certificate of \(server) isn't trusted"
        case .noAudio: "it has no sound"
        case .cancelled: "it was cancelled"
        }
    }
}
