/// The requested part of a file, from a `Range` header (RFC 9110, section 14).
enum ByteRange: Sendable, Hashable {
    case whole
    /// First and last byte, both included and both in the file.
    case part(ClosedRange<Int64>)
    case unsatisfiable

    /// - Parameters:
    ///   - header: The value of `Range`. A malformed header, another unit or several ranges select the whole file,
    ///     which the RFC permits.
    ///   - size: The file size in bytes.
    init(header: String?, size: Int64) {
        self = .whole
        guard let header, let equals = header.firstIndex(of: "="),
            header[..<equals].trimmed.lowercased() == "bytes"
        else { return }
        let specification = header[header.index(after: equals)...].trimmed
        guard !specification.contains(","), let dash = specification.firstIndex(of: "-") else { return }
        let first = specification[..<dash].trimmed
        let last = specification[specification.index(after: dash)...].trimmed
        switch (Self.number(first), Self.number(last)) {
        case (.number(let first), .number(let last)):
            guard first <= last else { return }
            self = first < size ? .part(first...min(last, size - 1)) : .unsatisfiable
        case (.number(let first), .absent):
            self = first < size ? .part(first...(size - 1)) : .unsatisfiable
        case (.absent, .number(let count)):
            self = count > 0 && size > 0 ? .part(max(0, size - count)...(size - 1)) : .unsatisfiable
        default: return
        }
    }

    private enum Position {
        case absent
        case number(Int64)
        case malformed
    }

    private static func number(_ text: Substring) -> Position {
        if text.isEmpty { return .absent }
        guard text.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }) else { return .malformed }
        // More digits than fit are beyond the end of every file.
        return .number(Int64(text) ?? .max)
    }
}

extension Substring {
    fileprivate var trimmed: Substring {
        var text = self
        while let last = text.last, last.isWhitespace { text.removeLast() }
        return text.drop { $0.isWhitespace }
    }
}
