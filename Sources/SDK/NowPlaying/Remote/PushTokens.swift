import Foundation
import Observation

/// An observable push token.
@MainActor
@Observable
final class PushTokenHolder {
    private(set) var token: Data?
    @ObservationIgnored private var followers: [Int: AsyncStream<Data>.Continuation] = [:]
    @ObservationIgnored private var lastFollower = 0

    /// Replaces the token.
    ///
    /// - Parameter token: The token; empty as long as the daemon has none.
    func set(_ token: Data) {
        guard !token.isEmpty, token != self.token else { return }
        self.token = token
        for follower in followers.values { follower.yield(token) }
    }

    /// Returns a stream of the current token and each later one. A slow reader gets only the newest.
    func updates() -> AsyncStream<Data> {
        let (stream, continuation) = AsyncStream.makeStream(of: Data.self, bufferingPolicy: .bufferingNewest(1))
        lastFollower += 1
        let number = lastFollower
        followers[number] = continuation
        continuation.onTermination = { [weak self] _ in
            Task { @MainActor in self?.followers[number] = nil }
        }
        if let token { continuation.yield(token) }
        return stream
    }
}

/// The push tokens of this extension's sessions, by session.
@MainActor
final class PushTokens {
    static let shared = PushTokens()
    private var holders: [String: PushTokenHolder] = [:]

    func holder(of session: String) -> PushTokenHolder {
        if let holder = holders[session] { return holder }
        let holder = PushTokenHolder()
        holders[session] = holder
        return holder
    }

    func forget(_ session: String) { holders[session] = nil }
}
