import HostInterface

/// Whether a new session takes the place of the one before it on a device.
///
/// A device plays one at a time. What a person begins always takes the place, and an app takes the place of its own, of what
/// a person began, and of another app's that does not play.
enum SessionTakeover {
    /// - Parameters:
    ///   - owner: The app that begins the new one; `nil` for a person.
    ///   - application: What people call the app of the earlier one.
    ///   - name: Of the device.
    /// - Throws: ``HostError`` `device-in-use` where the earlier one stays.
    static func check(_ current: HostSession, by owner: String?, of application: String, on name: String)
        throws(HostError)
    {
        guard let owner, let other = current.owner, other != owner, current.keepsOthersOut else { return }
        throw HostError(.deviceInUse, "\(application) plays on \(name).")
    }

    /// What the app of the earlier one is told; `nil` for what a person began, which just ends.
    static func reason(_ current: HostSession) -> HostError? {
        current.owner == nil ? nil : HostError(.cancelled, "Another playback took its place.")
    }
}

extension HostSession {
    /// It plays, or is about to.
    var keepsOthersOut: Bool {
        switch state {
        case .starting: true
        case .active, .reconnecting: playback.isPlaying
        case .ended, .failed: false
        }
    }
}
