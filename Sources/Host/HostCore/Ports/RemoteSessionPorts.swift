import Foundation
import HostInterface

/// What an extension of ``ExtensionPoint/remoteMedia`` is asked, one case per method of `org.mdhost.MediaSessionLink1`.
package enum RemoteSessionCall: Sendable, Hashable {
    /// Makes the session, or brings one that it has up to date.
    case open(session: String, attributes: Data, token: Data)
    case update(session: String, attributes: Data)
    case close(session: String)
    case setToken(session: String, Data)
}

/// The processes that represent remote sessions.
package protocol RemoteSessionRunner: Sendable {
    /// As ``ExtensionRunner/statuses()``.
    func statuses() async -> [ExtensionStatus]
    /// As ``ExtensionRunner/acquire(_:reason:)``.
    func acquire(_ identifier: String, reason: String) async
    func release(_ identifier: String, reason: String) async
    /// Asks an extension, waiting for one that is just starting.
    ///
    /// - Returns: For ``RemoteSessionCall/open(session:attributes:token:)`` where the session is reached; otherwise nothing.
    /// - Throws: ``HostError``: the extension's own, with code `invalid-argument` for attributes it cannot use; or as
    ///   ``ExtensionRunner/perform(_:on:)``.
    func perform(_ call: RemoteSessionCall, on identifier: String) async throws -> String
    /// Asks one of its sessions.
    ///
    /// - Parameter place: As ``perform(_:on:)`` returned it, from the same process.
    func ask(_ call: MediaHandlerCall, at place: String, on identifier: String) async throws -> MediaHandlerAnswer
}

/// Remote sessions and their tokens, kept over restarts.
package protocol RemoteSessionStore: Sendable {
    /// The greatest ``RemoteSessionRecord/number`` that was ever kept; 0 before the first.
    func lastRemoteSession() async throws -> Int
    /// In the order they began.
    func remoteSessions() async throws -> [RemoteSessionRecord]
    /// Inserts or replaces by ``RemoteSessionRecord/number``; durable when it returns.
    func keep(_ session: RemoteSessionRecord) async throws
    /// The session is over; durable when it returns.
    func dropRemoteSession(number: Int) async throws
    /// Every token that was given away and is not forgotten.
    func pushTokens() async throws -> [PushToken]
    /// Inserts or replaces by ``PushToken/value``; durable when it returns.
    func keep(_ token: PushToken) async throws
    func dropPushTokens(_ values: [Data]) async throws
    /// When sessions ended, as the pushes that ended them said.
    func endedRemoteSessions() async throws -> [EndedSession: Int64]
    /// Durable when it returns; forgets those that ended before `oldest`.
    func keep(_ session: EndedSession, endedAt timestamp: Int64, forgettingBefore oldest: Int64) async throws
}
