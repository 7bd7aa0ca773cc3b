import Foundation
import HostInterface

/// What the host tells its surfaces (D-Bus, desktop, page), in order.
package enum HostChange: Sendable {
    case device(HostDevice)
    case deviceRemoved(id: String)
    case session(HostSession)
    /// The session is over and its object goes; the last state was published before.
    case sessionRemoved(id: String)
    case extensionStatus(ExtensionStatus)
    /// The extension is not installed any more.
    case extensionRemoved(id: String)
    /// What keeps devices from being found, or storage from working; empty when all is well.
    case problems([HostError])
    /// Whether the list of devices is as complete as a first look makes it.
    case settled(Bool)
    /// Of leases that are new, changed or over (`nil`): whether the list is complete and every device in it checked.
    case leases([String: Bool?])
    /// Bytes from the remote application of a session.
    case sessionData(session: String, Data)
    /// Bytes from the extension itself.
    case routeData(device: String, Data)
    /// An extension of ``ExtensionPoint/remoteMedia`` did something.
    case remoteMedia(SupervisedEvent)
    /// Resumed once everything before it was published.
    case barrier(CheckedContinuation<Void, Never>)
}
