import CSystemd

/// One interface of an object: its declaration, and the handlers of its methods and writable properties.
///
/// All objects of a server with an interface of the same name must declare it alike; their handlers may differ.
package final class DBusInterface: Sendable {
    package let name: String
    /// With its NUL.
    private let nameAsC: ContiguousArray<CChar>
    let methods: [String: DBusMethod]
    let properties: [String: DBusProperty]
    /// The declaration that introspection shows, in order.
    let shape: InterfaceShape

    package init(
        _ name: String, methods: [DBusMethod] = [], properties: [DBusProperty] = [],
        signals: [DBusSignalDeclaration] = []
    ) {
        self.name = name
        nameAsC = name.utf8CString
        self.methods = Dictionary(methods.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        self.properties = Dictionary(properties.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        shape = InterfaceShape(
            methods: methods.map { .init(name: $0.name, in: $0.inputs, out: $0.outputs) },
            properties: properties.map {
                .init(
                    name: $0.name, signature: $0.signature, emits: $0.emits,
                    isWritable: $0.write != nil || $0.carryOut != nil)
            },
            signals: signals.map { .init(name: $0.name, out: $0.arguments) })
    }

    func isNamed(_ name: UnsafePointer<CChar>) -> Bool {
        nameAsC.withUnsafeBufferPointer { own in own.baseAddress.map { strcmp($0, name) == 0 } ?? false }
    }
}

/// The values of an interface's properties on one object. Each value is read on demand, so an object may store it in
/// the most compact form.
package protocol DBusPropertyValues: Sendable {
    /// A value of the declared type; `nil` for a property that is not there.
    func value(of property: String) -> DBusValue?
}

extension [String: DBusValue]: DBusPropertyValues {
    package func value(of property: String) -> DBusValue? { self[property] }
}

package struct DBusMethod: Sendable {
    /// The handler that answers a call, on the loop.
    package typealias Body = nonisolated(nonsending) @Sendable (DBusMethodCall) async throws -> [DBusValue]

    let name: String
    let inputs: [Argument]
    let outputs: [Argument]
    let handler: @Sendable (DBusMethodCall) -> Void

    /// - Parameters:
    ///   - in: Names and signatures of the arguments.
    ///   - handler: Runs on the loop, in the order of the calls on the wire. It answers the call, now or later.
    package init(
        _ name: String, in: [(name: String, signature: String)] = [], out: [(name: String, signature: String)] = [],
        handler: @escaping @Sendable (DBusMethodCall) -> Void
    ) {
        self.name = name
        self.inputs = `in`.map { Argument(name: $0.name, signature: $0.signature) }
        self.outputs = out.map { Argument(name: $0.name, signature: $0.signature) }
        self.handler = handler
    }

    /// A method with a task for every call: the result of `body` is the reply, and its error becomes the error reply
    /// (``DBusErrorConvertible`` converts itself; any other error becomes ``DBusError/Name/failed``). It runs on the
    /// loop and leaves it only for work that runs elsewhere.
    package static func async(
        _ name: String, in: [(name: String, signature: String)] = [], out: [(name: String, signature: String)] = [],
        _ body: @escaping Body
    ) -> DBusMethod {
        DBusMethod(name, in: `in`, out: out) { call in call.answer(with: body) }
    }
}

package struct DBusProperty: Sendable {
    /// The information that a change signal carries (annotation `org.freedesktop.DBus.Property.EmitsChangedSignal`).
    package enum Emits: Sendable, Hashable {
        /// The new value.
        case change
        /// The fact that there is a new value, without the value.
        case invalidation
        /// There are no changes.
        case constant
        /// Clients get no signal.
        case none
    }

    let name: String
    let signature: String
    let emits: Emits
    /// Given the number of the connection that asks.
    let read: (@Sendable (Int) -> DBusValue)?
    let write: (@Sendable (DBusValue, DBusClient) throws -> Void)?
    /// Answers a write when it is carried out; instead of ``write``.
    let carryOut: DBusMethod.Body?

    /// - Parameters:
    ///   - write: Runs on the loop when a client writes a value of the right type. The stored value stays until
    ///     ``DBusObjectServer/update(path:interface:_:)``. A thrown error is the error reply. `nil`: read-only.
    ///   - read: Runs on the loop and returns the current value, of the declared type, for each request. No value is
    ///     stored then, and changes are not detected. `nil`: the stored value.
    package init(
        _ name: String, _ signature: String, emits: Emits = .change,
        write: (@Sendable (DBusValue, DBusClient) throws -> Void)? = nil, read: (@Sendable () -> DBusValue)? = nil
    ) {
        self.name = name
        self.signature = signature
        self.emits = emits
        if let read { self.read = { _ in read() } } else { self.read = nil }
        self.write = write
        carryOut = nil
    }

    /// A property with a task for every write, like ``DBusMethod/async(_:in:out:_:)``.
    ///
    /// - Parameters:
    ///   - body: Gets the written value, of the declared type, as the call's only argument. The reply waits for it, and
    ///     a thrown error is the error reply; the result is ignored. The stored value stays as it is.
    package static func async(
        _ name: String, _ signature: String, emits: Emits = .change, write body: @escaping DBusMethod.Body
    ) -> DBusProperty {
        DBusProperty(name, signature, emits: emits, carryOut: body)
    }

    private init(_ name: String, _ signature: String, emits: Emits, carryOut: @escaping DBusMethod.Body) {
        self.name = name
        self.signature = signature
        self.emits = emits
        self.carryOut = carryOut
        read = nil
        write = nil
    }

    /// A property with a separate value for each connection.
    ///
    /// - Parameter read: Gets ``DBusClient/connection``; otherwise as for the other properties. Signal a change with
    ///   ``DBusObjectServer/tellChange(path:interface:property:on:)``.
    package init(_ name: String, _ signature: String, readOn read: @escaping @Sendable (Int) -> DBusValue) {
        self.name = name
        self.signature = signature
        emits = .change
        self.read = read
        write = nil
        carryOut = nil
    }
}

package struct DBusSignalDeclaration: Sendable {
    let name: String
    let arguments: [Argument]

    package init(_ name: String, _ arguments: [(name: String, signature: String)] = []) {
        self.name = name
        self.arguments = arguments.map { Argument(name: $0.name, signature: $0.signature) }
    }
}

struct Argument: Sendable, Hashable {
    let name: String
    let signature: String
}

/// An interface without its handlers.
struct InterfaceShape: Sendable, Hashable {
    struct Method: Sendable, Hashable {
        let name: String
        let `in`: [Argument]
        let out: [Argument]
    }

    struct Property: Sendable, Hashable {
        let name: String
        let signature: String
        let emits: DBusProperty.Emits
        let isWritable: Bool
    }

    struct Signal: Sendable, Hashable {
        let name: String
        let out: [Argument]
    }

    let methods: [Method]
    let properties: [Property]
    let signals: [Signal]
}

extension DBusError {
    /// Any error as an error reply.
    init(_ error: any Error) {
        switch error {
        case let error as any DBusErrorConvertible: self = error.asDBusError
        case is CancellationError: self = .cancelled
        default: self.init(name: Name.failed, message: String(describing: error))
        }
    }
}
