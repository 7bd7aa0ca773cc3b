import CSystemd

/// An sd-bus vtable in memory that neither moves nor goes while it is registered.
///
/// All entries share the same few handlers: which object and member is meant is in the message.
final class InterfaceTable {
    let name: String
    let shape: InterfaceShape
    let entries: UnsafeMutablePointer<sd_bus_vtable>
    private var strings: [UnsafeMutablePointer<CChar>] = []

    init(name: String, shape: InterfaceShape) {
        self.name = name
        self.shape = shape
        let count = shape.methods.count + shape.properties.count + shape.signals.count + 2
        entries = .allocate(capacity: count)
        var next = entries
        func advance(_ fill: (UnsafeMutablePointer<sd_bus_vtable>) -> Void) {
            fill(next)
            next += 1
        }
        advance { mdhost_vtable_start($0) }
        for method in shape.methods {
            advance {
                mdhost_vtable_method(
                    $0, keep(method.name), keep(method.in.map(\.signature).joined()),
                    keep(method.out.map(\.signature).joined()), keepNames(method.in + method.out), receiveCall)
            }
        }
        for property in shape.properties {
            advance {
                mdhost_vtable_property(
                    $0, keep(property.name), keep(property.signature), property.emits.flags, readProperty,
                    property.isWritable ? writeProperty : nil)
            }
        }
        for signal in shape.signals {
            advance {
                mdhost_vtable_signal(
                    $0, keep(signal.name), keep(signal.out.map(\.signature).joined()), keepNames(signal.out))
            }
        }
        advance { mdhost_vtable_end($0) }
    }

    deinit {
        entries.deallocate()
        for string in strings { string.deallocate() }
    }

    private func keep(_ text: String) -> UnsafePointer<CChar> {
        let bytes = text.utf8CString
        let copy = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count)
        for (index, byte) in bytes.enumerated() { copy[index] = byte }
        strings.append(copy)
        return UnsafePointer(copy)
    }

    /// Each name with its NUL, then one more; sd-bus wants all or none.
    private func keepNames(_ arguments: [Argument]) -> UnsafePointer<CChar> {
        guard arguments.allSatisfy({ !$0.name.isEmpty }) else { return keep("") }
        return keep(arguments.map { $0.name + "\0" }.joined())
    }
}

extension DBusProperty.Emits {
    fileprivate var flags: UInt64 {
        switch self {
        case .change: mdhost_emits_change()
        case .invalidation: mdhost_emits_invalidation()
        case .constant: mdhost_is_constant()
        case .none: 0
        }
    }

    /// A Boolean value that indicates whether a change emits a signal.
    var isSignalled: Bool { self == .change || self == .invalidation }
}

// MARK: Callbacks of sd-bus, on the loop, with the attachment as context

private func receiveCall(
    _ message: OpaquePointer?, _ context: UnsafeMutableRawPointer?, _: UnsafeMutablePointer<sd_bus_error>?
) -> Int32 {
    guard let message, let context else { return 0 }
    return Unmanaged<Attachment>.fromOpaque(context).takeUnretainedValue().receive(message) ? 1 : 0
}

private func readProperty(
    _: OpaquePointer?, _ path: UnsafePointer<CChar>?, _ interface: UnsafePointer<CChar>?,
    _ property: UnsafePointer<CChar>?, _ reply: OpaquePointer?, _ context: UnsafeMutableRawPointer?,
    _ error: UnsafeMutablePointer<sd_bus_error>?
) -> Int32 {
    guard let path, let interface, let property, let reply, let context else { return 0 }
    let attachment = Unmanaged<Attachment>.fromOpaque(context).takeUnretainedValue()
    let value = attachment.entry(path, interface)?.value(of: String(cString: property), on: attachment.number)
    guard let value, (try? MessageWriter(message: reply).append(value)) != nil else {
        return sd_bus_error_set(error, DBusError.Name.failed, "the property has no value")
    }
    return 1
}

private func writeProperty(
    _: OpaquePointer?, _ path: UnsafePointer<CChar>?, _ interface: UnsafePointer<CChar>?,
    _ property: UnsafePointer<CChar>?, _ message: OpaquePointer?, _ context: UnsafeMutableRawPointer?,
    _ error: UnsafeMutablePointer<sd_bus_error>?
) -> Int32 {
    guard let path, let interface, let property, let message, let context else { return 0 }
    let attachment = Unmanaged<Attachment>.fromOpaque(context).takeUnretainedValue()
    do throws(DBusError) {
        try attachment.write(
            message, path: String(cString: path), interface: String(cString: interface),
            property: String(cString: property))
        return 1
    } catch let failure {
        return sd_bus_error_set(error, failure.name, failure.message)
    }
}
