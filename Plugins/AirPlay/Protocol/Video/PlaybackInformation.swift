import Foundation

/// What a receiver says of what it plays by address: its answer to `/playback-info`, a property list of either kind.
///
/// Source: the protocol as receivers implement it. Values that cannot be read count as absent.
package struct PlaybackInformation: Sendable, Hashable {
    /// Bytes of an answer; what is longer is refused.
    package static let limit = 1 << 16

    /// Seconds; `nil` where it does not know, as of what is live.
    package var duration: Double?
    /// Seconds from the beginning.
    package var position: Double?
    /// 0 while it stands, 1 while it plays.
    package var rate: Double?
    /// Whether there is something that it plays, or could.
    package var isReady: Bool
    /// It waits for more of the media.
    package var isWaiting: Bool
    package var isSeekable: Bool
    /// Why it does not play, in its own words.
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

    /// Nothing plays.
    package static let nothing = PlaybackInformation(isReady: false, isSeekable: false)

    /// - Parameter body: Without a byte where nothing plays.
    /// - Throws: ``AirPlayError/malformed(_:)`` for anything else than a dictionary.
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
