import Foundation

/// The answer of a receiver that plays a URL to `/playback-info`, an XML or binary property list.
///
/// Source: the protocol as receivers implement it. Unreadable values count as missing.
package struct PlaybackInformation: Sendable, Hashable {
    /// The longest accepted answer in bytes.
    package static let limit = 1 << 16

    /// The duration in seconds; `nil` if unknown, as for live media.
    package var duration: Double?
    /// Seconds from the beginning.
    package var position: Double?
    /// 0 while it stands, 1 while it plays.
    package var rate: Double?
    /// A Boolean value that indicates whether the receiver plays something, or could.
    package var isReady: Bool
    /// A Boolean value that indicates whether playback waits for data.
    package var isWaiting: Bool
    package var isSeekable: Bool
    /// The receiver's reason for a failure.
    package var failure: String?

    package init(
        duration: Double? = nil, position: Double? = nil, rate: Double? = nil, isReady: Bool = true,
        isWaiting: Bool = false, isSeekable: Bool = true, failure: String? = nil
    ) {
        self.duration = duration
        self.position = position
        self.rate = rate
        self.isReady = isReady
        self.isWaiting = isWaiting
        self.isSeekable = isSeekable
        self.failure = failure
    }

    /// The information if nothing plays.
    package static let nothing = PlaybackInformation(isReady: false, isSeekable: false)

    /// Parses an answer.
    ///
    /// - Parameter body: The body; empty if nothing plays.
    /// - Throws: ``AirPlayError/malformed(_:)`` unless it is a dictionary.
    package init(_ body: [UInt8]) throws(AirPlayError) {
        guard !body.isEmpty else {
            self = .nothing
            return
        }
        guard body.count <= Self.limit else { throw .tooLarge("its playback information") }
        guard let values = ReceiverPropertyList.dictionary(body) else {
            throw .malformed("playback information that is no property list")
        }
        duration = ReceiverPropertyList.number("duration", in: values).flatMap { $0 > 0 && $0 < 1e7 ? $0 : nil }
        position = ReceiverPropertyList.number("position", in: values).flatMap { $0 < 1e7 ? max(0, $0) : nil }
        rate = ReceiverPropertyList.number("rate", in: values)
        isReady = values["readyToPlay"].map { ($0 as? NSNumber)?.boolValue == true } ?? (duration != nil)
        isWaiting = (values["playbackLikelyToKeepUp"] as? NSNumber)?.boolValue == false
        let ranges = values["seekableTimeRanges"] as? [[String: Any]]
        let hasRoom = ranges?.contains { ReceiverPropertyList.number("duration", in: $0) ?? 0 > 0 }
        isSeekable = duration != nil && hasRoom ?? true
        failure = ReceiverPropertyList.failure(in: values)
    }
}
