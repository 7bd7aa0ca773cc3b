import HostClient

/// The sentence about playback that this command didn't end itself.
enum SessionEnd {
    /// Returns the reason for the end; `nil` for media that played to its end, for a failure, which has its own sentence,
    /// and if the reason is unknown.
    ///
    /// - Parameters:
    ///   - session: The session, as it was last.
    ///   - names: The devices, for people.
    static func sentence(_ session: ClientSession, on names: String, at now: Double) -> String? {
        switch session.ending {
        case "interrupted":
            let place = session.place(at: now, of: " of ")
            if let successor = session.successor {
                return "\(names) stopped\(place.isEmpty ? "" : " at " + place): “\(successor)” took over there."
            }
            return "\(names) stopped\(place.isEmpty ? "" : " at " + place): "
                + "someone stopped it there, another sender took over, or the media ended early."
        case "replaced": return "\(names) now plays something else; `mdhost sessions` lists it."
        case "stopped": return "Another command or app on this computer stopped it."
        default: return nil
        }
    }
}
