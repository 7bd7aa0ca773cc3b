/// A question asked of one host directly, and its answer (RFC 1035 §4, RFC 6762 §5.5 and §6.7).
package enum DNSMessage {
    /// The port that hosts listen on.
    package static let port = 5353
    package static let maximumSize = 9_000
    private static let maximumRecords = 512

    /// A query with one question.
    ///
    /// - Parameter identifier: Comes back in the answer.
    package static func query(_ name: DNSName, _ type: DNSRecordType, identifier: UInt16) -> [UInt8] {
        var bytes: [UInt8] = []
        // Flags 0: a standard query. One question, no records.
        for value in [identifier, 0, 1, 0, 0, 0] { append(value, to: &bytes) }
        for label in name.labels {
            bytes.append(UInt8(label.count))
            bytes += label
        }
        bytes.append(0)
        append(type.rawValue, to: &bytes)
        append(1, to: &bytes)
        return bytes
    }

    /// Returns the records of an answer, from all sections; `nil` if the message is malformed or doesn't answer
    /// `identifier`.
    package static func records(_ bytes: [UInt8], answering identifier: UInt16) -> [DNSRecord]? {
        guard bytes.count <= maximumSize else { return nil }
        var reader = DNSReader(bytes: bytes)
        guard let number = reader.integer(), number == identifier, let flags = reader.integer(), flags & 0x8000 != 0,
            flags & 0x000f == 0, let questions = reader.integer(), let answers = reader.integer(),
            let authorities = reader.integer(), let additional = reader.integer()
        else { return nil }
        for _ in 0..<questions {
            guard reader.name() != nil, reader.integer() != nil, reader.integer() != nil else { return nil }
        }
        let count = Int(answers) + Int(authorities) + Int(additional)
        guard count <= maximumRecords else { return nil }
        var records: [DNSRecord] = []
        for _ in 0..<count {
            guard let name = reader.name(), let type = reader.integer(), reader.skip(6), let length = reader.integer(),
                let content = reader.content(type: type, length: Int(length))
            else { return nil }
            if let content = content.value, let name = name.value {
                records.append(DNSRecord(name: name, content: content))
            }
        }
        return records
    }

    private static func append(_ value: UInt16, to bytes: inout [UInt8]) {
        bytes += [UInt8(value >> 8), UInt8(truncatingIfNeeded: value)]
    }
}

/// Something well-formed that may still be of no use.
private struct Maybe<Value> {
    let value: Value?
}

/// Reads a message from its beginning on; everything is `nil` beyond its end.
private struct DNSReader {
    let bytes: [UInt8]
    private var position = 0

    init(bytes: [UInt8]) { self.bytes = bytes }

    mutating func integer() -> UInt16? {
        guard position + 2 <= bytes.count else { return nil }
        defer { position += 2 }
        return UInt16(bytes[position]) << 8 | UInt16(bytes[position + 1])
    }

    mutating func skip(_ count: Int) -> Bool {
        guard position + count <= bytes.count else { return false }
        position += count
        return true
    }

    /// Reads a name, which may continue at a compression pointer. The root and other names that no host can have give
    /// no value.
    mutating func name() -> Maybe<DNSName>? {
        guard let (labels, end) = labels(at: position) else { return nil }
        position = end
        return Maybe(value: labels.isEmpty ? nil : DNSName(labels: labels))
    }

    /// The content of a record; one of another type has no value.
    mutating func content(type: UInt16, length: Int) -> Maybe<DNSRecord.Content>? {
        let start = position
        guard skip(length) else { return nil }
        let end = start + length
        switch DNSRecordType(rawValue: type) {
        case .pointer:
            guard let (labels, _) = labels(at: start) else { return nil }
            return Maybe(value: DNSName(labels: labels).map { .pointer($0) })
        case .service:
            guard length >= 7, let (labels, _) = labels(at: start + 6) else { return nil }
            let port = UInt16(bytes[start + 4]) << 8 | UInt16(bytes[start + 5])
            return Maybe(value: DNSName(labels: labels).map { .service(host: $0, port: port) })
        case .text: return strings(start..<end).map { Maybe(value: .text($0)) }
        case .address: return length == 4 ? Maybe(value: .address(Array(bytes[start..<end]))) : nil
        case .ipv6Address: return length == 16 ? Maybe(value: .address(Array(bytes[start..<end]))) : nil
        case nil: return Maybe(value: nil)
        }
    }

    private func strings(_ range: Range<Int>) -> [[UInt8]]? {
        var strings: [[UInt8]] = []
        var place = range.lowerBound
        while place < range.upperBound {
            let end = place + 1 + Int(bytes[place])
            guard end <= range.upperBound else { return nil }
            if end > place + 1 { strings.append(Array(bytes[place + 1..<end])) }
            place = end
        }
        return strings
    }

    /// The labels of the name at a place, and where it ends there.
    private func labels(at start: Int) -> (labels: [[UInt8]], end: Int)? {
        var labels: [[UInt8]] = []
        var place = start
        var end: Int?
        var length = 0
        while place < bytes.count {
            let count = Int(bytes[place])
            switch count & 0xc0 {
            case 0x00:
                guard count > 0 else { return (labels, end ?? place + 1) }
                length += count + 1
                guard place + 1 + count <= bytes.count, length <= DNSName.maximumLength else { return nil }
                labels.append(Array(bytes[place + 1..<place + 1 + count]))
                place += 1 + count
            case 0xc0:
                guard place + 1 < bytes.count else { return nil }
                let target = (count & 0x3f) << 8 | Int(bytes[place + 1])
                // Only backwards, so that it comes to an end.
                guard target < place else { return nil }
                if end == nil { end = place + 2 }
                place = target
            default: return nil
            }
        }
        return nil
    }
}
