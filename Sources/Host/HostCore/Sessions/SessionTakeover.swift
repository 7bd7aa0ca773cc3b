import HostInterface

/// The rules for the replacement of a device's session by a new one.
///
/// A device has one session at a time. A person's session replaces any other. An app's session replaces its own, a
/// person's, and another app's that isn't playing.
enum SessionTakeover {
    /// Checks whether a new session may replace the current one.
    ///
    /// - Parameters:
    ///   - owner: The app that begins the new one; `nil` for a person.
    ///   - application: The name for people of the current session's app.
    ///   - name: The name of the device.
    /// - Throws: ``HostError`` `device-in-use` if the current one stays.
    static func check(_ current: HostSession, by owner: String?, of application: String, on name: String)
        throws(HostError)
    {
        guard let owner, let other = current.owner, other != owner, current.keepsOthersOut else { return }
        throw HostError(.deviceInUse, "\(application) plays on \(name).")
    }

    /// Returns the reason for the app of the replaced session; `nil` for a person's, which just ends.
    static func reason(_ current: HostSession) -> HostError? {
        current.owner == nil ? nil : HostError(.cancelled, "Another session replaced it.")
    }
}

extension HostSession {
    /// A Boolean value that indicates whether the session plays, or is about to.
    var keepsOthersOut: Bool {
        switch state {
        case .starting: true
        case .active, .reconnecting: playback.isPlaying
        case .ended, .failed: false
        }
    }
}
