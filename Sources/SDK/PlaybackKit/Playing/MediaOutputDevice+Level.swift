import MediaDevice

extension MediaOutputDevice {
    /// Returns the device with the volume control and mute support of a level; `nil` for a device without endpoints.
    func with(_ level: PlayerLevel) -> MediaOutputDevice? {
        let control: VolumeControl =
            if level.volume != nil { .absolute } else if volumeControl == .absolute { .none } else { volumeControl }
        var changed = MediaOutputDevice(
            id: id, displayName: displayName, capabilities: capabilities,
            canGroupWithCurrentlyActivatedDevices: canGroupWithCurrentlyActivatedDevices, deviceType: deviceType,
            volumeControl: control, canMute: level.isMuted != nil, requiredNetworkEndpoints: networkEndpoints,
            txtRecords: txtRecords, supportsSimultaneousSessions: supportsSimultaneousSessions)
        changed?.deduplicationIdentifiers = deduplicationIdentifiers
        return changed
    }
}
