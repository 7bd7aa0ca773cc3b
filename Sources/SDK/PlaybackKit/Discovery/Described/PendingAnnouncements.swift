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
        /// The waiting announcements, oldest first, at most one of each name.
        var waiting: [DeviceAnnouncement] = []
    }

    private let bounds: Bounds
    private var devices: [String: Device] = [:]

    init(bounds: Bounds = Bounds()) { self.bounds = bounds }

    var count: Int { devices.count }

    /// Adds an announcement, which replaces a waiting one of the same name.
    ///
    /// - Returns: `true` if the caller has to start processing this device's announcements; `false` also if there are
    ///   too many, and the announcement was dropped.
    mutating func add(_ announcement: DeviceAnnouncement, of key: String) -> Bool {
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

    /// Returns and removes the next announcement of a device; `nil` if there is none, which ends its processing.
    mutating func next(of key: String) -> DeviceAnnouncement? {
        guard let first = devices[key]?.waiting.first else {
            devices[key] = nil
            return nil
        }
        devices[key]?.waiting.removeFirst()
        return first
    }
}
