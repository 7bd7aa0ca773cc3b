package import DBus
import DataChannels
package import Foundation
import HostInterface
import LinkProtocol

/// Data between apps and extensions.
extension MediaHost {
    /// Sends data to the extension itself, over the open route.
    package func sendRouteData(_ data: Data, device id: String) async throws {
        let route = try await dataRoute(of: id)
        try await send(data, to: HostNames.extensionApplication, route)
    }

    /// Sends data to the session's remote application.
    package func sendSessionData(_ data: Data, session id: String) async throws {
        let (application, route) = try remoteApplication(of: id)
        try await send(data, to: application, route)
    }

    /// Opens a data channel to the extension itself, over the open route.
    ///
    /// - Returns: The client's end.
    package func openRouteChannel(device id: String) async throws -> DBusDescriptor {
        let route = try await dataRoute(of: id)
        return try await openChannel(to: HostNames.extensionApplication, route)
    }

    /// Opens a data channel to the session's remote application.
    ///
    /// - Returns: The client's end.
    package func openSessionChannel(session id: String) async throws -> DBusDescriptor {
        let (application, route) = try remoteApplication(of: id)
        return try await openChannel(to: application, route)
    }

    private func dataRoute(of id: String) async throws -> Route {
        guard let used = try parts(of: id).first(where: { routes[$0.id] != nil }) else {
            throw HostError(.noSuchSession, "The device is not active.")
        }
        try await awaitRecovery(of: used.id)
        guard let route = routes[used.id] else { throw HostError(.noSuchSession, "The device is no longer active.") }
        return route
    }

    private func remoteApplication(of id: String) throws -> (application: String, route: Route) {
        let session = try session(id)
        guard let application = session.application, let route = routes[session.deviceID] else {
            throw HostError(.notSupported, "Only a session with a remote application has a data channel.")
        }
        return (application, route)
    }

    private func send(_ data: Data, to application: String, _ route: Route) async throws {
        try await runner.perform(
            .sendData(data, application: application, session: route.linkSession), on: route.extensionIdentifier)
    }

    private func openChannel(to application: String, _ route: Route) async throws -> DBusDescriptor {
        guard let (own, theirs) = DataSocket.pair() else {
            throw HostError(.limitExceeded, "No more descriptors for a data channel.")
        }
        try await runner.perform(
            .openDataChannel(theirs, application: application, session: route.linkSession),
            on: route.extensionIdentifier)
        return own
    }
}
