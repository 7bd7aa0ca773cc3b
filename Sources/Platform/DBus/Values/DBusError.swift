import Glibc

/// An error reply of D-Bus, or a failure of the connection in the same shape.
package struct DBusError: Error, Sendable, Hashable {
    /// `org.freedesktop.DBus.Error.NoReply`; see ``Name`` for those of D-Bus itself.
    package let name: String
    package let message: String

    package init(name: String, message: String) {
        self.name = name
        self.message = message
    }

    /// Names of the D-Bus specification, or else those of sd-bus.
    package enum Name {
        package static let noReply = prefix + "NoReply"
        package static let timeout = prefix + "Timeout"
        package static let serviceUnknown = prefix + "ServiceUnknown"
        /// The connection is closed, was never opened, or could not be made.
        package static let disconnected = prefix + "Disconnected"
        package static let nameHasNoOwner = prefix + "NameHasNoOwner"
        package static let unknownObject = prefix + "UnknownObject"
        package static let unknownInterface = prefix + "UnknownInterface"
        package static let unknownMethod = prefix + "UnknownMethod"
        package static let unknownProperty = prefix + "UnknownProperty"
        package static let invalidArguments = prefix + "InvalidArgs"
        package static let accessDenied = prefix + "AccessDenied"
        package static let limitsExceeded = prefix + "LimitsExceeded"
        package static let failed = prefix + "Failed"
        package static let propertyReadOnly = prefix + "PropertyReadOnly"
        /// Another connection or process has the bus name or socket path.
        package static let addressInUse = prefix + "AddressInUse"

        private static let prefix = "org.freedesktop.DBus.Error."
    }
}

extension DBusError: CustomStringConvertible {
    package var description: String { message.isEmpty ? name : message }
}

/// An error that knows how it looks as an error reply.
package protocol DBusErrorConvertible: Error {
    var asDBusError: DBusError { get }
}

extension DBusError: DBusErrorConvertible {
    package var asDBusError: DBusError { self }
}

extension DBusError {
    static let cancelled = DBusError(name: Name.failed, message: "cancelled")

    static func disconnected(_ message: String = "the connection is closed") -> DBusError {
        DBusError(name: Name.disconnected, message: message)
    }

    static func tooLarge() -> DBusError {
        DBusError(name: Name.limitsExceeded, message: "The message has too many or too large arguments.")
    }

    static func invalidArguments(_ message: String) -> DBusError {
        DBusError(name: Name.invalidArguments, message: message)
    }

    /// - Parameter code: A positive `errno`.
    init(code: Int32, _ doing: String) {
        let name =
            switch code {
            case ENOTCONN, ECONNRESET, EPIPE, ESHUTDOWN, ECONNREFUSED: Name.disconnected
            case ETIMEDOUT: Name.timeout
            case EINVAL, ENXIO, EBADMSG: Name.invalidArguments
            case EACCES, EPERM: Name.accessDenied
            case EADDRINUSE, EEXIST: Name.addressInUse
            default: Name.failed
            }
        self.init(name: name, message: "\(doing): \(String(cString: strerror(code)))")
    }
}

/// Turns a negative result of sd-bus into an error.
@discardableResult
func check(_ result: Int32, _ doing: @autoclosure () -> String) throws(DBusError) -> Int32 {
    guard result >= 0 else { throw DBusError(code: -result, doing()) }
    return result
}
