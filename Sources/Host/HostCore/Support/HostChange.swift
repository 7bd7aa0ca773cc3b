package import Foundation
package import HostInterface

/// A change of the host for its surfaces (D-Bus, desktop, page), in order.
package enum HostChange: Sendable {
    case device(HostDevice)
    case deviceRemoved(id: String)
    case session(HostSession)
    /// The session has ended and its object is removed. Its last state was published before.
    case sessionRemoved(id: String)
    case extensionStatus(ExtensionStatus)
    /// The extension is no longer installed.
    case extensionRemoved(id: String)
    /// The current problems of discovery and storage; empty if there are none.
    case problems([HostError])
    /// A Boolean value that indicates whether the first discovery is complete.
    case settled(Bool)
    /// New, changed and ended (`nil`) leases: whether the list is complete and every device in it checked.
    case leases([String: Bool?])
    /// Bytes from the remote application of a session.
    case sessionData(session: String, Data)
    /// Bytes from the extension itself.
    case routeData(device: String, Data)
    /// The current routes of apps, after each change of them or of an app's processes.
    case applicationRoutes([RoutedApplication])
    /// An extension of ``ExtensionPoint/remoteMedia`` did something.
    case remoteMedia(SupervisedEvent)
    /// Resumed once everything before it was published.
    case barrier(CheckedContinuation<Void, Never>)
}
