import Foundation

/// What a receiver tells by itself of what it plays by address: a property list of either kind, posted to ``path``.
///
/// Source: the protocol as receivers implement it.
package struct VideoEvent: Sendable, Hashable {
    package enum State: String, Sendable, Hashable { case loading, playing, paused, stopped }

    package static let path = "/event"
    /// Bytes of a property list; what is longer is refused.
    package static let limit = 1 << 16

    package var state: State
    /// Of the playback's requests; `nil` where it does not say.
    package var session: String?
    /// Why it does not play, in its own words.
    package var failure: String?

    package init(_ state: State, session: String? = nil, failure: String? = nil) {
        self.state = state
        self.session = session
        self.failure = failure
    }

    /// - Returns: `nil` for what is not about video, or says nothing that is known.
    /// - Throws: ``AirPlayError/malformed(_:)`` for anything else than a dictionary, ``AirPlayError/tooLarge(_:)``.
    package init?(_ body: [UInt8], session: String? = nil) throws(AirPlayError) {
        guard body.count <= Self.limit else { throw .tooLarge("an event") }
        guard let values = ReceiverPropertyList.dictionary(body) else {
            throw .malformed("an event that is no property list")
        }
        guard values["category"] as? String ?? "video" == "video",
            let state = (values["state"] as? String).flatMap(State.init)
        else { return nil }
        self.init(state, session: session, failure: ReceiverPropertyList.failure(in: values))
    }
}
