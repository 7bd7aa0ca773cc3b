/// Which session speaks for its owner, and which one for the whole machine: a value that is told what sessions do.
///
/// Roles only move when something happens, never because something else stopped: what a person paused is what they go
/// on with. The rules for people are in docs/now-playing.md.
package struct NowPlayingElection: Sendable {
    /// What of a session matters here.
    private struct Candidate {
        var owner: String
        var isActive = false
        /// When it last began to play, asked for a role or appeared: a later one goes before an earlier one.
        var claim: Int
    }

    /// Only sessions with content are in here.
    private var candidates: [String: Candidate] = [:]
    private var lastClaim = 0
    /// By owner.
    private(set) var applicationPrimaries: [String: String] = [:]
    package private(set) var systemPrimary: String?

    package init() {}

    package func isApplicationPrimary(_ id: String) -> Bool {
        candidates[id].map { applicationPrimaries[$0.owner] == id } ?? false
    }

    package func isSystemPrimary(_ id: String) -> Bool { systemPrimary == id }

    /// Tells how a session is now.
    ///
    /// One that appears is its owner's primary where there is none. One that begins to play while it is its owner's
    /// primary is the system's; without any, the first that appears is.
    package mutating func update(_ id: String, owner: String, hasContent: Bool, isActive: Bool) {
        guard hasContent else { return remove(id) }
        let wasActive = candidates[id]?.isActive ?? false
        var candidate = candidates[id] ?? Candidate(owner: owner, claim: nextClaim())
        candidate.isActive = isActive
        if isActive, !wasActive { candidate.claim = nextClaim() }
        candidates[id] = candidate
        if applicationPrimaries[owner] == nil { applicationPrimaries[owner] = id }
        guard applicationPrimaries[owner] == id else { return }
        if (isActive && !wasActive) || systemPrimary == nil { systemPrimary = id }
    }

    /// The session is over or has nothing to show: its roles go to the best that is left.
    package mutating func remove(_ id: String) {
        guard let candidate = candidates.removeValue(forKey: id) else { return }
        if applicationPrimaries[candidate.owner] == id {
            applicationPrimaries[candidate.owner] = best { $0.value.owner == candidate.owner }
        }
        if systemPrimary == id { systemPrimary = best { isApplicationPrimary($0.key) } }
    }

    /// - Returns: Whether it has the role now; one without content cannot.
    package mutating func claimApplication(_ id: String) -> Bool {
        guard let owner = candidates[id]?.owner else { return false }
        let claim = nextClaim()
        candidates[id]?.claim = claim
        let earlier = applicationPrimaries[owner]
        applicationPrimaries[owner] = id
        // Who speaks for the app does so in its place among the others.
        if let systemPrimary, systemPrimary == earlier { self.systemPrimary = id }
        return true
    }

    /// Both roles; whether it may ask is not decided here.
    package mutating func claimSystem(_ id: String) -> Bool {
        guard claimApplication(id) else { return false }
        systemPrimary = id
        return true
    }

    /// One that plays before one that does not, and of equals the one with the latest claim.
    private func best(_ fits: ((key: String, value: Candidate)) -> Bool) -> String? {
        candidates.filter { fits((key: $0.key, value: $0.value)) }
            .max { ($0.value.isActive ? 1 : 0, $0.value.claim) < ($1.value.isActive ? 1 : 0, $1.value.claim) }?.key
    }

    private mutating func nextClaim() -> Int {
        lastClaim += 1
        return lastClaim
    }
}
