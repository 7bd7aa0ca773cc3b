/// A positive answer: one part for a single command, one per command for a command list.
public struct MPDReply: Sendable, Hashable {
    /// The `key: value` lines of one command's answer, in order, and its binary chunk if it has one.
    public struct Part: Sendable, Hashable {
        public struct Field: Sendable, Hashable {
            public var key: String
            public var value: String
            public init(_ key: String, _ value: String) {
                self.key = key
                self.value = value
            }
        }

        public var fields: [Field]
        /// Raw bytes of `albumart` and `readpicture`.
        public var binary: [UInt8]?

        public init(fields: [Field] = [], binary: [UInt8]? = nil) {
            self.fields = fields
            self.binary = binary
        }

        /// The first value of `key`; keys are compared exactly, as MPD writes them.
        public subscript(key: String) -> String? { fields.first { $0.key == key }?.value }

        /// Every value of `key`, in order.
        public func values(_ key: String) -> [String] { fields.filter { $0.key == key }.map(\.value) }
    }

    public var parts: [Part]

    public init(parts: [Part]) { self.parts = parts }

    /// The only part, or the first of a list.
    public var first: Part { parts.first ?? Part() }
}
