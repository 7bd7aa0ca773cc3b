/// The refusal of a command. Available on Linux only.
@MainActor
public enum PlaybackRefusal {
    private static var reason: String?
    private static var left: AVPlaybackUserInterfaceFeatures = []
    private static var depth = 0

    /// Refuses a command, from within the setter or method that performs it.
    ///
    /// The caller gets the error `not-supported` with this sentence, on the command line, over D-Bus and in the app.
    /// Only the first refusal of a command counts; outside of a command a refusal has no effect.
    ///
    /// - Parameter reason: One sentence for people.
    public static func refuse(_ reason: String) {
        if depth > 0, Self.reason == nil { Self.reason = reason }
    }

    /// Performs a command.
    ///
    /// - Returns: The reason of the refusal; `nil` if the command wasn't refused.
    package static func collect(_ command: () -> Void) -> String? {
        if depth == 0 { reason = nil }
        depth += 1
        defer { depth -= 1 }
        command()
        return reason
    }

    /// Reads a control object.
    ///
    /// - Returns: The value, and the features whose properties have their default implementation.
    package static func readings<Value>(_ read: () -> Value) -> (
        value: Value, defaults: AVPlaybackUserInterfaceFeatures
    ) {
        left = []
        return (read(), left)
    }

    static func readDefault(of feature: AVPlaybackUserInterfaceFeatures) { left.formUnion(feature) }
}

/// The features of a control object that not every device has. Available on Linux only.
///
/// ``AVPlaybackUserInterfaceSeekCapabilities`` covers seeking and scanning, the lists of options cover audio and
/// subtitles.
public struct AVPlaybackUserInterfaceFeatures: OptionSet, Sendable, Hashable {
    /// The bits of the set.
    public let rawValue: UInt

    /// Creates a set from its bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// Playback at a speed other than 1.
    public static let playbackSpeed = AVPlaybackUserInterfaceFeatures(rawValue: 1 << 0)
    /// Mute.
    public static let mute = AVPlaybackUserInterfaceFeatures(rawValue: 1 << 1)
    /// Volume.
    public static let volume = AVPlaybackUserInterfaceFeatures(rawValue: 1 << 2)
}
