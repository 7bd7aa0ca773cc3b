import Foundation
import HostClient
import HostInterface
import Synchronization

/// The problems in this app, and the reasons it can't start a session.
extension RoutingService {
    /// The app that plays on a device.
    struct Occupant: Sendable, Hashable {
        let identifier: String
        let name: String
    }

    func noteOccupant(of device: ClientDevice) {
        let occupant = device.playingApplication.map {
            Occupant(identifier: $0, name: device.playingApplicationName ?? $0)
        }
        occupants.withLock { $0[device.path] = occupant }
    }

    /// Returns the reason a session can't be added to the route now; `nil` if it can.
    nonisolated func refusal(of route: AVSystemRoute) -> String? {
        guard route.isActive else { return "The route to \(route.routeDisplayName) is not active." }
        guard let occupant = occupants.withLock({ $0[route.path] }), occupant.identifier != ownIdentifier else {
            return nil
        }
        return "\(occupant.name) plays on \(route.routeDisplayName)."
    }

    nonisolated private var ownIdentifier: String {
        information.bundleIdentifier ?? ProcessInfo.processInfo.processName
    }

    /// Reports a failure outside of the app's own requests: on the app's standard error, to the person who picked the
    /// device if the app is still handling that event, and otherwise in the log and the status of the daemon.
    ///
    /// - Parameter path: Object path of the device or of a session.
    nonisolated func report(_ problem: String, about path: String) {
        try? FileHandle.standardError.write(contentsOf: Data("AVSystemRouting: \(problem)\n".utf8))
        Task { await self.tell(problem, about: path) }
    }

    private func tell(_ problem: String, about path: String) async {
        let device = sessions[path]?.device ?? path
        guard !note(problem, about: device) else { return }
        // Without a daemon there is no recipient.
        try? await client?.reportProblem(problem, device: device)
    }

    /// Keeps a problem for the answer to the event that is being handled.
    ///
    /// - Returns: Whether an event is being handled.
    @discardableResult
    func note(_ problem: String, about device: String) -> Bool {
        guard let known = problems[device] else { return false }
        // Only the first problem is reported.
        if known.isEmpty { problems[device] = [problem] }
        return true
    }
}
