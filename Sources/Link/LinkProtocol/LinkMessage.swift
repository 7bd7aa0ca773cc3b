package import DBus

/// A message of the link between the host and an extension: one case for each method of an interface.
///
/// Each message is declared in one file, from its case to its bytes, and both sides use that file.
/// `docs/extending.md` lists the steps to add one.
package protocol LinkMessage: Sendable, Hashable {
    /// The methods of the interface, with their names on the wire.
    associatedtype Member: LinkMember

    var member: Member { get }

    /// Returns the arguments of the call, in the order and with the signatures of ``LinkMember/arguments``.
    func arguments() throws(DBusError) -> [DBusValue]

    /// Reads the arguments of a call.
    init(_ member: Member, _ arguments: [DBusValue]) throws(MalformedMessage)
}

/// A method of an interface of the link. The raw value is its name on D-Bus.
package protocol LinkMember: RawRepresentable<String>, CaseIterable, Sendable, Hashable {
    /// Names and signatures of the arguments, in order.
    var arguments: [(name: String, signature: String)] { get }
    /// Names and signatures of the values of the reply.
    var results: [(name: String, signature: String)] { get }
}

extension LinkMember {
    package var results: [(name: String, signature: String)] { [] }
}

/// An invalid message from the other side of the link. The receiver refuses it and continues.
package struct MalformedMessage: Error, Sendable, Hashable {
    /// The reason, as a clause.
    package let reason: String
    package init(_ reason: String) { self.reason = reason }
}

/// Encodes a structure as `a{sv}`.
func dictionary(_ value: some Encodable) throws(DBusError) -> DBusValue { try DBusDictionaryEncoder().encode(value) }

/// Encodes structures as `aa{sv}`.
func dictionaries(_ values: [some Encodable]) throws(DBusError) -> DBusValue {
    var elements: [DBusValue] = []
    for value in values { elements.append(try dictionary(value)) }
    return .array(of: "a{sv}", elements)
}
