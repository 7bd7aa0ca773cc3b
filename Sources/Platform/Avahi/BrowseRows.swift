/// The rows of one browse, kept so that only differences are reported after the daemon restarts.
struct BrowseRows {
    private struct Row {
        var resolution: AvahiResolution?
        /// Reported before the connection was lost and not seen since.
        var isStale = false
    }

    private var rows: [AvahiService: Row] = [:]

    var services: some Collection<AvahiService> { rows.keys }

    /// Adds a row and returns whether it is new; a stale row is confirmed instead.
    mutating func add(_ service: AvahiService) -> Bool {
        guard rows[service] == nil else {
            rows[service]?.isStale = false
            return false
        }
        rows[service] = Row()
        return true
    }

    /// Removes a row and returns whether it was known.
    mutating func remove(_ service: AvahiService) -> Bool {
        rows.removeValue(forKey: service) != nil
    }

    /// Stores an answer and returns whether it adds news about a known row.
    mutating func resolve(_ service: AvahiService, _ resolution: AvahiResolution) -> Bool {
        guard let row = rows[service], row.resolution != resolution else { return false }
        rows[service]?.resolution = resolution
        return true
    }

    /// Forgets the answer, so that the same one is reported again.
    mutating func unresolve(_ service: AvahiService) {
        rows[service]?.resolution = nil
    }

    /// The daemon is gone: whether the rows still exist is open.
    mutating func markStale() {
        for service in rows.keys { rows[service]?.isStale = true }
    }

    /// A daemon reported everything it knows: removes and returns the rows it did not confirm.
    mutating func settle() -> [AvahiService] {
        let lost = rows.filter(\.value.isStale).map(\.key)
        for service in lost { rows[service] = nil }
        return lost
    }
}
