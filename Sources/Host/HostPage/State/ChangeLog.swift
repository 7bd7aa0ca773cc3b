/// The latest changes of the page's state, numbered, so that a browser that was away for a moment gets what it missed.
struct ChangeLog: Sendable {
    /// The browsers that a change is for.
    enum Audience: Sendable, Hashable {
        case everyone
        /// Browsers with at least this role.
        case role(PageRole)
        case browser(String)
    }

    enum Event: Sendable, Hashable {
        /// The members of a JSON object, without its braces.
        case change(String)
        /// The daemon went away.
        case offline
        /// The browser may not use the page any more.
        case revoked
    }

    struct Entry: Sendable {
        var number: UInt64
        var audience: Audience
        var event: Event
    }

    /// Entries and bytes that are kept.
    struct Limits: Sendable {
        var entries = 512
        var bytes = 2 << 20
    }

    private let limits: Limits
    private var entries: [Entry] = []
    private var bytes = 0
    /// The number of the latest entry.
    private(set) var latest: UInt64 = 0
    /// What a reader must have got to be able to go on with ``entries``.
    private var floor: UInt64 = 0

    init(limits: Limits = Limits()) { self.limits = limits }

    mutating func append(_ event: Event, for audience: Audience = .everyone) {
        latest += 1
        entries.append(Entry(number: latest, audience: audience, event: event))
        bytes += Self.size(event)
        while entries.count > limits.entries || bytes > limits.bytes, let first = entries.first {
            entries.removeFirst()
            bytes -= Self.size(first.event)
            floor = first.number
        }
    }

    /// Forgets everything: every reader gets a snapshot next.
    mutating func reset() {
        latest += 1
        floor = latest
        entries.removeAll()
        bytes = 0
    }

    /// Returns the entries after a number for a viewer; `nil` if some of them are gone, or the number isn't one of ours.
    func entries(after number: UInt64, browser: String, role: PageRole) -> [Entry]? {
        guard number >= floor, number <= latest else { return nil }
        return entries.drop { $0.number <= number }.filter { entry in
            switch entry.audience {
            case .everyone: true
            case .role(let least): role >= least
            case .browser(let id): id == browser
            }
        }
    }

    private static func size(_ event: Event) -> Int {
        if case .change(let text) = event { text.utf8.count } else { 0 }
    }
}

/// The identifier of an event in a stream, `EPOCH-NUMBER`. The epoch is of this run of the server.
struct EventID: Sendable, Hashable {
    var epoch: String
    var number: UInt64

    init(epoch: String, number: UInt64) {
        self.epoch = epoch
        self.number = number
    }

    init?(_ text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty, let number = UInt64(parts[1]) else { return nil }
        epoch = String(parts[0])
        self.number = number
    }

    var text: String { "\(epoch)-\(number)" }
}
