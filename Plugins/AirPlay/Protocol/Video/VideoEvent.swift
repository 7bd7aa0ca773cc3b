import Foundation

/// An event that a receiver sends during the playback of a URL: an XML or binary property list, posted to ``path``.
///
/// Source: the protocol as receivers implement it.
package struct VideoEvent: Sendable, Hashable {
    package enum State: String, Sendable, Hashable { case loading, playing, paused, stopped }

    package static let path = "/event"
    /// The longest accepted property list in bytes.
    package static let limit = 1 << 16

    package var state: State
    /// The session identifier of the playback's requests; `nil` if the event has none.
    package var session: String?
    /// The receiver's reason for a failure.
    package var failure: String?

    package init(_ state: State, session: String? = nil, failure: String? = nil) {
        self.state = state
        self.session = session
        self.failure = failure
    }

    /// Parses an event.
    ///
    /// - Returns: `nil` if it isn't about video, or has no known content.
    /// - Throws: ``AirPlayError/malformed(_:)`` unless it is a dictionary; ``AirPlayError/tooLarge(_:)``.
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
