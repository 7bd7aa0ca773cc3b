/// A part of the server that `idle` watches; the set is open.
public struct MPDSubsystem: RawRepresentable, Sendable, Hashable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let player = MPDSubsystem(rawValue: "player")
    public static let mixer = MPDSubsystem(rawValue: "mixer")
    public static let options = MPDSubsystem(rawValue: "options")
    public static let playlist = MPDSubsystem(rawValue: "playlist")
    public static let output = MPDSubsystem(rawValue: "output")

    /// Returns the subsystems that an answer to `idle` reports; empty after a `noidle` without changes.
    public static func changed(in part: MPDReply.Part) -> Set<MPDSubsystem> {
        Set(part.values("changed").map(MPDSubsystem.init(rawValue:)))
    }
}
