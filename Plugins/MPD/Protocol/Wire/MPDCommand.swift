/// A command and its arguments, unquoted.
public struct MPDCommand: Sendable, Hashable {
    public let name: String
    public let arguments: [String]

    public init(_ name: String, _ arguments: String...) {
        self.name = name
        self.arguments = arguments
    }

    public init(_ name: String, arguments: [String]) {
        self.name = name
        self.arguments = arguments
    }

    /// Returns the bytes to send: name, quoted arguments, line feed.
    ///
    /// - Throws: ``MPDError/invalidCommand(_:)`` if the name isn't a lower-case word, if an argument contains a line
    ///   break or NUL (which could inject a second command), or if the line exceeds ``MPDLimits/command``.
    /// - Source: MPD protocol reference, "Requests" and "Escaping String Values".
    public func encoded(limits: MPDLimits = MPDLimits()) throws(MPDError) -> [UInt8] {
        let isWord = name.utf8.allSatisfy {
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) || $0 == UInt8(ascii: "_")
        }
        guard !name.isEmpty, isWord else { throw .invalidCommand("“\(name.prefix(40))” is no command name") }
        var bytes = Array(name.utf8)
        for argument in arguments {
            bytes.append(UInt8(ascii: " "))
            try Self.quote(argument, into: &bytes)
        }
        bytes.append(UInt8(ascii: "\n"))
        guard bytes.count <= limits.command else {
            throw .invalidCommand("it is longer than the \(limits.command) bytes MPD takes")
        }
        return bytes
    }

    /// A Boolean value that indicates whether the argument must not appear in logs.
    public var isSecret: Bool { name == "password" }

    private static func quote(_ argument: String, into bytes: inout [UInt8]) throws(MPDError) {
        bytes.append(UInt8(ascii: "\""))
        for byte in argument.utf8 {
            switch byte {
            case 0x0A, 0x0D, 0x00: throw .invalidCommand("it contains a line break")
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                bytes.append(UInt8(ascii: "\\"))
                bytes.append(byte)
            default: bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }
}

extension MPDCommand: CustomStringConvertible {
    public var description: String { isSecret ? "\(name) …" : ([name] + arguments).joined(separator: " ") }
}
