/// Decides which pictures are encoded, at which bit rate, and how time in the stream goes on, by how much the device
/// takes.
///
/// A picture that the device can't take is left out before it is encoded: nothing is queued up, so the delay doesn't
/// grow. While the device takes nothing for longer, time in the stream stands still, so that it doesn't have to wait for
/// pictures that were never sent.
package struct FlowControl: Sendable {
    package enum Decision: Sendable, Hashable {
        case encode(isKey: Bool)
        case drop
    }

    /// Time without an encoded picture after which time in the stream stands still, in microseconds.
    package static let patience: Int64 = 400_000
    /// Time without a dropped picture after which the bit rate rises, in microseconds.
    package static let calm: Int64 = 5_000_000
    /// The least time between two reductions, in microseconds: the previous one has to show its effect.
    package static let settling: Int64 = 1_000_000
    /// The beginning of the stream, in microseconds, in which dropped pictures don't reduce the bit rate.
    package static let beginning: Int64 = 2_000_000
    /// The backlog that is always accepted, in bytes: less than a key picture would stop everything.
    private static let leastBacklog = 24 << 10

    /// In bits a second.
    package private(set) var bitRate: Int
    package private(set) var sent = 0
    package private(set) var dropped = 0

    private let limits: ClosedRange<Int>
    /// The part of the stream that is there before anybody reads it, in microseconds.
    private let lead: Int64
    /// The backlog at the picture before; `nil` once somebody has read.
    private var unread: Int? = 0
    /// The last encoded picture, in the source's time.
    private var last: Int64?
    private var hasDropped = false
    /// The source's time minus the stream's.
    private var offset: Int64 = 0
    /// The last change of the bit rate, or the last dropped picture.
    private var unrest: Int64 = 0
    private var reduced: Int64 = .min / 2

    /// - Parameters:
    ///   - limits: Of the bit rate, in bits a second; begins with the highest.
    ///   - lead: The part of the stream that is there before anybody reads it, in microseconds. A device that begins with
    ///     it in its buffer is that much later, and has it in reserve.
    package init(bitRates limits: ClosedRange<Int>, lead: Int64 = 0) {
        self.limits = limits
        self.lead = lead
        bitRate = limits.upperBound
    }

    /// Returns the usual bit rates for a size and rate.
    package static func bitRates(size: PictureSize, rate: Int) -> ClosedRange<Int> {
        let highest = max(400_000, min(20_000_000, size.width * size.height * rate / 7))
        return max(200_000, highest / 8)...highest
    }

    /// The number of bytes on their way at which the next picture is left out.
    private var backlogLimit: Int {
        let usual = max(Self.leastBacklog, bitRate / 8 / 8)
        return unread == nil ? usual : max(usual, Int(lead) * bitRate / 8_000_000)
    }

    /// A Boolean value that indicates whether the lead is complete.
    package var hasLead: Bool { hasDropped || last.map { $0 - offset >= lead } ?? false }

    /// Decides on a picture.
    ///
    /// - Parameters:
    ///   - time: The source's time, in microseconds.
    ///   - backlog: The number of bytes that the device hasn't taken yet.
    package mutating func picture(at time: Int64, backlog: Int) -> Decision {
        if let unread { self.unread = backlog < unread ? nil : backlog }
        guard backlog <= backlogLimit else {
            dropped += 1
            hasDropped = true
            return .drop
        }
        guard let last else {
            offset = time
            unrest = time
            self.last = time
            sent += 1
            return .encode(isKey: true)
        }
        let wasStalled = hasDropped && isStalled(at: time)
        if hasDropped { reduce(at: time, after: last) } else { raise(at: time) }
        if wasStalled { offset += time - last - Self.patience }
        hasDropped = false
        self.last = time
        sent += 1
        return .encode(isKey: wasStalled)
    }

    private mutating func reduce(at time: Int64, after last: Int64) {
        unrest = time
        // A device that begins to play, or looks at the stream first, isn't slow.
        guard last - offset >= Self.beginning, time - reduced >= Self.settling else { return }
        bitRate = max(limits.lowerBound, bitRate * 7 / 10)
        reduced = time
    }

    private mutating func raise(at time: Int64) {
        guard time - unrest >= Self.calm, bitRate < limits.upperBound else { return }
        bitRate = min(limits.upperBound, bitRate * 11 / 10)
        unrest = time
    }

    /// Returns the time since the last picture that was encoded, in microseconds.
    package func silence(at time: Int64) -> Int64 { last.map { time - $0 } ?? 0 }

    /// Returns the time in the stream, in microseconds from its first picture; `nil` before it, and while time stands
    /// still.
    package func streamTime(of time: Int64) -> Int64? {
        guard last != nil, time >= offset, !(hasDropped && isStalled(at: time)) else { return nil }
        return time - offset
    }

    private func isStalled(at time: Int64) -> Bool {
        guard let last else { return false }
        return time - last > Self.patience
    }
}
