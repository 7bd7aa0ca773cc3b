/// The server's negative answer: `ACK [50@0] {playid} No such song`.
///
/// Source: MPD protocol reference, "Failure responses"; the codes are those of its `Ack.hxx`.
public struct MPDRefusal: Error, Sendable, Hashable {
    /// The kind of a failure; the set is open.
    public struct Code: RawRepresentable, Sendable, Hashable {
        public let rawValue: Int
        public init(rawValue: Int) { self.rawValue = rawValue }

        public static let notList = Code(rawValue: 1)
        public static let argument = Code(rawValue: 2)
        public static let password = Code(rawValue: 3)
        public static let permission = Code(rawValue: 4)
        public static let unknownCommand = Code(rawValue: 5)
        public static let noExist = Code(rawValue: 50)
        public static let playlistMaximum = Code(rawValue: 51)
        public static let system = Code(rawValue: 52)
        public static let playlistLoad = Code(rawValue: 53)
        public static let updateAlready = Code(rawValue: 54)
        public static let playerSync = Code(rawValue: 55)
        public static let exists = Code(rawValue: 56)
    }

    public let code: Code
    /// Zero-based place of the failed command in its command list; 0 outside a list.
    public let index: Int
    /// Name of the failed command; empty if the server did not recognise one.
    public let command: String
    /// The server's text, without a full stop.
    public let text: String

    public init(code: Code, index: Int, command: String, text: String) {
        self.code = code
        self.index = index
        self.command = command
        self.text = text
    }

    /// Reads a line that begins with `ACK `; `nil` if it is not of that form.
    public init?(line: some StringProtocol) {
        guard line.hasPrefix("ACK ["), let closing = line.firstIndex(of: "]") else { return nil }
        let numbers = line[line.index(line.startIndex, offsetBy: 5)..<closing].split(
            separator: "@", omittingEmptySubsequences: false)
        guard numbers.count == 2, let code = Int(numbers[0]), let index = Int(numbers[1]), index >= 0 else {
            return nil
        }
        let rest = line[line.index(after: closing)...]
        guard rest.hasPrefix(" {"), let brace = rest.firstIndex(of: "}") else { return nil }
        self.init(
            code: Code(rawValue: code), index: index,
            command: String(rest[rest.index(rest.startIndex, offsetBy: 2)..<brace]),
            text: String(rest[rest.index(after: brace)...].drop { $0 == " " }))
    }

    /// The server's text as a sentence for people.
    public var sentence: String {
        guard let first = text.first else { return "The MPD server refused the request." }
        let words = first.uppercased() + text.dropFirst()
        return "MPD says: " + words + (words.last.map { ".!?".contains($0) } == true ? "" : ".")
    }

    /// A Boolean value that indicates whether the server refused the place in the queue, not the song.
    public var isAboutPlace: Bool {
        let folded = text.lowercased()
        return code == .playerSync || folded.contains("position") || folded.contains("bad song index")
    }
}
