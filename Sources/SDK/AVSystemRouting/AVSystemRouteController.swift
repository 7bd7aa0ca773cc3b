import Foundation
import Synchronization

/// A controller that tells this app when a person routes its media to a device.
///
/// The app's `Info.plist` declares its support (`MDESupportedProtocols`, `MDESupportsUniversalURLPlayback`). On Linux a
/// person picks a route with `mdhost route DEVICE`, or with any program that calls `Manager1.Route`.
///
/// Source: AVSystemRouting, iOS 27 SDK.
public final class AVSystemRouteController: Sendable {
    /// The only controller of this process.
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

    /// A Boolean value that indicates whether this app declares support for routes and an installed extension offers a
    /// matching one.
    ///
    /// Also `false` if the daemon isn't reachable. The call can block for up to two seconds while it connects to the
    /// daemon.
    public static var supportedExtensionAvailable: Bool { shared.isSupportedExtensionAvailable }

    var isSupportedExtensionAvailable: Bool { service.supportedExtensionAvailable }

    /// Registers an observer, which is held weakly.
    ///
    /// - Returns: `false` if the observer is already registered, or if no event can arrive: the `Info.plist` declares
    ///   neither a protocol nor universal URL playback, or the daemon was unreachable for half a minute. In the last
    ///   case the controller starts to connect again; call the method again later.
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

    /// Removes an observer; no effect if it isn't registered.
    public func removeObserver(_ observer: any AVSystemRouteControllerObserver) {
        observers.withLock { observers in
            observers.entries.removeAll { $0.value == nil || $0.value === observer }
        }
    }

    func showPicker() async throws { try await service.showPicker() }

    /// Asks the observers in order of registration, until one handles the event.
    func handle(_ event: AVSystemRouteEvent) async -> Bool {
        for observer in observers.withLock({ $0.entries }) {
            guard let value = observer.value else { continue }
            if await value.systemRouteController(self, handle: event) { return true }
        }
        return false
    }
}
