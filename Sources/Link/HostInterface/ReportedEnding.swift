/// The way in which playback ended by itself, as its extension reports it.
package enum ReportedEnding: RawRepresentable, Sendable, Hashable {
    /// The media played to its end.
    case finished
    /// A person stopped it on the device, or other media took its place there.
    case interrupted
    /// An app or other media took its place on the device; the name is for people.
    case takenOver(by: String)

    private static let takenOverMark = "taken-over "

    /// Creates the ending that a message contains; `nil` for an unknown word.
    package init?(rawValue: String) {
        switch rawValue {
        case "finished": self = .finished
        case "interrupted": self = .interrupted
        case let word where word.hasPrefix(Self.takenOverMark):
            self = .takenOver(by: String(word.dropFirst(Self.takenOverMark.count).prefix(200)))
        default: return nil
        }
    }

    package var rawValue: String {
        switch self {
        case .finished: "finished"
        case .interrupted: "interrupted"
        case .takenOver(let name): Self.takenOverMark + name
        }
    }
}
