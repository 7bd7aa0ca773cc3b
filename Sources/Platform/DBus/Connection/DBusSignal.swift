/// A received signal.
package struct DBusSignal: Sendable {
    /// Unique name of the sender; peer to peer the peer's own value, mostly empty.
    package let sender: String?
    package let path: String
    package let interface: String
    package let member: String
    package let arguments: [DBusValue]

    package init(sender: String?, path: String, interface: String, member: String, arguments: [DBusValue]) {
        self.sender = sender
        self.path = path
        self.interface = interface
        self.member = member
        self.arguments = arguments
    }
}

/// A match rule for signals (D-Bus specification, "Match Rules").
struct MatchRule {
    var sender: String?
    var path: String?
    var pathNamespace: String?
    var interface: String?
    var member: String?
    var firstArgument: String?
    /// A name, which the first argument is or begins with.
    var firstArgumentNamespace: String?

    /// - Parameter isPeer: Without a broker no message has a trustworthy sender: the rule then matches any.
    func text(isPeer: Bool) throws(DBusError) -> String {
        var parts = ["type='signal'"]
        let fields = [
            ("sender", isPeer ? nil : sender), ("path", path), ("path_namespace", pathNamespace),
            ("interface", interface), ("member", member), ("arg0", firstArgument),
            ("arg0namespace", firstArgumentNamespace),
        ]
        for case (let key, let value?) in fields {
            guard !value.contains("'"), !value.utf8.contains(0) else {
                throw .invalidArguments("\(value) cannot be matched")
            }
            parts.append("\(key)='\(value)'")
        }
        return parts.joined(separator: ",")
    }
}
