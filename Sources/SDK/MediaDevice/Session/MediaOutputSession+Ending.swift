package import HostInterface

extension MediaOutputSession {
    /// The way in which playback ended that didn't fail. People see it. Available on Linux only.
    public enum Ending: Sendable, Hashable {
        /// The media played to its end.
        case finished
        /// A person stopped playback on the device, or other media took its place there.
        case interrupted
        /// Another app or other media took its place on the device; the name is for people.
        case takenOver(by: String)

        package init(_ ending: ReportedEnding) {
            self =
                switch ending {
                case .finished: .finished
                case .interrupted: .interrupted
                case .takenOver(let name): .takenOver(by: name)
                }
        }

        var reported: ReportedEnding {
            switch self {
            case .finished: .finished
            case .interrupted: .interrupted
            case .takenOver(let name): .takenOver(by: name)
            }
        }
    }
}
