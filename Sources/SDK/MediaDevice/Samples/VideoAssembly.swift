import Foundation
import HostInterface

/// The assembly of access units from packets. Without I/O.
///
/// Access units before the first key frame, and from a loss to the next key frame, are left out: they can't be decoded.
struct VideoAssembly: Sendable {
    enum Outcome: Sendable, Hashable {
        /// The whole access unit.
        case frame(Data, VideoPacket)
        /// More packets are needed.
        case incomplete
        /// Nothing can be decoded before the next key frame, which has to be asked for. Told once for each loss.
        case keyFrameNeeded
    }

    private var unit = Data()
    private var current: VideoPacket?
    /// The number of the next access unit; `nil` if only a key frame will do.
    private var next: UInt64?
    private var hasAsked = false

    mutating func take(_ header: VideoPacket, _ part: Data) -> Outcome {
        if header.offset == 0 {
            unit = Data(capacity: Int(header.length))
            current = header
        }
        guard let current, current.number == header.number, current.length == header.length,
            unit.count == header.offset, unit.count + part.count <= header.length
        else { return lose() }
        unit += part
        guard unit.count == header.length else { return .incomplete }
        self.current = nil
        guard current.isKey || next == current.number else { return lose() }
        next = current.number &+ 1
        hasAsked = false
        return .frame(unit, current)
    }

    private mutating func lose() -> Outcome {
        current = nil
        next = nil
        guard !hasAsked else { return .incomplete }
        hasAsked = true
        return .keyFrameNeeded
    }
}
