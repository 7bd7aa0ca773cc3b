import DBus
import Testing

@testable import BlueZ

@Suite struct BlueZErrorTests {
    @Test(arguments: [
        ("org.bluez.Error.AuthenticationFailed", "Authentication Failed", BlueZError.Code.authenticationFailed),
        ("org.bluez.Error.AuthenticationCanceled", "Authentication Canceled", .authenticationCancelled),
        ("org.bluez.Error.AuthenticationRejected", "Authentication Rejected", .authenticationRejected),
        ("org.bluez.Error.AuthenticationTimeout", "Authentication Timeout", .authenticationTimedOut),
        ("org.bluez.Error.ConnectionAttemptFailed", "Page Timeout", .unreachable),
        ("org.bluez.Error.AlreadyExists", "Already Exists", .alreadyPaired),
        ("org.bluez.Error.NotReady", "Resource Not Ready", .notPowered),
        ("org.bluez.Error.Blocked", "Blocked through rfkill", .blocked),
        ("org.bluez.Error.NotAvailable", "br-connection-profile-unavailable", .noProfile),
        ("org.bluez.Error.Failed", "br-connection-profile-unavailable", .noProfile),
        ("org.bluez.Error.Failed", "br-connection-page-timeout", .unreachable),
        ("org.bluez.Error.Failed", "Host is down", .unreachable),
        ("org.bluez.Error.Failed", "Protocol not available", .noProfile),
        ("org.bluez.Error.Failed", "something new", .failed),
        ("org.bluez.Error.SomethingNew", "", .failed),
        ("org.freedesktop.DBus.Error.ServiceUnknown", "not provided", .notRunning),
        ("org.freedesktop.DBus.Error.Spawn.ChildExited", "exited", .notRunning),
        ("org.freedesktop.DBus.Error.AccessDenied", "rejected by policy", .accessDenied),
        ("org.freedesktop.DBus.Error.UnknownObject", "no such object", .noSuchDevice),
        ("org.freedesktop.DBus.Error.NoReply", "the peer left", .timedOut),
    ])
    func everyErrorHasItsCode(name: String, message: String, code: BlueZError.Code) {
        let error = BlueZError(DBusError(name: name, message: message))
        #expect(error.code == code)
        #expect(!error.message.isEmpty)
    }

    @Test func aRefusedAttributeSaysWhy() {
        let error = BlueZError(
            DBusError(name: "org.bluez.Error.Failed", message: "Operation failed with ATT error: 0x0e (Unlikely)"))
        #expect(error.attributeError == 0x0e)
        #expect(BlueZError(DBusError(name: "org.bluez.Error.Failed", message: "ATT error: 0x")).attributeError == nil)
    }
}
