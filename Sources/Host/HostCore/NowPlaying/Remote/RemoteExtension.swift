/// An extension for remote sessions, and what it has now; a value.
struct RemoteExtension {
    var status: ExtensionStatus
    /// Of the process that runs.
    var generation: Int?
    /// Whether it is kept running for its sessions.
    var isHeld = false
    /// Where the sessions it has are reached, by number.
    var places: [Int: String] = [:]
    /// Sessions a process had that ended.
    private var left: Set<Int> = []
    var idle: Task<Void, Never>?

    init(status: ExtensionStatus) { self.status = status }

    var isUsable: Bool { status.state != .disabled && status.state != .invalidManifest }

    mutating func processEnded() {
        generation = nil
        if isHeld { left.formUnion(places.keys) }
        places = [:]
    }

    mutating func takeLeft() -> Set<Int> {
        defer { left = [] }
        return left
    }

    mutating func letGo() {
        isHeld = false
        places = [:]
        left = []
    }
}
