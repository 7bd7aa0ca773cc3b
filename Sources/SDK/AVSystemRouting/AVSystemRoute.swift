import Foundation
import HostInterface
import Synchronization
public import TypeIdentifiers

/// A device that a person picked for this app's media.
///
/// Source: AVSystemRouting, iOS 27 SDK.
public final class AVSystemRoute: Sendable {
    /// The part of the device that a session starts.
    public enum LaunchMode: Sendable, Equatable, Hashable {
        /// The app's counterpart on the device, with a data channel. Needs `MDESupportedProtocols`.
        case application
        /// The device's own player, which loads the URL itself. Needs `MDESupportsUniversalURLPlayback`.
        case player
    }

    /// The protocol that reaches the device. The type has the protocol's name and icon.
    public let protocolType: UTType
    /// The name of a symbol for the kind of device, such as `tv`, `hifispeaker` or `laptopcomputer`.
    public let routeSymbolName: String
    /// The device's name.
    public let routeDisplayName: String
    /// A channel for messages between this app and the extension; it needs no session.
    public let routeDataChannel: DataChannel

    /// The object path of the device.
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

    /// Adds a session to the route. Call it before ``AVSystemRouteSession/start()``.
    ///
    /// - Returns: `false` if the route is not active, if the session belongs to a route already or was stopped, and
    ///   if another app plays on the device. The reason is on the app's standard error, and in `mdhost status`.
    public func addSession(_ session: AVSystemRouteSession) -> Bool {
        if let refusal = service.refusal(of: self) {
            service.report("a session was not added: \(refusal)", about: path)
            return false
        }
        guard session.join(self) else {
            service.report("a session was not added: It was added before, or stopped.", about: path)
            return false
        }
        sessions.withLock { $0.append(session) }
        return true
    }

    /// Stops a session and removes it; no effect for a session of another route.
    public func removeSession(_ session: AVSystemRouteSession) {
        let isOurs = sessions.withLock { sessions in
            let count = sessions.count
            sessions.removeAll { $0 === session }
            return sessions.count < count
        }
        guard isOurs else { return }
        session.stop()
    }

    /// A Boolean value that indicates whether the route is in use: `true` from its `activate` event until its
    /// `deactivate` event.
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
