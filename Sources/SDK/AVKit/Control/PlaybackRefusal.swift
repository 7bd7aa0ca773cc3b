/// Refuses what people ask of a device. Only on Linux.
@MainActor
public enum PlaybackRefusal {
    private static var reason: String?
    private static var left: AVPlaybackUserInterfaceFeatures = []
    private static var depth = 0

    /// Says, from within a setter or a method that carries out a command, that the device does not do it.
    ///
    /// Whoever asked gets the error `not-supported` with this sentence, on the command line, over D-Bus and in the app.
    /// Of several refusals of one command the first counts; outside of a command a refusal has no effect.
    public static func refuse(_ reason: String) {
        if depth > 0, Self.reason == nil { Self.reason = reason }
    }

    /// Carries out a command.
    ///
    /// - Returns: The sentence it was refused with; `nil` where it was not.
    package static func collect(_ command: () -> Void) -> String? {
        if depth == 0 { reason = nil }
        depth += 1
        defer { depth -= 1 }
        command()
        return reason
    }

    /// Reads a control object.
    ///
    /// - Returns: What was read, and the features whose properties were left to their defaults.
    package static func readings<Value>(_ read: () -> Value) -> (
        value: Value, defaults: AVPlaybackUserInterfaceFeatures
    ) {
        left = []
        return (read(), left)
    }

    static func readDefault(of feature: AVPlaybackUserInterfaceFeatures) { left.formUnion(feature) }
}

/// Parts of a control object that not every device has. Only on Linux.
///
/// Seeking and scanning are told by ``AVPlaybackUserInterfaceSeekCapabilities``, choices of audio and text by their lists.
public struct AVPlaybackUserInterfaceFeatures: OptionSet, Sendable, Hashable {
    /// The bits of the set.
    public let rawValue: UInt

    /// Makes a set from its bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// Playing at another speed than 1.
    public static let playbackSpeed = AVPlaybackUserInterfaceFeatures(rawValue: 1 << 0)
    /// Muting.
    public static let mute = AVPlaybackUserInterfaceFeatures(rawValue: 1 << 1)
    /// A level.
    public static let volume = AVPlaybackUserInterfaceFeatures(rawValue: 1 << 2)
}
