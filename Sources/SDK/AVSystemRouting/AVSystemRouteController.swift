import Foundation
import Synchronization

/// Tells this app when a person routes its media to a device.
///
/// What the app supports is read from its `Info.plist` (`MDESupportedProtocols`, `MDESupportsUniversalURLPlayback`). On
/// Linux a person picks a route with `mdhost route DEVICE`, or with any program that calls `Manager1.Route`.
///
/// Source: AVSystemRouting, iOS 27 SDK.
public final class AVSystemRouteController: Sendable {
    /// The one controller of this process.
    public static let shared = AVSystemRouteController(service: RoutingService())

    private struct Observers {
        var entries: [WeakObserver] = []
    }

    private final class WeakObserver: @unchecked Sendable {
        // Only this class' lock reads it, and a weak reference is loaded atomically.
        weak var value: (any AVSystemRouteControllerObserver)?
        init(_ value: any AVSystemRouteControllerObserver) { self.value = value }
    }

    private let observers = Mutex(Observers())
    private let service: RoutingService

    init(service: RoutingService) {
        self.service = service
        service.setHandler { [weak self] event in await self?.handle(event) ?? false }
    }

    /// Whether this app declares support for routes and an installed extension offers some.
    ///
    /// `false` as well where the daemon cannot be reached. The first call may wait for it, at most two seconds.
    public static var supportedExtensionAvailable: Bool { shared.isSupportedExtensionAvailable }

    var isSupportedExtensionAvailable: Bool { service.supportedExtensionAvailable }

    /// Registers an observer, which is held weakly.
    ///
    /// - Returns: `false` where it is registered already, and where no event can ever come: the `Info.plist` declares neither
    ///   a protocol nor universal URL playback, or the daemon could not be reached for half a minute, which is then tried
    ///   again.
    public func addObserver(_ observer: any AVSystemRouteControllerObserver) -> Bool {
        guard service.isAvailable else {
            service.start()
            return false
        }
        let isNew = observers.withLock { observers in
            observers.entries.removeAll { $0.value == nil }
            guard !observers.entries.contains(where: { $0.value === observer }) else { return false }
            observers.entries.append(WeakObserver(observer))
            return true
        }
        if isNew { service.start() }
        return isNew
    }

    /// Removes an observer; no effect where it is not registered.
    public func removeObserver(_ observer: any AVSystemRouteControllerObserver) {
        observers.withLock { observers in
            observers.entries.removeAll { $0.value == nil || $0.value === observer }
        }
    }

    /// Asks the observers in order of registration; the first that handles the event ends it.
    func handle(_ event: AVSystemRouteEvent) async -> Bool {
        for observer in observers.withLock({ $0.entries }) {
            guard let value = observer.value else { continue }
            if await value.systemRouteController(self, handle: event) { return true }
        }
        return false
    }
}
