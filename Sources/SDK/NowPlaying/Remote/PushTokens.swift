import Foundation
import Observation

/// A token as its readers see it.
@MainActor
@Observable
final class PushTokenHolder {
    private(set) var token: Data?
    @ObservationIgnored private var followers: [Int: AsyncStream<Data>.Continuation] = [:]
    @ObservationIgnored private var lastFollower = 0

    /// - Parameter token: Empty while the daemon has none.
    func set(_ token: Data) {
        guard !token.isEmpty, token != self.token else { return }
        self.token = token
        for follower in followers.values { follower.yield(token) }
    }

    /// The token that there is, then each that replaces it; the newest counts.
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

/// The tokens of the sessions of this extension, by session.
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
