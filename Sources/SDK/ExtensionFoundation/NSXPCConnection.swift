/// The peer of the link between an extension and its host.
///
/// On Linux it represents the D-Bus link that the extension inherits. It doesn't carry messages.
public final class NSXPCConnection: Sendable {
    /// The process of the host; 0 if unknown.
    public let processIdentifier: Int32
    /// The user of the host.
    public let effectiveUserIdentifier: UInt32
    /// The group of the host.
    public let effectiveGroupIdentifier: UInt32

    /// Creates a description of a peer.
    package init(processIdentifier: Int32, effectiveUserIdentifier: UInt32, effectiveGroupIdentifier: UInt32) {
        self.processIdentifier = processIdentifier
        self.effectiveUserIdentifier = effectiveUserIdentifier
        self.effectiveGroupIdentifier = effectiveGroupIdentifier
    }
}
