import DBus
import HostInterface

extension HostClient {
    /// Longer than a session's owner may take, so that the daemon's own answer arrives.
    private static let patience = Duration.seconds(10)

    /// Has the owner of the session at `path` do something; returns when it is done.
    package func perform(_ action: MediaAction, media path: String) async throws(HostError) {
        let value: DBusValue
        do {
            value = try DBusDictionaryEncoder().encode(action)
        } catch {
            throw HostError(.invalidArgument, "The command cannot be sent: \(error.message)")
        }
        try await call(path, interface: HostNames.mediaInterface, "Perform", [value], timeout: Self.patience)
    }

    /// - Parameter level: `0.0...1.0`.
    package func setVolume(_ level: Double, media path: String) async throws(HostError) {
        try await call(path, interface: HostNames.mediaInterface, "SetVolume", [.double(level)], timeout: Self.patience)
    }

    package func setPausesOthers(_ value: Bool) async throws(HostError) {
        try await call(
            HostNames.nowPlayingPath, interface: HostNames.nowPlayingInterface, "SetPausesOthers", [.boolean(value)])
    }
}
