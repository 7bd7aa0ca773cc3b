import DBus
import HostInterface

extension DBusValue {
    static func strings(_ values: [String]) -> DBusValue { .array(of: "s", values.map(DBusValue.string)) }

    /// `ao`: the paths of devices.
    static func devices(_ ids: [String]) -> DBusValue {
        .array(of: "o", ids.map { .objectPath(HostNames.devicePath($0)) })
    }

    /// Returns `(ss)`, the code and sentence of an error; both are empty without an error.
    static func error(_ error: HostError?) -> DBusValue {
        .structure([.string(error?.code.rawValue ?? ""), .string(error?.message ?? "")])
    }
}

extension HostError {
    static let badArguments = HostError(.invalidArgument, "The arguments do not fit; introspection shows their types.")
    /// The error for a client that has disconnected.
    static let clientGone = HostError(.cancelled, "The client did not wait for the answer.")
}

extension DBusClient {
    /// Names the client among the holders of routes and leases.
    var holder: String { "\(connection)/\(busName ?? "")" }
}
