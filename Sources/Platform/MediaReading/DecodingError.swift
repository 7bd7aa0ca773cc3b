/// The reason media can't be decoded.
package enum DecodingError: Error, Codable, Sendable, Hashable {
    /// The address or file cannot be opened or read; carries the reason.
    case unreadable(String)
    /// The source isn't media, or its format isn't supported; carries the reason.
    case unsupported(String)
    /// The certificate of the server, `host:port`, isn't trusted.
    case untrusted(String)
    /// The media has pictures or data, but no sound.
    case noAudio
    case cancelled

    /// The end of a sentence.
    package var reason: String {
        switch self {
        case .unreadable(let reason), .unsupported(let reason): reason
        case .untrusted(let server): "the certificate of \(server) isn't trusted"
        case .noAudio: "it has no sound"
        case .cancelled: "it was cancelled"
        }
    }

    /// A sentence for people.
    package var sentence: String {
        switch self {
        case .unreadable(let reason): "The media cannot be read: \(reason)."
        case .unsupported(let reason): "The media cannot be decoded: \(reason)."
        case .untrusted(let server):
            """
            The certificate of \(server) isn't trusted. If the server is yours, accept it: \
            mdhost certificate accept \(server)
            """
        case .noAudio: "There is no sound in the media."
        case .cancelled: "Playback was stopped."
        }
    }
}
