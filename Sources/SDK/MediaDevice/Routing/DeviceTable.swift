import Foundation

/// The devices of an extension, discovered and in use, with their secrets.
@MainActor
package final class DeviceTable {
    private var found: [UUID: MediaOutputDevice] = [:]
    /// The devices in use. They are separate because this process may never have discovered them, or may have lost
    /// them.
    private var active: [UUID: ActiveDevice] = [:]
    private var credentials: [UUID: Data] = [:]

    private struct ActiveDevice {
        var device: MediaOutputDevice
        /// The sessions with the number of the activation, which gives the order of the devices.
        var sessions: [String: Int]
    }

    private var activations = 0

    /// Returns the current state of a device; `nil` if it was neither discovered nor activated.
    package func current(_ identifier: UUID) -> MediaOutputDevice? { found[identifier] ?? active[identifier]?.device }

    func found(_ devices: [MediaOutputDevice]) {
        for device in devices {
            found[device.id] = device
            active[device.id]?.device = device
        }
    }

    func lost(_ identifier: UUID) { found[identifier] = nil }

    /// Activates a device.
    ///
    /// - Parameter description: The device as described by the host, used unless this process discovered it.
    /// - Returns: The activated device.
    package func activate(
        _ description: MediaOutputDevice, session: String, credential: Data?
    ) -> MediaOutputDevice {
        let device = current(description.id) ?? description
        activations += 1
        var entry = active[device.id] ?? ActiveDevice(device: device, sessions: [:])
        entry.sessions[session] = entry.sessions[session] ?? activations
        active[device.id] = entry
        credentials[device.id] = credential
        return device
    }

    package func deactivated(_ identifier: UUID, session: String) {
        active[identifier]?.sessions[session] = nil
        if active[identifier]?.sessions.isEmpty == true { active[identifier] = nil }
    }

    /// Returns a Boolean value that indicates whether a device is active in the session.
    package func isInUse(session: String) -> Bool { active.values.contains { $0.sessions[session] != nil } }

    /// Returns the devices that are active or being activated in the session, in the order of their activation.
    func devices(inSession session: String) -> [MediaOutputDevice] {
        active.values.compactMap { entry in entry.sessions[session].map { ($0, entry.device) } }
            .sorted { $0.0 < $1.0 }.map(\.1)
    }

    func credential(_ identifier: UUID) -> Data? { credentials[identifier] }

    func setCredential(_ secret: Data?, for identifier: UUID) { credentials[identifier] = secret }
}
