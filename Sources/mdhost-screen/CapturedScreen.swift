import Foundation
import HostInterface
import ScreenEncoding
import ScreenInterface

/// The opened source of pictures. Its pictures are for one thread.
final class CapturedScreen: @unchecked Sendable {
    let kind: ScreenFacts.Source
    /// The X display's name.
    let display: String?
    let source: any PictureSource
    /// The sharing lasts as long as this object.
    private let portal: PortalScreen?

    private init(
        kind: ScreenFacts.Source, display: String? = nil, source: any PictureSource, portal: PortalScreen? = nil
    ) {
        self.kind = kind
        self.display = display
        self.source = source
        self.portal = portal
    }

    /// Opens the wanted screen: the X display that was named, else one that the person selects in the desktop's portal,
    /// else the X display of this session.
    ///
    /// - Parameter onEnd: Called when the desktop ends the sharing.
    static func open(
        _ request: ScreenRequest, control: ControlSocket, onEnd: @escaping @Sendable (HostError) -> Void
    ) async throws(HostError) -> CapturedScreen {
        if let display = request.display { return try open(display: display, request) }
        if let portal = await PortalScreen.find() {
            let grant = try await ask(portal, request, control, onEnd: onEnd)
            return CapturedScreen(
                kind: grant.kind, source: try PortalSource(grant, rate: request.rate), portal: portal)
        }
        let environment = ProcessInfo.processInfo.environment
        // Of a Wayland desktop's X display nothing but X programs would be seen, or nothing at all.
        guard environment["WAYLAND_DISPLAY"] ?? "" == "", let display = environment["DISPLAY"], !display.isEmpty else {
            throw HostError(
                .notSupported, "There is no screen to show: the desktop has no portal that shares screens.",
                remedy:
                    "Run it inside the desktop session with xdg-desktop-portal, or name an X display with --display.")
        }
        return try open(display: display, request)
    }

    private static func ask(
        _ portal: PortalScreen, _ request: ScreenRequest, _ control: ControlSocket,
        onEnd: @escaping @Sendable (HostError) -> Void
    ) async throws(HostError) -> PortalScreen.Grant {
        var stored: StoredPermission?
        if let path = request.permission {
            if await portal.givesPermissions {
                stored = StoredPermission(path: path)
            } else {
                control.send(.notice("This desktop can't remember what was shared: it asks each time."))
            }
        }
        let permission = stored?.take()
        // The desktop asks all the same if what was shared is gone, or the permission was taken back.
        if permission ?? "" == "" { control.send(.asking) }
        let grant = try await portal.ask(permission: permission, onEnd: { onEnd(Self.loss) })
        guard let stored else { return grant }
        if let next = grant.permission {
            do throws(HostError) { try stored.keep(next) } catch { control.send(.notice(error.message)) }
        } else {
            control.send(.notice("The desktop didn't allow to share it again without asking."))
        }
        return grant
    }

    private static func open(display: String, _ request: ScreenRequest) throws(HostError) -> CapturedScreen {
        do throws(ScreenEncodingError) {
            let source = try DisplaySource(display: display, rate: request.rate)
            return CapturedScreen(kind: .display, display: display, source: source)
        } catch {
            throw HostError(
                .invalidArgument, "Couldn't capture the X display “\(display)”: \(error.reason).",
                remedy: "Check that it runs, and that this user may connect to it.")
        }
    }

    func size(within request: ScreenRequest) -> PictureSize {
        source.size.fitting(within: PictureSize(width: request.width, height: request.height))
    }

    /// The error for a source that gives no more pictures.
    var loss: HostError {
        guard let display else { return Self.loss }
        return HostError(.sessionFailed, "The X display “\(display)” is gone, or changed its size.")
    }

    private static let loss = HostError(.sessionFailed, "The desktop stopped sharing the screen.")
}
