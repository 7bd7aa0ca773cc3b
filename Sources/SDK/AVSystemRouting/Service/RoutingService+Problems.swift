import Foundation
import HostClient
import HostInterface

/// What goes wrong in this app, and why it cannot begin.
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

    /// Why a session cannot be added to the route now; `nil` where it can.
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

    /// Tells of something that failed beside what the app asked for: on the app's standard error, to whoever picked the
    /// device while the app is still being told, and otherwise in the log and the status of the daemon.
    ///
    /// - Parameter path: Object path of the device or of a session.
    nonisolated func report(_ problem: String, about path: String) {
        FileHandle.standardError.write(Data("AVSystemRouting: \(problem)\n".utf8))
        Task { await self.tell(problem, about: path) }
    }

    private func tell(_ problem: String, about path: String) async {
        let device = sessions[path]?.device ?? path
        guard !note(problem, about: device) else { return }
        // Without a daemon nobody is there to tell.
        try? await client?.reportProblem(problem, device: device)
    }

    /// Keeps a problem for the answer to the event that is being handled.
    ///
    /// - Returns: Whether one is.
    @discardableResult
    func note(_ problem: String, about device: String) -> Bool {
        guard let known = problems[device] else { return false }
        // The first is what is told.
        if known.isEmpty { problems[device] = [problem] }
        return true
    }
}
