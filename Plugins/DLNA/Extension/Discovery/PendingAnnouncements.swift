/// The announcements whose descriptions are still to be read, by device; bounded in total and for each sender.
struct PendingAnnouncements {
    struct Bounds: Sendable, Hashable {
        var devices = 512
        var devicesPerSender = 32
        /// The types that a device announces itself with.
        var perDevice = 8
    }

    private struct Device {
        var sender: String
        /// Waiting, oldest first; at most one of each name.
        var waiting: [RendererDirectory.Announcement] = []
    }

    private let bounds: Bounds
    private var devices: [String: Device] = [:]

    init(bounds: Bounds = Bounds()) { self.bounds = bounds }

    var count: Int { devices.count }

    /// Adds an announcement; it replaces an older one of the same name that still waits.
    ///
    /// - Returns: Whether the caller has to start working through this device's announcements. `false` also where there
    ///   are too many: then it is dropped.
    mutating func add(_ announcement: RendererDirectory.Announcement, of key: String) -> Bool {
        if var device = devices[key] {
            device.waiting.removeAll { $0.usn == announcement.usn }
            device.waiting.append(announcement)
            if device.waiting.count > bounds.perDevice { device.waiting.removeFirst() }
            devices[key] = device
            return false
        }
        let sender = announcement.sender
        guard devices.count < bounds.devices,
            devices.values.lazy.filter({ $0.sender == sender }).count < bounds.devicesPerSender
        else { return false }
        devices[key] = Device(sender: sender, waiting: [announcement])
        return true
    }

    /// Takes the next announcement of a device; `nil` when there is none, and the work on it is over.
    mutating func next(of key: String) -> RendererDirectory.Announcement? {
        guard let first = devices[key]?.waiting.first else {
            devices[key] = nil
            return nil
        }
        devices[key]?.waiting.removeFirst()
        return first
    }
}
