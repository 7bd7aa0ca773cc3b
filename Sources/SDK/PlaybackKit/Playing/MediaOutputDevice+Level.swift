import MediaDevice

extension MediaOutputDevice {
    /// Returns the device with further properties in its TXT record.
    func with(_ properties: [String: String]) -> MediaOutputDevice {
        guard !properties.isEmpty else { return self }
        let record = txtRecords.first?.dictionary.filter { !$0.key.hasPrefix("member ") } ?? [:]
        let changed = NWTXTRecord(record.merging(properties) { $1 })
        return with(volumeControl, canMute: canMute, [changed] + txtRecords.dropFirst()) ?? self
    }

    /// Returns the device with the volume control and mute support of a level; `nil` for a device without endpoints.
    func with(_ level: PlayerLevel) -> MediaOutputDevice? {
        let control: VolumeControl =
            if level.volume != nil { .absolute } else if volumeControl == .absolute { .none } else { volumeControl }
        return with(control, canMute: level.isMuted != nil, txtRecords)
    }

    private func with(_ control: VolumeControl, canMute: Bool, _ txtRecords: [NWTXTRecord]) -> MediaOutputDevice? {
        var changed = MediaOutputDevice(
            id: id, displayName: displayName, capabilities: capabilities,
            canGroupWithCurrentlyActivatedDevices: canGroupWithCurrentlyActivatedDevices, deviceType: deviceType,
            volumeControl: control, canMute: canMute, requiredNetworkEndpoints: networkEndpoints,
            txtRecords: txtRecords, supportsSimultaneousSessions: supportsSimultaneousSessions)
        changed?.deduplicationIdentifiers = deduplicationIdentifiers
        changed?.liveStreamFormat = liveStreamFormat
        changed?.leastLatency = leastLatency
        changed?.usualLatency = usualLatency
        return changed
    }
}
