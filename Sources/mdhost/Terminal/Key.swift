/// A key press, as far as this program cares.
enum Key: Hashable, Sendable {
    case character(Character)
    case left, right, up, down
    case escape, interrupt, endOfInput
    /// Not a key, but the terminal's answer to a question.
    case report(TerminalReport)
}

/// Parses key presses from the bytes of a terminal in raw mode; a value, fed with the bytes as they arrive.
///
/// Source: ECMA-48 §5.4 (control sequences), xterm's cursor keys in normal (`ESC [ A`) and application mode (`ESC O
/// A`).
struct KeyParser {
    private var pending: [UInt8] = []

    /// The keys complete with these bytes. A lone `ESC` at the end of a read is the Escape key: sequences of a terminal
    /// arrive whole.
    mutating func parse(_ bytes: some Sequence<UInt8>) -> [Key] {
        pending += bytes
        var keys: [Key] = []
        while let first = pending.first {
            switch first {
            case 0x03:
                keys.append(.interrupt)
                pending.removeFirst()
            case 0x04:
                keys.append(.endOfInput)
                pending.removeFirst()
            case 0x1B:
                keys += [escapeSequence()].compactMap { $0 }
            default:
                let length = Self.length(of: first)
                let rest = pending.dropFirst().prefix(length - 1)
                guard rest.allSatisfy({ (0x80...0xBF).contains($0) }) else {
                    // The sequence is incomplete: the next byte is a key of its own.
                    pending.removeFirst()
                    continue
                }
                guard rest.count == length - 1 else { return keys }
                if let text = String(validating: pending.prefix(length), as: UTF8.self), let character = text.first {
                    keys.append(.character(character))
                }
                pending.removeFirst(length)
            }
        }
        return keys
    }

    private mutating func escapeSequence() -> Key? {
        if pending.dropFirst().first == UInt8(ascii: "_") { return commandAnswer() }
        guard pending.count > 1, pending[1] == UInt8(ascii: "[") || pending[1] == UInt8(ascii: "O") else {
            pending.removeFirst()
            return .escape
        }
        let end = pending.dropFirst(2).firstIndex { (0x40...0x7E).contains($0) }
        guard let end else {
            pending.removeAll()
            return nil
        }
        let final = pending[end]
        let parameters = pending[2..<end]
        pending.removeFirst(end + 1)
        guard parameters.isEmpty else { return TerminalReport(parameters, final).map(Key.report) }
        switch final {
        case UInt8(ascii: "A"): return .up
        case UInt8(ascii: "B"): return .down
        case UInt8(ascii: "C"): return .right
        case UInt8(ascii: "D"): return .left
        default: return nil
        }
    }

    /// An application program command, which ends with `ESC \`: the Kitty graphics protocol answers by one.
    private mutating func commandAnswer() -> Key? {
        let end = pending.indices.dropFirst(3).first { pending[$0 - 1] == 0x1B && pending[$0] == UInt8(ascii: "\\") }
        guard let end else {
            pending.removeAll()
            return nil
        }
        let report = TerminalReport(command: pending[2..<end - 1])
        pending.removeFirst(end + 1)
        return report.map(Key.report)
    }

    private static func length(of first: UInt8) -> Int {
        switch first {
        case 0xC2...0xDF: 2
        case 0xE0...0xEF: 3
        case 0xF0...0xF4: 4
        default: 1
        }
    }
}
