import MediaDevice

/// A loss of the connection.
struct Outage {
    var schedule: ReconnectPolicy.Schedule
    /// Returns the time since the loss.
    let elapsed: () -> Duration
}

extension Clock where Duration == Swift.Duration {
    /// Returns a function that returns the time since this call.
    func stopwatch() -> () -> Duration {
        let start = now
        return { start.duration(to: now) }
    }
}

extension MediaDeviceError {
    static var notConnected: MediaDeviceError {
        MediaDeviceError(.connectionFailed, reason: "The connection to the device is lost.")
    }
}

extension PlayerOpeningError {
    var asDeviceError: MediaDeviceError {
        switch self {
        case .failed(let error): error
        case .secretRequired(let request): MediaDeviceError(.authorizationFailed, reason: request.reason)
        case .secretRejected(let reason, _): MediaDeviceError(.authorizationFailed, reason: reason)
        }
    }
}
