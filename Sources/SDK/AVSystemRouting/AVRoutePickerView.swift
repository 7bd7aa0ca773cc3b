import HostInterface

/// A picker of routes for this app.
///
/// On iOS this is a button in the app's own interface. On Linux the picker is mdhost's page in the person's browser, and
/// the app decides when to show it.
///
/// Source: the name and the role are those of AVKit's class; all members are mdhost's.
public final class AVRoutePickerView: Sendable {
    private let controller: AVSystemRouteController

    /// Creates a picker.
    ///
    /// - Parameter controller: The controller whose observers get the route.
    public init(controller: AVSystemRouteController = .shared) { self.controller = controller }

    /// Opens the picker in the browser, with the devices that this app can play on.
    ///
    /// Returns when it is open. The device that the person picks arrives as a route at the controller's observers.
    ///
    /// - Throws: ``AVSystemRoutingError`` if no daemon is reachable, if the app's `Info.plist` declares no support, or if
    ///   no browser can be opened.
    public func present() async throws { try await controller.presentRoutePicker() }
}

extension AVSystemRouteController {
    /// Opens the picker of routes for this app in the person's browser. Available on Linux only.
    ///
    /// The same as ``AVRoutePickerView/present()``.
    ///
    /// - Throws: ``AVSystemRoutingError`` if no daemon is reachable, if the app's `Info.plist` declares no support, or if
    ///   no browser can be opened.
    public func presentRoutePicker() async throws { try await showPicker() }
}
