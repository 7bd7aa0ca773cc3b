import MediaDevice

extension MediaOutputDevice {
    /// The same device with the volume control and mute that its player told; `nil` for one without endpoints.
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
