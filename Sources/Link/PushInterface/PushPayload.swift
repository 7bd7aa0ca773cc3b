package import Foundation

/// A server's message about a remote session: `{"aps": {"event": …, "timestamp": …, "attributes": {…}}}`.
///
/// Source: "Publishing remote media sessions", NowPlaying, iOS 27 SDK.
package struct PushPayload: Sendable, Hashable {
    package enum Event: String, Sendable, Hashable { case start, update, end }

    /// An invalid payload, with one sentence for the sender.
    package struct Malformed: Error, Sendable, Hashable {
        package let reason: String
    }

    /// The greatest size in bytes, that of the original service.
    package static let limit = 4096

    package let event: Event
    /// The timestamp in seconds since 1970, which orders the pushes of a session.
    package let timestamp: Int64
    /// The `id` of the attributes.
    package let session: String
    /// The attributes as JSON.
    package let attributes: Data

    /// Parses a payload.
    ///
    /// - Throws: ``Malformed``
    package init(_ data: Data) throws(Malformed) {
        guard !data.isEmpty else { throw Malformed(reason: "The payload is empty.") }
        guard data.count <= Self.limit else {
            throw Malformed(reason: "The payload has more than \(Self.limit) bytes.")
        }
        guard let object = try? JSONSerialization.jsonObject(with: data), let payload = object as? [String: Any] else {
            throw Malformed(reason: "The payload is no JSON object.")
        }
        guard let aps = payload["aps"] as? [String: Any] else { throw Malformed(reason: "“aps” is no object.") }
        guard let event = (aps["event"] as? String).flatMap(Event.init) else {
            throw Malformed(reason: "“aps.event” is none of start, update and end.")
        }
        guard let number = aps["timestamp"] as? NSNumber, let timestamp = Int64(exactly: number.doubleValue),
            timestamp >= 0
        else { throw Malformed(reason: "“aps.timestamp” is no whole number of seconds.") }
        guard let attributes = aps["attributes"] as? [String: Any] else {
            throw Malformed(reason: "“aps.attributes” is no object.")
        }
        guard let session = attributes["id"] as? String, 1...512 ~= session.utf8.count else {
            throw Malformed(reason: "“aps.attributes.id” is no text of 1 to 512 bytes.")
        }
        guard let json = try? JSONSerialization.data(withJSONObject: attributes, options: .sortedKeys) else {
            throw Malformed(reason: "“aps.attributes” cannot be passed on.")
        }
        self.event = event
        self.timestamp = timestamp
        self.session = session
        self.attributes = json
    }
}
