import Foundation

/// The base class of remote devices.
///
/// - Note: `@unchecked Sendable`, like its subclass, because the compiler can't check a superclass. It is immutable.
public class CBPeer: @unchecked Sendable {
    /// The identifier of the device. It is stable on this computer unless the device uses private addresses.
    public let identifier: UUID

    init(_ identifier: UUID) { self.identifier = identifier }
}
