/// How long a server may take.
struct MPDTimeouts: Sendable, Hashable {
    /// For each address to accept a connection.
    var connecting = Duration.seconds(5)
    /// From there to the greeting.
    var greeting = Duration.seconds(5)
    /// For each answer. MPD answers `seekcur` only once the medium's own server has answered it.
    var answer = Duration.seconds(20)
}
