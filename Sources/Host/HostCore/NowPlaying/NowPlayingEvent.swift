import HostInterface

/// An event of a session, in order.
enum NowPlayingEvent: Sendable {
    case register(NowPlayingSession, any MediaSessionPort)
    case update(id: String, MediaSessionState)
    case withdraw(id: String)
    case forget(owner: String)
    case host(HostChange)
    /// Resumed with whether it could be done.
    case claimApplication(id: String, CheckedContinuation<Bool, Never>)
    case claimSystem(id: String, isForeground: Bool, CheckedContinuation<Bool, Never>)
}
