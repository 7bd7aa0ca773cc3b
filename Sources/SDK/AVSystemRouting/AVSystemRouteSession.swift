public import Foundation
import HostInterface
import PlaybackMirroring
import Synchronization

/// One playback, or one launch of a remote application, on a route. A session can be used once.
///
/// Call `init`, ``AVSystemRoute/addSession(_:)``, ``start()``, ``stop()`` and ``AVSystemRoute/removeSession(_:)``, in
/// this order.
///
/// Source: AVSystemRouting, iOS 27 SDK.
public final class AVSystemRouteSession: Sendable {
    private enum Phase {
        case new
        case added(AVSystemRoute)
        case starting(AVSystemRoute)
        case running(AVSystemRouteMediaSession)
        case stopped
    }

    /// The URL to play, or a URL that the remote application understands.
    let url: URL
    let mode: AVSystemRoute.LaunchMode
    private let phase = Mutex(Phase.new)

    /// Creates a session; ``AVSystemRoute/addSession(_:)`` adds it to a route.
    ///
    /// - Parameters:
    ///   - url: A URL that the device can open, a file on this computer, or a URL that only the remote application
    ///     understands.
    ///   - mode: The part of the device to start.
    public init(url: URL, mode: AVSystemRoute.LaunchMode) {
        self.url = url
        self.mode = mode
    }

    /// Starts the session on its route.
    ///
    /// If the daemon ends meanwhile, the next one resumes the playback that the device began, or begins it.
    ///
    /// - Returns: Once the device accepted it, the control object and, in `.application` mode, the data channel.
    /// - Throws: ``AVSystemRoutingError``: not added to a route, used before, not declared in the `Info.plist`, or the
    ///   device's own reason. Remove the session from its route then.
    public func start() async throws -> AVSystemRouteMediaSession {
        let route = phase.withLock { phase -> AVSystemRoute? in
            guard case .added(let route) = phase else { return nil }
            phase = .starting(route)
            return route
        }
        guard let route else { throw AVSystemRoutingError(.connectionFailed) }
        do {
            guard route.isActive else {
                throw AVSystemRoutingError(
                    HostError(.noSuchSession, "The route to \(route.routeDisplayName) is no longer active."))
            }
            let session = try await route.service.start(url, mode, on: route)
            let wasStopped = phase.withLock { phase in
                guard case .starting = phase else { return true }
                phase = .running(session)
                return false
            }
            guard !wasStopped else {
                session.stop()
                throw AVSystemRoutingError(.connectionFailed)
            }
            return session
        } catch {
            phase.withLock { $0 = .stopped }
            throw error
        }
    }

    /// Ends remote playback; later calls do nothing, and the session cannot be used again.
    public func stop() {
        let running = phase.withLock { phase -> AVSystemRouteMediaSession? in
            defer { phase = .stopped }
            guard case .running(let session) = phase else { return nil }
            return session
        }
        running?.stop()
    }

    func join(_ route: AVSystemRoute) -> Bool {
        phase.withLock { phase in
            guard case .new = phase else { return false }
            phase = .added(route)
            return true
        }
    }
}

/// The control and the data channel of a session that has started.
///
/// Source: AVSystemRouting, iOS 27 SDK.
public final class AVSystemRouteMediaSession: Sendable {
    /// The object that shows and controls playback. Observe it on the main actor. It conforms to the current and the
    /// earlier protocol.
    public var playbackControl: (any AVPlaybackUserInterfaceControllable & AVInterfaceControllable)? { control }
    /// A channel for messages to and from the remote application; `nil` in `.player` mode.
    public let dataChannel: AVSystemRoute.DataChannel?

    /// The object path of the session.
    let path: String
    private let control: MirroredPlaybackControl
    private let service: RoutingService

    init(
        path: String, control: MirroredPlaybackControl, dataChannel: AVSystemRoute.DataChannel?, service: RoutingService
    ) {
        self.path = path
        self.control = control
        self.dataChannel = dataChannel
        self.service = service
    }

    func stop() { service.stop(path) }
}
