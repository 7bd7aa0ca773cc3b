/// The state of an extension for remote sessions, as a value.
struct RemoteExtension {
    var status: ExtensionStatus
    /// The generation of the running process.
    var generation: Int?
    /// A Boolean value that indicates whether the process is kept running for its sessions.
    var isHeld = false
    /// The object paths of its sessions by number.
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
