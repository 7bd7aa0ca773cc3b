import DBus

extension BlueZError {
    private static let prefix = "org.bluez.Error."

    /// Reads an error reply of bluetoothd, or of the bus on the way to it.
    init(_ error: DBusError) {
        guard error.name.hasPrefix(Self.prefix) else {
            self.init(busError: error)
            return
        }
        let name = String(error.name.dropFirst(Self.prefix.count))
        let code: Code =
            switch name {
            case "AlreadyExists": .alreadyPaired
            case "AlreadyConnected", "InProgress", "Busy": .inProgress
            case "AuthenticationCanceled", "Canceled": .authenticationCancelled
            case "AuthenticationFailed": .authenticationFailed
            case "AuthenticationRejected", "Rejected": .authenticationRejected
            case "AuthenticationTimeout": .authenticationTimedOut
            case "Blocked": .blocked
            case "ConnectionAttemptFailed": .unreachable
            case "DoesNotExist": .noSuchDevice
            case "InvalidArguments", "InvalidOffset", "InvalidValueLength": .invalidArguments
            case "NoSuchAdapter": .noAdapter
            case "NotAuthorized", "NotPermitted": .notPermitted
            case "NotAvailable": .noProfile
            case "NotConnected": .notConnected
            case "NotReady": .notPowered
            case "NotSupported": .notSupported
            default: Self.code(ofFailure: error.message)
            }
        self.init(
            code, error.message.isEmpty ? "\(name)." : error.message,
            attributeError: Self.attributeError(in: error.message))
    }

    /// Returns the code for a `Failed` error, whose only detail is its text: that of `strerror` until 5.61, and since
    /// then of bluetoothd's `error.c`.
    private static func code(ofFailure message: String) -> Code {
        let words: [(part: String, code: Code)] = [
            ("page-timeout", .unreachable), ("Host is down", .unreachable), ("connection-timeout", .unreachable),
            ("Connection timed out", .unreachable), ("connection-abort-by-remote", .unreachable),
            ("aborted-by-remote", .unreachable), ("connection-refused", .unreachable),
            ("Connection refused", .unreachable), ("Connection reset", .unreachable),
            ("connection-abort-by-local", .unreachable), ("connection-unknown", .unreachable),
            ("Software caused connection abort", .unreachable), ("No route to host", .unreachable),
            ("profile-unavailable", .noProfile), ("Protocol not available", .noProfile),
            ("busy", .inProgress), ("already-connected", .inProgress), ("already in progress", .inProgress),
            ("adapter-not-powered", .notPowered), ("not-powered", .notPowered), ("rfkill", .blocked),
            ("key-missing", .authenticationFailed), ("canceled", .authenticationCancelled),
            ("not-supported", .notSupported), ("Not connected", .notConnected),
        ]
        return words.first { message.contains($0.part) }?.code ?? .failed
    }

    private static func attributeError(in message: String) -> UInt8? {
        guard let range = message.firstRange(of: "ATT error: 0x") else { return nil }
        return UInt8(message[range.upperBound...].prefix { $0.isHexDigit }, radix: 16)
    }

    private init(busError error: DBusError) {
        let code: Code
        switch error.name {
        case DBusError.Name.serviceUnknown, DBusError.Name.nameHasNoOwner: code = .notRunning
        case let name where name.hasPrefix("org.freedesktop.DBus.Error.Spawn"): code = .notRunning
        case let name where name.hasPrefix("org.freedesktop.systemd1."): code = .notRunning
        case DBusError.Name.disconnected: code = .noSystemBus
        case DBusError.Name.accessDenied: code = .accessDenied
        // bluetoothd takes an object away with all its interfaces.
        case DBusError.Name.unknownObject, DBusError.Name.unknownMethod, DBusError.Name.unknownInterface:
            code = .noSuchDevice
        case DBusError.Name.noReply, DBusError.Name.timeout: code = .timedOut
        case DBusError.Name.invalidArguments: code = .invalidArguments
        default: code = error.message == "cancelled" ? .cancelled : .failed
        }
        self.init(code, error.message)
    }
}
