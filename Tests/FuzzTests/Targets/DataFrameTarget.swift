import DataChannels
import Foundation
import HostInterface

extension FuzzTarget {
    /// The bytes on a data channel, in pieces of any size.
    static let dataFrames = FuzzTarget(
        name: "data-frames",
        seeds: {
            [
                DataFrame.message(Data("up".utf8)), .accepted, .refused(HostError(.cancelled, "No.")),
                .message(Data(count: 300)),
            ].map(\.bytes)
        },
        words: ["\0\0\0\0", "\u{1}\0\0\0", "\u{2}\0\0\0", "\u{8}\0\0\0", "cancelled\n"],
        outcomes: ["open", "malformed"]
    ) { bytes in
        let longest = 1000
        var random = SplitMix64(state: UInt64(bytes.count))
        var reader = DataFrameReader(longest: longest)
        var rest = bytes[...]
        var frames: [DataFrame] = []
        var outcome = "open"
        while !rest.isEmpty, outcome == "open" {
            let count = min(rest.count, Int.random(in: 1...50, using: &random))
            reader.append(rest.prefix(count))
            rest = rest.dropFirst(count)
            do throws(MalformedFrame) {
                while let frame = try reader.next() { frames.append(frame) }
            } catch {
                outcome = "malformed"
            }
        }
        var position = bytes.startIndex
        for frame in frames {
            // Whatever an acceptance or a refusal had in it, its header gives its length.
            let length = bytes[(position + 4)..<(position + 8)].reversed().reduce(0) { $0 << 8 | Int($1) }
            try demand(length <= longest, "a frame of \(length) bytes")
            let end = position + 8 + length
            if case .message(let data) = frame {
                try demand(bytes[position..<end] == frame.bytes[...], "\(data) was not sent")
            }
            position = end
        }
        return outcome
    }
}
