/// Sizes beyond which a server is not believed, in bytes.
public struct MPDLimits: Sendable, Hashable {
    /// One line without its line break; tags and addresses are the long ones.
    public var line = 65_536
    /// All lines of one response together, without binary data.
    public var response = 1_048_576
    /// One binary chunk; MPD's `binarylimit` starts at 8,192.
    public var binary = 1_048_576
    /// One command with its line break. MPD closes the connection over a line its 8,192-byte buffer cannot hold.
    public var command = 8_000

    public init() {}
}
