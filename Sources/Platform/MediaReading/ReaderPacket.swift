import Foundation

/// A packet from a reader to an extension: a kind, the number of the seek that it follows, and the content.
///
/// The reader decodes what servers send, so its packets aren't trusted: ``init(_:)`` accepts what is well formed only.
package enum ReaderPacket: Sendable, Hashable {
    /// A part of the picture, before ``facts(_:)``.
    case picture([UInt8])
    /// The media is open. A picture has its type here and its bytes in the packets before.
    case facts(MediaFacts)
    /// Interleaved stereo.
    case samples([Int16], generation: UInt32)
    /// There is nothing more to read.
    case end(generation: UInt32)
    case failure(DecodingError, generation: UInt32)

    /// The size of the longest packet in bytes.
    package static let longest = headerLength + longestContent
    package static let longestContent = 1 << 15
    private static let headerLength = 5

    private enum Kind: UInt8 {
        case picture, facts, samples, end, failure
    }

    /// Reads a packet.
    ///
    /// - Returns: `nil` if it is none.
    package init?(_ bytes: ArraySlice<UInt8>) {
        guard bytes.count >= Self.headerLength, bytes.count <= Self.longest,
            let kind = bytes.first.flatMap(Kind.init)
        else { return nil }
        let generation = UInt32(littleEndianBytes: bytes.dropFirst().prefix(4))
        let content = bytes.dropFirst(Self.headerLength)
        switch kind {
        case .picture: self = .picture(Array(content))
        case .facts:
            guard let facts = try? JSONDecoder().decode(MediaFacts.self, from: Data(content)), facts.isPossible else {
                return nil
            }
            self = .facts(facts)
        case .samples:
            guard content.count.isMultiple(of: 4), !content.isEmpty else { return nil }
            self = .samples(Self.samples(content), generation: generation)
        case .end:
            guard content.isEmpty else { return nil }
            self = .end(generation: generation)
        case .failure:
            guard let error = try? JSONDecoder().decode(DecodingError.self, from: Data(content)) else { return nil }
            self = .failure(error, generation: generation)
        }
    }

    package var bytes: [UInt8] {
        switch self {
        case .picture(let part): Self.packet(.picture, 0, part)
        case .facts(let facts): Self.packet(.facts, 0, Self.json(facts))
        case .samples(let samples, let generation): Self.packet(.samples, generation, Self.content(samples))
        case .end(let generation): Self.packet(.end, generation, [])
        case .failure(let error, let generation): Self.packet(.failure, generation, Self.json(error))
        }
    }

    private static func packet(_ kind: Kind, _ generation: UInt32, _ content: [UInt8]) -> [UInt8] {
        [kind.rawValue] + generation.littleEndianBytes + content
    }

    private static func json(_ value: some Encodable) -> [UInt8] {
        // A number that JSON lacks is never set.
        (try? JSONEncoder().encode(value)).map(Array.init) ?? []
    }

    private static func samples(_ content: ArraySlice<UInt8>) -> [Int16] {
        [Int16](unsafeUninitializedCapacity: content.count / 2) { samples, count in
            content.withUnsafeBytes { UnsafeMutableRawBufferPointer(samples).copyMemory(from: $0) }
            count = content.count / 2
            if Int16(littleEndian: 1) != 1 { for index in 0..<count { samples[index] = samples[index].byteSwapped } }
        }
    }

    private static func content(_ samples: [Int16]) -> [UInt8] {
        guard Int16(littleEndian: 1) == 1 else { return samples.flatMap { UInt16(bitPattern: $0).littleEndianBytes } }
        return samples.withUnsafeBytes(Array.init)
    }
}

extension MediaFacts {
    /// The length to which a reader cuts texts, in characters.
    private static let longestText = 500

    /// A Boolean value that indicates whether FFmpeg can have the duration, in microseconds of 64 bits; its frames can be
    /// counted then, too.
    fileprivate var isPossible: Bool { duration.map { $0 > 0 && $0 < 0x1p63 / 1e6 } ?? true }

    /// The facts for a packet: texts are cut, and the picture has no bytes.
    package var withoutBytes: MediaFacts {
        func cut(_ text: String?) -> String? { text.map { String($0.prefix(Self.longestText)) } }
        return MediaFacts(
            duration: duration, title: cut(title), artist: cut(artist), album: cut(album), genre: cut(genre),
            picture: picture.map { Picture(contentType: $0.contentType, bytes: []) }, isSeekable: isSeekable,
            isReadOnce: isReadOnce)
    }
}
