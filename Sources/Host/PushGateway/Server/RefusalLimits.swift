/// Slows down those whose provider tokens are refused again and again: from the eleventh on they wait, twice as long with every
/// further one, up to a minute.
///
/// A value, with times in seconds, so that it needs no clock.
struct RefusalLimits: Sendable {
    private struct Peer {
        var refusals = 0
        /// When it may try again.
        var waitsUntil: Int64 = 0
        var last: Int64 = 0
    }

    /// Refusals that cost nothing: a provider that was set up wrong is to be told what is wrong.
    static let allowance = 10
    static let longestWait: Int64 = 60
    /// Without a refusal for so long a peer begins anew.
    static let memory: Int64 = 600
    /// Of the peers that are kept.
    static let capacity = 1_024

    private var peers: [String: Peer] = [:]

    var count: Int { peers.count }

    /// How many seconds the peer has to wait; `nil` where it may try.
    func wait(of peer: String, at now: Int64) -> Int? {
        guard let known = peers[peer], known.waitsUntil > now else { return nil }
        return Int(known.waitsUntil - now)
    }

    mutating func refused(_ peer: String, at now: Int64) {
        if peers[peer] == nil, peers.count >= Self.capacity { makeRoom(now) }
        var known = peers[peer] ?? Peer()
        if now - known.last > Self.memory { known = Peer() }
        known.refusals += 1
        known.last = now
        let beyond = known.refusals - Self.allowance
        if beyond > 0 { known.waitsUntil = now + min(Self.longestWait, 1 << Int64(min(beyond - 1, 6))) }
        peers[peer] = known
    }

    /// A token of the peer was good.
    mutating func accepted(_ peer: String) { peers[peer] = nil }

    private mutating func makeRoom(_ now: Int64) {
        peers = peers.filter { now - $0.value.last <= Self.memory }
        // All are recent: who was quiet for longest goes.
        if peers.count >= Self.capacity, let oldest = peers.min(by: { $0.value.last < $1.value.last })?.key {
            peers[oldest] = nil
        }
    }
}
