/// A line of the handshake, or a whole message (D-Bus Specification, "Message Format").
struct MessagePart {
    let bytes: [UInt8]

    var isMessage: Bool { bytes.first == MessageCutter.littleEndian }
    /// A Boolean value that indicates whether the message answers a call, with a result or an error.
    var isAnswer: Bool { isMessage && (bytes[1] == 2 || bytes[1] == 3) }
}

/// Cuts a stream where one message ends and the next begins.
struct MessageCutter {
    /// First byte of every message; no line of the handshake has a small letter there.
    static let littleEndian = UInt8(ascii: "l")
    private static let newline = UInt8(ascii: "\n")

    private var rest: [UInt8] = []

    mutating func cut(_ bytes: [UInt8]) -> [MessagePart] {
        rest += bytes
        var parts: [MessagePart] = []
        while let count = lengthOfFirst, count <= rest.count {
            parts.append(MessagePart(bytes: Array(rest[..<count])))
            rest.removeFirst(count)
        }
        return parts
    }

    /// `nil` while too little is known.
    private var lengthOfFirst: Int? {
        guard rest.first == Self.littleEndian else { return rest.firstIndex(of: Self.newline).map { $0 + 1 } }
        guard rest.count >= 16 else { return nil }
        let fields = number(at: 12)
        return 16 + (fields + 7) / 8 * 8 + number(at: 4)
    }

    private func number(at index: Int) -> Int {
        (0..<4).reduce(0) { $0 | Int(rest[index + $1]) << ($1 * 8) }
    }
}

extension [UInt8] {
    /// Replaces the 64-bit number that a dictionary has for a key.
    mutating func replaceNumber(named key: String, by value: UInt8) {
        guard let start = valueIndex(of: key, signature: "x") else { return }
        let aligned = (start + 7) / 8 * 8
        guard aligned + 8 <= count else { return }
        replaceSubrange(aligned..<aligned + 8, with: [value, 0, 0, 0, 0, 0, 0, 0])
    }

    /// Replaces a text by one of the same length.
    mutating func replaceText(named key: String, by value: String) {
        guard let start = valueIndex(of: key, signature: "s") else { return }
        let aligned = (start + 3) / 4 * 4 + 4
        guard aligned + value.utf8.count < count, self[aligned + value.utf8.count] == 0 else { return }
        replaceSubrange(aligned..<aligned + value.utf8.count, with: Array(value.utf8))
    }

    /// Behind the key and the signature of its variant. A message begins at a multiple of eight, so alignment within it
    /// is alignment within these bytes.
    private func valueIndex(of key: String, signature: Character) -> Int? {
        let length = UInt8(key.utf8.count)
        let pattern = [length, 0, 0, 0] + Array(key.utf8) + [0, 1] + Array(String(signature).utf8) + [0]
        guard count > pattern.count else { return nil }
        return (0...count - pattern.count).first { Array(self[$0..<$0 + pattern.count]) == pattern }
            .map { $0 + pattern.count }
    }
}
