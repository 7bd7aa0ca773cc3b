/// A part of the server that `idle` watches; the set is open.
package struct MPDSubsystem: RawRepresentable, Sendable, Hashable {
    package let rawValue: String
    package init(rawValue: String) { self.rawValue = rawValue }

    package static let player = MPDSubsystem(rawValue: "player")
    package static let mixer = MPDSubsystem(rawValue: "mixer")
    package static let options = MPDSubsystem(rawValue: "options")
    package static let playlist = MPDSubsystem(rawValue: "playlist")
    package static let output = MPDSubsystem(rawValue: "output")

    /// What an answer to `idle` reports; empty after a `noidle` with nothing to say.
    package static func changed(in part: MPDReply.Part) -> Set<MPDSubsystem> {
        Set(part.values("changed").map(MPDSubsystem.init(rawValue:)))
    }
}
