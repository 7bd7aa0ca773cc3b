public import Foundation

/// The base class of remote devices.
///
/// - Note: `@unchecked Sendable`, like its subclass, because the compiler can't check a superclass. It is immutable.
public class CBPeer: @unchecked Sendable {
    /// The identifier of the device. It is stable on this computer unless the device uses private addresses.
    public let identifier: UUID

    init(_ identifier: UUID) { self.identifier = identifier }
}

/// Objects are equal if they are the same one, as on Apple's systems.
extension CBPeer: Hashable {
    public static func == (left: CBPeer, right: CBPeer) -> Bool { left === right }
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
