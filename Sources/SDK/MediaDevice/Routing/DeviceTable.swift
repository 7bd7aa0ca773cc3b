import Foundation

/// The devices of an extension: found, in use, and their secrets.
@MainActor
package final class DeviceTable {
    private var found: [UUID: MediaOutputDevice] = [:]
    /// Kept apart: a device in use may be one that this process never found, or that is lost meanwhile.
    private var active: [UUID: ActiveDevice] = [:]
    private var credentials: [UUID: Data] = [:]

    private struct ActiveDevice {
        var device: MediaOutputDevice
        /// With the number of the activation: the order in which devices came.
        var sessions: [String: Int]
    }

    private var activations = 0

    /// What is known of the device now; `nil` for one that was neither found nor activated.
    package func current(_ identifier: UUID) -> MediaOutputDevice? { found[identifier] ?? active[identifier]?.device }

    func found(_ devices: [MediaOutputDevice]) {
        for device in devices {
            found[device.id] = device
            active[device.id]?.device = device
        }
    }

    func lost(_ identifier: UUID) { found[identifier] = nil }

    /// - Parameter description: Stands for the device unless this process found it.
    /// - Returns: What is activated.
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

    /// Whether a device is active in the session.
    package func isInUse(session: String) -> Bool { active.values.contains { $0.sessions[session] != nil } }

    /// The devices that are active in the session or are being activated, in the order they came.
    func devices(inSession session: String) -> [MediaOutputDevice] {
        active.values.compactMap { entry in entry.sessions[session].map { ($0, entry.device) } }
            .sorted { $0.0 < $1.0 }.map(\.1)
    }

    func credential(_ identifier: UUID) -> Data? { credentials[identifier] }

    func setCredential(_ secret: Data?, for identifier: UUID) { credentials[identifier] = secret }
}
