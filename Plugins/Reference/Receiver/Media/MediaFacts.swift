import Foundation
import ReferenceProtocol

/// The facts that a receiver knows about media after its first bytes.
struct MediaFacts: Sendable, Hashable {
    /// The duration in seconds; `nil` if the bytes don't contain it.
    var duration: Double?
    var isLive = false
    var programme: Programme?
}

/// A description of a programme: its segments, languages and subtitles (PROTOCOL.md, Programmes).
struct Programme: Codable, Sendable, Hashable {
    static let contentType = "application/vnd.mdhost.programme+json"

    /// The URL of the media, relative to the description.
    var media: String
    var title: String?
    var subtitle: String?
    var segments: [ReferencePlayback.Segment]?
    var audio: [ReferencePlayback.Option]?
    var audioDescription: [ReferencePlayback.Option]?
    var subtitles: [ReferencePlayback.Option]?
}

/// A parser that determines the duration of media from its first bytes.
enum MediaProbe {
    /// Returns the duration of media.
    ///
    /// - Parameters:
    ///   - head: The first bytes, 44 or more.
    ///   - length: The total number of bytes; `nil` if the server didn't report it.
    /// - Returns: The duration in seconds; `nil` for an unknown format.
    static func duration(head: [UInt8], length: Int?) -> Double? {
        if head.starts(with: Array("RIFF".utf8)) { return wave(head, length) }
        return length.flatMap { mpeg(head, $0) }
    }

    /// Returns the duration of a WAVE file (RFC 2361): bytes of data by bytes per second.
    private static func wave(_ head: [UInt8], _ length: Int?) -> Double? {
        guard let format = head.firstRange(of: Array("fmt ".utf8))?.upperBound, head.count >= format + 16,
            let data = head.firstRange(of: Array("data".utf8))?.upperBound, head.count >= data + 4
        else { return nil }
        let rate = little(head, format + 12)
        var size = little(head, data)
        // A writer that did not know the length leaves all ones.
        if size >= 0xFFFF_F000, let length { size = max(0, length - data - 4) }
        return rate > 0 && size < 0xFFFF_F000 ? Double(size) / Double(rate) : nil
    }

    /// Returns the duration of an MPEG 1 layer III file (ISO 11172-3, 2.4.2.3): from the number of frames if the first
    /// one contains it, which is right for any bit rate, otherwise from the bit rate.
    private static func mpeg(_ head: [UInt8], _ length: Int) -> Double? {
        var start = 0
        if head.starts(with: Array("ID3".utf8)), head.count > 10 {
            start = 10 + head[6..<10].reduce(0) { $0 << 7 | Int($1 & 0x7F) }
        }
        guard start + 4 <= head.count, head[start] == 0xFF, head[start + 1] & 0xFE == 0xFA else { return nil }
        if let seconds = countedFrames(head, start) { return seconds }
        let rates = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 0]
        let rate = rates[Int(head[start + 2] >> 4)] * 1000
        return rate > 0 ? Double(length - start) * 8 / Double(rate) : nil
    }

    /// Returns the duration from a Xing or Info header: frames of 1,152 samples, in the data of the first frame.
    private static func countedFrames(_ head: [UInt8], _ start: Int) -> Double? {
        let frame = head[start...].prefix(200)
        guard let tag = frame.firstRange(of: Array("Xing".utf8)) ?? frame.firstRange(of: Array("Info".utf8)),
            tag.upperBound + 8 <= head.count, head[tag.upperBound + 3] & 1 == 1
        else { return nil }
        let count = head[tag.upperBound + 4..<tag.upperBound + 8].reduce(0) { $0 << 8 | Int($1) }
        let rate = [44_100, 48_000, 32_000, 0][Int(head[start + 2] >> 2 & 3)]
        return rate > 0 ? Double(count) * 1152 / Double(rate) : nil
    }

    private static func little(_ bytes: [UInt8], _ index: Int) -> Int {
        (0..<4).reduce(0) { $0 | Int(bytes[index + $1]) << (8 * $1) }
    }
}
