import Foundation
import HostInterface
import Synchronization
import TypeIdentifiers

/// A device a person picked for this app's media.
///
/// Source: AVSystemRouting, iOS 27 SDK.
public final class AVSystemRoute: Sendable {
    /// What a session starts on the device.
    public enum LaunchMode: Sendable, Equatable, Hashable {
        /// The app's counterpart on the device, with a data channel. Needs `MDESupportedProtocols`.
        case application
        /// The device's own player, which loads the URL itself. Needs `MDESupportsUniversalURLPlayback`.
        case player
    }

    /// Which protocol reaches the device; name and icon come from the type.
    public let protocolType: UTType
    /// The name of a symbol for the destination, by its kind: `tv`, `hifispeaker`, `laptopcomputer` ….
    public let routeSymbolName: String
    /// The device's name.
    public let routeDisplayName: String
    /// Messages between this app and the extension itself; needs no session.
    public let routeDataChannel: DataChannel

    /// Object path of the device.
    let path: String
    let service: RoutingService
    private let sessions = Mutex<[AVSystemRouteSession]>([])
    private let active = Mutex(false)

    init(path: String, name: String, type: String, protocolType: UTType, service: RoutingService) {
        self.path = path
        self.service = service
        self.protocolType = protocolType
        routeDisplayName = name
        routeSymbolName = Self.symbol(for: type)
        routeDataChannel = DataChannel(
            path: path, interface: HostNames.deviceInterface, service: service)
    }

    /// Adds a session that has not been started; must come before ``AVSystemRouteSession/start()``.
    ///
    /// - Returns: `false` where the route is not active, where the session belongs to a route already, or was stopped.
    public func addSession(_ session: AVSystemRouteSession) -> Bool {
        guard isActive, session.join(self) else { return false }
        sessions.withLock { $0.append(session) }
        return true
    }

    /// Removes a session, stopping it first; no effect for a session of another route.
    public func removeSession(_ session: AVSystemRouteSession) {
        let isOurs = sessions.withLock { sessions in
            let count = sessions.count
            sessions.removeAll { $0 === session }
            return sessions.count < count
        }
        guard isOurs else { return }
        session.stop()
    }

    /// Whether the person wants the app's media there: from the event that activates it until the one that deactivates it.
    var isActive: Bool {
        get { active.withLock { $0 } }
        set { active.withLock { $0 = newValue } }
    }

    private static func symbol(for type: String) -> String {
        switch type {
        case "speaker": "hifispeaker"
        case "speaker-pair": "hifispeaker.2"
        case "tv-and-speaker": "tv.and.hifispeaker.fill"
        case "tv-and-mediabox": "tv.and.mediabox"
        case "media-stick": "mediastick"
        case "laptop": "laptopcomputer"
        case "desktop": "desktopcomputer"
        default: "tv"
        }
    }
}
