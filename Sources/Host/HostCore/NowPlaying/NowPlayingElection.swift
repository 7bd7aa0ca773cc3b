/// The election of each owner's primary session and of the system primary session, as a value.
///
/// Roles only move when something starts, never because something else stopped: a person resumes what they paused.
/// docs/now-playing.md has the rules.
package struct NowPlayingElection: Sendable {
    /// The facts about a session for the election.
    private struct Candidate {
        var owner: String
        var isActive = false
        /// The number of its last start, request or appearance. A higher one takes precedence.
        var claim: Int
    }

    /// Only sessions with content are in here.
    private var candidates: [String: Candidate] = [:]
    private var lastClaim = 0
    /// The application primary sessions by owner.
    private(set) var applicationPrimaries: [String: String] = [:]
    package private(set) var systemPrimary: String?

    package init() {}

    package func isApplicationPrimary(_ id: String) -> Bool {
        candidates[id].map { applicationPrimaries[$0.owner] == id } ?? false
    }

    package func isSystemPrimary(_ id: String) -> Bool { systemPrimary == id }

    /// Updates a session.
    ///
    /// A new session becomes its owner's primary if there is none. An owner's primary that starts to play becomes
    /// system primary; without any, the first new session does.
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

    /// Removes a session that has ended or has nothing to show. Its roles go to the best remaining one.
    package mutating func remove(_ id: String) {
        guard let candidate = candidates.removeValue(forKey: id) else { return }
        if applicationPrimaries[candidate.owner] == id {
            applicationPrimaries[candidate.owner] = best { $0.value.owner == candidate.owner }
        }
        if systemPrimary == id { systemPrimary = best { isApplicationPrimary($0.key) } }
    }

    /// Makes a session application primary.
    ///
    /// - Returns: `false` if it has no content.
    package mutating func claimApplication(_ id: String) -> Bool {
        guard let owner = candidates[id]?.owner else { return false }
        let claim = nextClaim()
        candidates[id]?.claim = claim
        let earlier = applicationPrimaries[owner]
        applicationPrimaries[owner] = id
        // The new session inherits the app's place among the others.
        if let systemPrimary, systemPrimary == earlier { self.systemPrimary = id }
        return true
    }

    /// Both roles; whether it may ask is not decided here.
    package mutating func claimSystem(_ id: String) -> Bool {
        guard claimApplication(id) else { return false }
        systemPrimary = id
        return true
    }

    /// Returns the best session: playing before not playing, then the latest claim.
    private func best(_ fits: ((key: String, value: Candidate)) -> Bool) -> String? {
        candidates.filter { fits((key: $0.key, value: $0.value)) }
            .max { ($0.value.isActive ? 1 : 0, $0.value.claim) < ($1.value.isActive ? 1 : 0, $1.value.claim) }?.key
    }

    private mutating func nextClaim() -> Int {
        lastClaim += 1
        return lastClaim
    }
}
