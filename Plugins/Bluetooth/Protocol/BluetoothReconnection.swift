/// The schedule of reconnections to a lost speaker, with increasing pauses.
public struct BluetoothReconnection: Sendable, Hashable {
    private static let first = Duration.seconds(2)
    private static let longest = Duration.seconds(60)
    private var pause = Self.first

    public init() {}

    /// Returns the pause before the next attempt.
    public mutating func next() -> Duration {
        defer { pause = min(pause * 2, Self.longest) }
        return pause
    }
}
