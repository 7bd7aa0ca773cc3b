import CastStreaming
import Foundation

extension FuzzTarget {
    /// The datagrams of a stream of Google Cast, in both directions. Each has its length before it.
    static let castStreaming = FuzzTarget(
        name: "caststreaming",
        seeds: {
            guard let cipher = FrameCipher(key: [UInt8](repeating: 7, count: 16), mask: [UInt8](0..<16)) else {
                return []
            }
            var seeds: [[UInt8]] = []
            for format in [StreamFormat.sound, .pictures] {
                var sender = StreamSender(format, source: 1, receiver: 2, cipher: cipher, now: 0, epoch: 0)
                var receiver = StreamReceiver(format, source: 1, receiver: 2, cipher: cipher, now: 0)
                for frame in 0..<6 {
                    let now = Double(frame) * AudioFormat.duration
                    let datagrams = sender.send(
                        [UInt8](repeating: 9, count: 900 * (frame % 3 + 1)), isKey: frame == 0, from: now, at: now)
                    seeds.append(joined(datagrams))
                    // One in three is lost.
                    let outputs = datagrams.dropLast(frame % 3).flatMap { receiver.received($0, at: now + 0.01) }
                    seeds.append(joined(outputs.compactMap { if case .send(let bytes) = $0 { bytes } else { nil } }))
                }
            }
            return seeds + [joined([ControlPacket.pictureLoss(receiver: 2, source: 1).encoded])]
        },
        words: ["CAST", "CST2", "\u{0}\u{0}\u{0}\u{1}\u{0}\u{0}\u{0}\u{2}"],
        outcomes: ["read", "unreadable"]
    ) { bytes in
        let outcomes = try [StreamFormat.sound, .pictures].map { try exchange(bytes, $0) }
        return outcomes.contains("unreadable") ? "unreadable" : "read"
    }

    private static func exchange(_ bytes: [UInt8], _ format: StreamFormat) throws -> String {
        let cipher = FrameCipher(key: [UInt8](repeating: 7, count: 16), mask: [UInt8](0..<16)) ?? FrameCipher()
        var sender = StreamSender(
            format, source: 1, receiver: 2, cipher: cipher, now: 0, epoch: 0, firstTimestamp: 0, sequenceNumber: 0)
        var receiver = StreamReceiver(format, source: 1, receiver: 2, cipher: cipher, now: 0)
        var now = 0.0
        for _ in 0..<3 { _ = sender.send([UInt8](repeating: 1, count: 2000), from: now, at: now) }
        var rest = bytes[...]
        var last = -1
        while rest.count > 2 {
            let length = Int(rest[rest.startIndex]) << 8 | Int(rest[rest.startIndex + 1])
            let datagram = Array(rest.dropFirst(2).prefix(length))
            rest = rest.dropFirst(2 + length)
            now += 0.02
            let before = sender.counts.packets
            let resent = sender.received(datagram, at: now)
            // A packet may be asked for as often as anybody likes, and is sent once in a while.
            try demand(resent.count <= 6 && sender.counts.packets - before == resent.count, "\(resent.count) resent")
            try demand(sender.inFlight <= 3, "frames appear from nowhere")
            for output in receiver.received(datagram, at: now) + receiver.tick(at: now) {
                switch output {
                case .send(let bytes):
                    try demand(bytes.count <= 2048, "a feedback of \(bytes.count) bytes")
                    try demand((try? ControlPacket.all(in: bytes)) != nil, "an unreadable feedback")
                case .play(let frame, _, _, _, _), .lost(let frame):
                    try demand(frame == last + 1, "frame \(frame) after \(last)")
                    last = frame
                }
            }
            if let packet = try? RTPPacket(datagram) {
                try demand((try? RTPPacket(packet.encoded)) == packet, "\(packet) doesn't survive")
            }
        }
        return sender.counts.unreadable > 0 ? "unreadable" : "read"
    }

    private static func joined(_ datagrams: [[UInt8]]) -> [UInt8] {
        datagrams.flatMap { [UInt8($0.count >> 8), UInt8($0.count & 0xFF)] + $0 }
    }
}
