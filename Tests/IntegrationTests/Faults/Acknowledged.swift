import Foundation
import HostClient

/// The acknowledged state that a person relies on: it must hold after every fault, until the person changes it.
struct Acknowledged: Sendable {
    struct Device: Sendable, Hashable {
        var id: String
        var name: String
        var isPaired: Bool
        /// `0…1`; `nil` if the device hasn't reported it, or isn't in use and wouldn't be reported.
        var level: Double?
    }

    struct Session: Sendable, Hashable {
        var id: String
        /// Object path.
        var device: String
        var source: String
        var state: String
    }

    /// The devices by identifier.
    var devices: [String: Device]
    var sessions: [String: Session]

    /// - Parameter names: The names of the devices to compare: others may come and go.
    init(_ status: ProductStatus, of names: Set<String>) {
        let concerned = status.devices.filter { names.contains($0.name) || names.contains($0.deviceName) }
        devices = Dictionary(
            uniqueKeysWithValues: concerned.map {
                let level = $0.activation == "active" ? $0.volume : nil
                return ($0.id, Device(id: $0.id, name: $0.name, isPaired: $0.isPaired, level: level))
            })
        let paths = Set(concerned.map(\.path))
        sessions = Dictionary(
            uniqueKeysWithValues: status.sessions.filter { paths.contains($0.device) && !$0.isOver }.map {
                ($0.id, Session(id: $0.id, device: $0.device, source: $0.source, state: $0.state))
            })
    }

    /// Returns the acknowledged facts that no longer hold.
    ///
    /// - Parameters:
    ///   - ended: Object paths of devices that report themselves that they stopped.
    ///   - keepsName: A Boolean value that indicates whether the devices must keep their names.
    func lost(in status: ProductStatus, ended: Set<String>, keepsName: Bool) -> [String] {
        var lost: [String] = []
        for device in devices.values.sorted(by: { $0.name < $1.name }) {
            guard let now = status.devices.first(where: { $0.id == device.id }) else {
                lost.append("“\(device.name)” is not known any more")
                continue
            }
            if keepsName, now.name != device.name { lost.append("“\(device.name)” is called “\(now.name)”") }
            if now.isPaired != device.isPaired { lost.append("the pairing with “\(device.name)”") }
            if let level = device.level, !ended.contains(now.path), abs((now.volume ?? -1) - level) > 0.02 {
                lost.append("the level of “\(device.name)”: \(level) became \(now.volume ?? -1)")
            }
        }
        for session in sessions.values.sorted(by: { $0.id < $1.id }) where !ended.contains(session.device) {
            guard let now = status.sessions.first(where: { $0.id == session.id }) else {
                lost.append("session \(session.id) (\(session.source))")
                continue
            }
            if now.state != "active" { lost.append("session \(session.id) is \(now.state)") }
            if now.source != session.source || now.device != session.device {
                lost.append("session \(session.id) is another one")
            }
        }
        return lost
    }
}
