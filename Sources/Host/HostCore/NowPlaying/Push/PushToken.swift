import Foundation
import PushInterface

/// A token servers send pushes to, and what it stands for.
package struct PushToken: Codable, Sendable, Hashable {
    /// What a push to it may do.
    package enum Purpose: Codable, Sendable, Hashable {
        /// Start sessions of the app.
        case start
        /// Update and end one session, by ``RemoteSessionRecord/number``.
        case session(Int)
    }

    package static let length = 32

    package let value: Data
    /// Identifier of the app.
    package let application: String
    package let purpose: Purpose
    /// When it was replaced or its session ended: seconds since 1970; `nil` while it holds.
    package var retired: Int64?

    package init(value: Data, application: String, purpose: Purpose, retired: Int64? = nil) {
        self.value = value
        self.application = application
        self.purpose = purpose
        self.retired = retired
    }

    /// One that nobody can guess.
    package static func make(_ application: String, _ purpose: Purpose) -> PushToken {
        var random = SystemRandomNumberGenerator()
        let bytes = (0..<length).map { _ in UInt8.random(in: 0...255, using: &random) }
        return PushToken(value: Data(bytes), application: application, purpose: purpose)
    }

    /// What servers must give as `apns-topic`.
    package static func topic(of application: String) -> String { PushRegistration.topic(of: application) }
}

/// All tokens that were given away: a value.
package struct PushTokenBook: Sendable {
    /// For how long a token that does not hold any more is told from one that never did.
    package static let memory: Int64 = 30 * 86_400

    private var tokens: [Data: PushToken] = [:]

    package init(_ tokens: [PushToken] = []) {
        for token in tokens { self.tokens[token.value] = token }
    }

    package subscript(value: Data) -> PushToken? { tokens[value] }

    /// Those that hold and those that are remembered, in no order.
    package var all: some Collection<PushToken> { tokens.values }

    /// The one that holds.
    package func current(_ application: String, _ purpose: PushToken.Purpose) -> PushToken? {
        tokens.values.first { $0.application == application && $0.purpose == purpose && $0.retired == nil }
    }

    package mutating func add(_ token: PushToken) { tokens[token.value] = token }

    /// - Parameter time: Seconds since 1970.
    /// - Returns: What changed: those that hold no more.
    package mutating func retire(_ application: String, _ purpose: PushToken.Purpose, at time: Int64) -> [PushToken] {
        tokens.values.filter { $0.application == application && $0.purpose == purpose && $0.retired == nil }.map {
            var token = $0
            token.retired = time
            tokens[token.value] = token
            return token
        }
    }

    /// Forgets those that have not held for long.
    ///
    /// - Returns: What was forgotten.
    package mutating func prune(at time: Int64) -> [Data] {
        let old = tokens.values.filter { $0.retired.map { time - $0 > Self.memory } ?? false }.map(\.value)
        for value in old { tokens[value] = nil }
        return old
    }
}
