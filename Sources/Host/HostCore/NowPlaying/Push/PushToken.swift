package import Foundation
import PushInterface

/// A token to which servers send pushes, with its purpose.
package struct PushToken: Codable, Sendable, Hashable {
    /// The permitted effect of a push to the token.
    package enum Purpose: Codable, Sendable, Hashable {
        /// Start sessions of the app.
        case start
        /// Updates and ends one session, by ``RemoteSessionRecord/number``.
        case session(Int)
    }

    package static let length = 32

    package let value: Data
    /// Identifier of the app.
    package let application: String
    package let purpose: Purpose
    /// The time at which the token was replaced or its session ended, in seconds since 1970; `nil` for a valid token.
    package var retired: Int64?

    package init(value: Data, application: String, purpose: Purpose, retired: Int64? = nil) {
        self.value = value
        self.application = application
        self.purpose = purpose
        self.retired = retired
    }

    /// Returns a new random token.
    package static func make(_ application: String, _ purpose: Purpose) -> PushToken {
        var random = SystemRandomNumberGenerator()
        let bytes = (0..<length).map { _ in UInt8.random(in: 0...255, using: &random) }
        return PushToken(value: Data(bytes), application: application, purpose: purpose)
    }

    /// Returns the required `apns-topic`.
    package static func topic(of application: String) -> String { PushRegistration.topic(of: application) }
}

/// All tokens that were given away: a value.
package struct PushTokenBook: Sendable {
    /// The seconds for which a retired token is distinguished from an unknown one.
    package static let memory: Int64 = 30 * 86_400

    private var tokens: [Data: PushToken] = [:]

    package init(_ tokens: [PushToken] = []) {
        for token in tokens { self.tokens[token.value] = token }
    }

    package subscript(value: Data) -> PushToken? { tokens[value] }

    /// The valid and the retired tokens, in any order.
    package var all: some Collection<PushToken> { tokens.values }

    /// Returns the valid token.
    package func current(_ application: String, _ purpose: PushToken.Purpose) -> PushToken? {
        tokens.values.first { $0.application == application && $0.purpose == purpose && $0.retired == nil }
    }

    package mutating func add(_ token: PushToken) { tokens[token.value] = token }

    /// Retires the tokens of a purpose.
    ///
    /// - Parameter time: The time in seconds since 1970.
    /// - Returns: The retired tokens.
    package mutating func retire(_ application: String, _ purpose: PushToken.Purpose, at time: Int64) -> [PushToken] {
        tokens.values.filter { $0.application == application && $0.purpose == purpose && $0.retired == nil }.map {
            var token = $0
            token.retired = time
            tokens[token.value] = token
            return token
        }
    }

    /// Removes tokens that were retired long ago.
    ///
    /// - Returns: The removed tokens.
    package mutating func prune(at time: Int64) -> [Data] {
        let old = tokens.values.filter { $0.retired.map { time - $0 > Self.memory } ?? false }.map(\.value)
        for value in old { tokens[value] = nil }
        return old
    }
}
