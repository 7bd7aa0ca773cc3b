import HostInterface

/// The apps whose own sound is played on the devices they are routed to, as a value without I/O.
///
/// A device that only takes samples can get nothing else. On any other device, the app has given no media if none of its
/// sessions carries the sound for ``patience``; until then it may be about to start one. Times are those since any one
/// moment.
struct OwnSound: Sendable {
    /// The time for a routed app to start a session.
    static let patience = Duration.seconds(2)

    private struct Entry: Sendable {
        var route: RoutedApplication
        /// The time from which no session of the app has played.
        var silentSince: Duration
    }

    private var routes: [String: Entry] = [:]
    /// The apps by their sessions that carry the sound.
    private var carrying: [String: String] = [:]

    /// Apps whose own sound an earlier daemon played, until their routes are known.
    private var resumed: Set<String>

    /// - Parameter resumed: The apps whose own sound an earlier daemon played. They have given no media.
    init(resuming resumed: Set<String> = []) { self.resumed = resumed }

    mutating func take(_ current: [RoutedApplication], now: Duration) {
        let earlier = routes
        routes = [:]
        for route in current {
            let isSame = earlier[route.application]?.route.id == route.id
            let silentSince = isSame ? earlier[route.application]?.silentSince : nil
            let start = resumed.remove(route.application) == nil ? now : now - Self.patience
            routes[route.application] = Entry(route: route, silentSince: silentSince ?? start)
        }
    }

    /// - Returns: `false` if the session makes no difference.
    mutating func take(_ session: HostSession, now: Duration) -> Bool {
        if session.state.isOver { return ended(session.id, now: now) }
        guard let owner = session.owner, session.source != PlaybackSource.streamAddress, carrying[session.id] == nil
        else { return false }
        carrying[session.id] = owner
        return true
    }

    /// - Returns: `false` if the session makes no difference.
    mutating func ended(_ session: String, now: Duration) -> Bool {
        guard let owner = carrying.removeValue(forKey: session) else { return false }
        routes[owner]?.silentSince = now
        return true
    }

    /// Returns the routes whose apps' own sound is to be played, and the time at which the next ones join them.
    func wanted(now: Duration) -> (routes: [RoutedApplication], next: Duration?) {
        let busy = Set(carrying.values)
        var wanted: [RoutedApplication] = []
        var next: Duration?
        for entry in routes.values where entry.route.takesLiveSound && !busy.contains(entry.route.application) {
            let time = entry.route.takesSamplesOnly ? entry.silentSince : entry.silentSince + Self.patience
            if time <= now { wanted.append(entry.route) } else { next = min(next ?? time, time) }
        }
        return (wanted.sorted { $0.application < $1.application }, next)
    }
}
