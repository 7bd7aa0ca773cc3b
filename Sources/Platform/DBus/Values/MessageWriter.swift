import CSystemd

/// Appends values to an unsealed message.
struct MessageWriter {
    let message: OpaquePointer

    func append(_ values: [DBusValue]) throws(DBusError) {
        for value in values { try append(value) }
    }

    func append(_ value: DBusValue) throws(DBusError) {
        switch value {
        case .byte(let byte): try append("y", byte)
        case .boolean(let flag): try append("b", Int32(flag ? 1 : 0))
        case .int16(let number): try append("n", number)
        case .uint16(let number): try append("q", number)
        case .int32(let number): try append("i", number)
        case .uint32(let number): try append("u", number)
        case .int64(let number): try append("x", number)
        case .uint64(let number): try append("t", number)
        case .double(let number): try append("d", number)
        case .fileDescriptor(let descriptor): try append("h", descriptor.number)
        case .string(let text): try append("s", text)
        case .objectPath(let text): try append("o", text)
        case .signature(let text): try append("g", text)
        case .bytes(let bytes):
            let result = bytes.withUnsafeBytes {
                sd_bus_message_append_array(message, code("y"), $0.baseAddress, $0.count)
            }
            try check(result, "append ay")
        case .array(let element, let elements):
            try container("a", element) { () throws(DBusError) in try append(elements) }
        case .structure(let fields):
            // sd-bus would send one without fields, which receivers then drop.
            guard !fields.isEmpty else { throw .invalidArguments("a structure has no field") }
            try container("r", fields.map(\.signature).joined()) { () throws(DBusError) in try append(fields) }
        case .dictionary(let key, let value, let entries):
            try container("a", "{\(key)\(value)}") { () throws(DBusError) in
                for (entryKey, entryValue) in entries {
                    try container("e", key + value) { () throws(DBusError) in
                        try append(entryKey)
                        try append(entryValue)
                    }
                }
            }
        case .variant(let inner):
            try container("v", inner.signature) { () throws(DBusError) in try append(inner) }
        }
    }

    private func append<Number: BitwiseCopyable>(_ type: Unicode.Scalar, _ number: Number) throws(DBusError) {
        let result = withUnsafePointer(to: number) { sd_bus_message_append_basic(message, code(type), $0) }
        try check(result, "append \(type)")
    }

    private func append(_ type: Unicode.Scalar, _ text: String) throws(DBusError) {
        // Some devices send it, and the rest of the message must not be lost with it.
        let text = text.utf8.contains(0) ? text.replacing("\0", with: "\u{FFFD}") : text
        let result = text.withCString { sd_bus_message_append_basic(message, code(type), $0) }
        try check(result, "append \(type) “\(text.prefix(80))”")
    }

    private func container(
        _ type: Unicode.Scalar, _ contents: String, _ body: () throws(DBusError) -> Void
    ) throws(DBusError) {
        try check(sd_bus_message_open_container(message, code(type), contents), "append \(type) of \(contents)")
        try body()
        try check(sd_bus_message_close_container(message), "append \(type) of \(contents)")
    }
}

/// The type code as sd-bus takes it.
func code(_ type: Unicode.Scalar) -> CChar { CChar(truncatingIfNeeded: type.value) }
