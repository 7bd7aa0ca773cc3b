/// A positive answer: one part for a single command, one per command for a command list.
package struct MPDReply: Sendable, Hashable {
    /// The `key: value` lines of one command's answer, in order, and its binary chunk if it has one.
    package struct Part: Sendable, Hashable {
        package struct Field: Sendable, Hashable {
            package var key: String
            package var value: String
            package init(_ key: String, _ value: String) {
                self.key = key
                self.value = value
            }
        }

        package var fields: [Field]
        /// Raw bytes of `albumart` and `readpicture`.
        package var binary: [UInt8]?

        package init(fields: [Field] = [], binary: [UInt8]? = nil) {
            self.fields = fields
            self.binary = binary
        }

        /// The first value of `key`; keys are compared exactly, as MPD writes them.
        package subscript(key: String) -> String? { fields.first { $0.key == key }?.value }

        /// Every value of `key`, in order.
        package func values(_ key: String) -> [String] { fields.filter { $0.key == key }.map(\.value) }
    }

    package var parts: [Part]

    package init(parts: [Part]) { self.parts = parts }

    /// The only part, or the first of a list.
    package var first: Part { parts.first ?? Part() }
}
