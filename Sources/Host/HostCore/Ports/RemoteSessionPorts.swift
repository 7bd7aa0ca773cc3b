package import Foundation
package import HostInterface
package import LinkProtocol

/// The processes that represent remote sessions.
package protocol RemoteSessionRunner: Sendable {
    /// Returns all installed extensions; see ``ExtensionRunner/statuses()``.
    func statuses() async -> [ExtensionStatus]
    /// Keeps an extension's process running; see ``ExtensionRunner/acquire(_:reason:)``.
    func acquire(_ identifier: String, reason: String) async
    func release(_ identifier: String, reason: String) async
    /// Calls an extension, after it has started.
    ///
    /// - Returns: For ``RemoteSessionCall/open(session:attributes:token:)`` the object path of the session; otherwise
    ///   an empty text.
    /// - Throws: ``HostError``: the extension's own, with code `invalid-argument` for attributes it can't use; or those
    ///   of ``ExtensionRunner/perform(_:on:)``.
    func perform(_ call: RemoteSessionCall, on identifier: String) async throws -> String
    /// Calls a session of an extension.
    ///
    /// - Parameter place: The object path from ``perform(_:on:)`` of the same process.
    func ask(_ call: MediaHandlerCall, at place: String, on identifier: String) async throws -> MediaHandlerAnswer
}

/// Remote sessions and their tokens, kept over restarts.
package protocol RemoteSessionStore: Sendable {
    /// Returns the greatest ``RemoteSessionRecord/number`` that was ever stored; 0 before the first.
    func lastRemoteSession() async throws -> Int
    /// Returns the sessions, in the order of their start.
    func remoteSessions() async throws -> [RemoteSessionRecord]
    /// Inserts or replaces by ``RemoteSessionRecord/number``; durable when it returns.
    func keep(_ session: RemoteSessionRecord) async throws
    /// Removes an ended session, durably when it returns.
    func dropRemoteSession(number: Int) async throws
    /// Every token that was given away and is not forgotten.
    func pushTokens() async throws -> [PushToken]
    /// Inserts or replaces by ``PushToken/value``; durable when it returns.
    func keep(_ token: PushToken) async throws
    func dropPushTokens(_ values: [Data]) async throws
    /// Returns the times at which sessions ended, from the pushes that ended them.
    func endedRemoteSessions() async throws -> [EndedSession: Int64]
    /// Stores an ended session, durably when it returns, and removes those that ended before `oldest`.
    func keep(_ session: EndedSession, endedAt timestamp: Int64, forgettingBefore oldest: Int64) async throws
}
