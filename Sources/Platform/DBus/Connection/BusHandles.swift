import CSystemd

/// A reference to a message that may be dropped anywhere; the message itself is let go on its loop.
///
/// - Note: `@unchecked Sendable` because ``pointer`` is used on `loop` only, as sd-bus' own counting is not atomic.
final class MessageReference: @unchecked Sendable {
    let pointer: OpaquePointer
    private let loop: DBusLoop

    /// Takes a reference of its own. On the loop.
    init(_ pointer: OpaquePointer, loop: DBusLoop) {
        self.pointer = sd_bus_message_ref(pointer)
        self.loop = loop
    }

    deinit {
        let handle = BusPointer(pointer)
        loop.perform { sd_bus_message_unref(handle.pointer) }
    }
}

/// An sd-bus object on its way to a closure of the loop.
///
/// - Note: `@unchecked Sendable` because it is made and opened on the loop only.
struct BusPointer: @unchecked Sendable {
    let pointer: OpaquePointer
    init(_ pointer: OpaquePointer) { self.pointer = pointer }
}

/// Makes a message, fills and uses it, and lets go of it.
func withMessage(
    _ make: (UnsafeMutablePointer<OpaquePointer?>) -> Int32, _ doing: @autoclosure () -> String,
    _ body: (OpaquePointer) throws(DBusError) -> Void
) throws(DBusError) {
    var message: OpaquePointer?
    try check(make(&message), doing())
    guard let message else { throw DBusError(name: DBusError.Name.failed, message: doing()) }
    defer { sd_bus_message_unref(message) }
    try body(message)
}
