/// The link between an extension and its host, as far as an extension may judge it: who is at the other end.
///
/// On Linux it stands for the D-Bus link the extension was launched with; messages are none of its business.
public final class NSXPCConnection: Sendable {
    /// The host's process; 0 if the system does not tell.
    public let processIdentifier: Int32
    /// The user the host runs as.
    public let effectiveUserIdentifier: UInt32
    /// The group the host runs as.
    public let effectiveGroupIdentifier: UInt32

    /// Describes the other end of a link.
    package init(processIdentifier: Int32, effectiveUserIdentifier: UInt32, effectiveGroupIdentifier: UInt32) {
        self.processIdentifier = processIdentifier
        self.effectiveUserIdentifier = effectiveUserIdentifier
        self.effectiveGroupIdentifier = effectiveGroupIdentifier
    }
}
