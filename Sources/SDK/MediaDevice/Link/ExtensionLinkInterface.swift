import DBus
import HostInterface

/// The `org.mdhost.ExtensionLink1` interface, the extension's side of the link.
enum ExtensionLinkInterface {
    /// Returns the interface to export.
    ///
    /// - Parameter deliver: A function that receives every call on the link's loop, in wire order, and answers it.
    static func make(deliver: @escaping @Sendable (DBusMethodCall) -> Void) -> DBusInterface {
        func method(
            _ name: String, _ arguments: [(name: String, signature: String)] = [],
            out: [(name: String, signature: String)] = []
        ) -> DBusMethod {
            DBusMethod(name, in: arguments, out: out, handler: deliver)
        }
        return DBusInterface(
            HostNames.extensionLinkInterface,
            methods: [
                method("Ping"),
                method("StartDeviceDiscovery"),
                method("StopDeviceDiscovery"),
                method(
                    "ActivateDevice",
                    [("description", "a{sv}"), ("session", "s"), ("capabilities", "x"), ("credential", "ay")]),
                method(
                    "ConnectUsingPairingCode",
                    [("cancelled", "b"), ("code", "s"), ("device", "s"), ("session", "s")]),
                method("DeactivateDevice", [("device", "s"), ("session", "s")]),
                method("SetVolume", [("device", "s"), ("level", "d")]),
                method("ChangeVolume", [("device", "s"), ("increments", "i")]),
                method("MuteDevice", [("device", "s")]),
                method("GetVolume", [("device", "s")], out: [("level", "d"), ("muted", "b")]),
                method(
                    "StartSession", [("session", "s"), ("identifier", "s"), ("url", "s"), ("information", "a{sv}")]),
                method(
                    "AdoptSession",
                    [
                        ("session", "s"), ("identifier", "s"), ("url", "s"), ("information", "a{sv}"), ("token", "ay"),
                    ]),
                method("StopSession", [("session", "s")]),
                method("SendData", [("data", "ay"), ("application", "s"), ("session", "s")]),
                method("PlaybackCommand", [("session", "s"), ("command", "a{sv}")]),
                method(Self.announcementEvents, [("announcement", "u"), ("events", "aa{sv}")]),
                method(Self.bluetoothAnswers, [("request", "u"), ("answers", "aa{sv}")]),
                method(Self.browserEvents, [("browser", "u"), ("events", "aa{sv}")]),
                method(Self.centralEvents, [("manager", "u"), ("events", "aa{sv}")]),
            ])
    }

    static let announcementEvents = "AnnouncementEvents"
    static let bluetoothAnswers = "BluetoothAnswers"
    static let browserEvents = "BrowserEvents"
    static let centralEvents = "CentralEvents"
}
