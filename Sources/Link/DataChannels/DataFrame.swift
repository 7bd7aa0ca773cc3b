import DBus
package import Foundation
package import HostInterface
import LinkProtocol

/// A frame of a data channel: a message, or the answer to one.
///
/// Each frame begins with its kind and the length of its content, both 32 bits, little-endian. `docs/dbus.md` describes
/// them for other clients.
package enum DataFrame: Sendable, Hashable {
    /// The largest message from an app, in bytes.
    package static let longestFromApp = 32 << 20
    /// The largest message from an extension, in bytes.
    package static let longestFromExtension = 1 << 20

    case message(Data)
    /// The other end accepted the oldest message that it hasn't answered.
    case accepted
    /// The other end refused the oldest message that it hasn't answered.
    case refused(HostError)

    static let headerLength = 8

    private enum Kind: UInt32 {
        case message, accepted, refused
    }

    /// The frame on the wire.
    package var bytes: [UInt8] {
        switch self {
        case .message(let data): Self.frame(.message, data)
        case .accepted: Self.frame(.accepted, [])
        case .refused(let error):
            // In bytes, as the reader limits the sentence.
            Self.frame(.refused, Array("\(error.code.rawValue)\n".utf8) + error.message.utf8.prefix(4000))
        }
    }

    private static func frame(_ kind: Kind, _ content: some Collection<UInt8>) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(headerLength + content.count)
        for number in [kind.rawValue, UInt32(content.count)] {
            withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
        }
        bytes.append(contentsOf: content)
        return bytes
    }

    /// - Throws: ``MalformedFrame`` for a kind that doesn't exist.
    init(kind: UInt32, _ content: ArraySlice<UInt8>) throws(MalformedFrame) {
        switch Kind(rawValue: kind) {
        case .message: self = .message(Data(content))
        case .accepted: self = .accepted
        case .refused:
            self = .refused(try Self.error(String(decoding: content, as: UTF8.self)))
        case nil: throw MalformedFrame("it has the kind \(kind)")
        }
    }

    private static func error(_ text: String) throws(MalformedFrame) -> HostError {
        let parts = text.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
        var arguments = ArgumentReader(parts.map { .string(String($0)) })
        do throws(MalformedMessage) {
            return try arguments.error()
        } catch {
            throw MalformedFrame("its refusal has \(error.reason)")
        }
    }
}

/// A frame that isn't one, or is too long. The channel can't continue, because nobody knows where the next one begins.
package struct MalformedFrame: Error, Sendable, Hashable {
    /// The reason, as a clause.
    package let reason: String

    package init(_ reason: String) { self.reason = reason }
}

/// Takes the bytes of a stream apart into frames.
package struct DataFrameReader: Sendable {
    private let longest: Int
    private var buffer: [UInt8] = []
    private var start = 0

    /// - Parameter longest: The greatest length of a message, in bytes.
    package init(longest: Int) { self.longest = longest }

    package mutating func append(_ bytes: some Collection<UInt8>) {
        if start == buffer.count {
            buffer.removeAll(keepingCapacity: buffer.capacity <= 1 << 20)
        } else if start > 0 {
            buffer.removeSubrange(..<start)
        }
        start = 0
        buffer.append(contentsOf: bytes)
    }

    /// Returns the next frame; `nil` until more bytes arrive.
    ///
    /// - Throws: ``MalformedFrame``. The reader can't be used afterwards.
    package mutating func next() throws(MalformedFrame) -> DataFrame? {
        guard buffer.count - start >= DataFrame.headerLength else { return nil }
        let (kind, length) = (number(at: start), Int(number(at: start + 4)))
        guard length <= longest else { throw MalformedFrame("it has \(length) bytes, more than \(longest)") }
        let content = start + DataFrame.headerLength
        guard buffer.count - content >= length else { return nil }
        start = content + length
        return try DataFrame(kind: kind, buffer[content..<start])
    }

    private func number(at index: Int) -> UInt32 {
        (0..<4).reduce(0) { $0 | UInt32(buffer[index + $1]) << (8 * $1) }
    }
}
