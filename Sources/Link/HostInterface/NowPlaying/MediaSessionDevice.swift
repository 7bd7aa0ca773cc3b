/// A device on which a remote session plays, as surfaces show it.
package struct MediaSessionDevice: Codable, Sendable, Hashable, Identifiable {
    package var id: String
    package var name: String
    /// The kind of device: `car`, `desktop`, `gamingConsole`, `laptop`, `mediaStick`, `phone`, `setTopBox`, `speaker`,
    /// `tablet`, `tv`, `wearable` or `web`.
    package var type: String
    /// The volume, `0.0...1.0`; `nil` if it can't be set.
    package var level: Double?
    /// A Boolean value that indicates whether the volume changes in steps.
    package var isStepped: Bool

    package init(id: String, name: String, type: String, level: Double? = nil, isStepped: Bool = false) {
        self.id = id
        self.name = name
        self.type = type
        self.level = level
        self.isStepped = isStepped
    }
}

/// The common volume of several devices.
package enum SharedLevel {
    /// Returns the volume of the loudest device; `nil` if none has a volume.
    package static func level(of devices: [MediaSessionDevice]) -> Double? {
        devices.compactMap(\.level).max()
    }

    /// Returns the volumes with which the loudest device has `level`. All change by the same factor, which keeps their
    /// balance. From silence all get the same volume.
    ///
    /// - Returns: Only the devices that change.
    package static func levels(_ level: Double, for devices: [MediaSessionDevice]) -> [(device: String, level: Double)]
    {
        let loudest = Self.level(of: devices) ?? 0
        return devices.compactMap { device in
            guard let own = device.level else { return nil }
            let new = loudest > 0 ? own / loudest * level : level
            return new == own ? nil : (device.id, min(1, max(0, new)))
        }
    }
}
