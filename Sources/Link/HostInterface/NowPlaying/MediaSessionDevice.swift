/// A device on which a remote session plays, as surfaces show it.
package struct MediaSessionDevice: Codable, Sendable, Hashable, Identifiable {
    package var id: String
    package var name: String
    /// `car`, `desktop`, `gamingConsole`, `laptop`, `mediaStick`, `phone`, `setTopBox`, `speaker`, `tablet`, `tv`,
    /// `wearable` or `web`.
    package var type: String
    /// `0.0...1.0`; `nil` where it has no level that can be set.
    package var level: Double?
    /// Whether its volume moves by steps.
    package var isStepped: Bool

    package init(id: String, name: String, type: String, level: Double? = nil, isStepped: Bool = false) {
        self.id = id
        self.name = name
        self.type = type
        self.level = level
        self.isStepped = isStepped
    }
}

/// The one volume of several devices.
package enum SharedLevel {
    /// That of the loudest; `nil` where none has a level.
    package static func level(of devices: [MediaSessionDevice]) -> Double? {
        devices.compactMap(\.level).max()
    }

    /// What each device is set to so that the loudest has `level`: all move by one factor, as their owner balanced them.
    /// From silence all are set alike, or they would stay silent for ever.
    ///
    /// - Returns: Only devices that change.
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
