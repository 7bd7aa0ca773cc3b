import Foundation
import HostClient
import HostCore
import HostDoctor
import HostInterface

/// The daemon's own report after a discovery, for the doctor.
struct DaemonReading {
    var facts = DaemonFacts()
    var extensions: [ExtensionFacts] = []
    var deviceNames: [String] = []
    /// Titles and artists of the current media.
    var mediaNames: [String] = []
    /// The device a person asks about.
    var device: DeviceFacts?

    /// Reads the daemon's state, starting it if needed: being startable is one of the checks.
    static func read(device name: String?) async -> DaemonReading {
        do throws(HostError) {
            var connection = try await HostConnection()
            let remembered = connection.view.sortedDevices
            let lease = try await connection.takeLease()
            connection.inputs.addDeadline(after: .seconds(3))
            look: while !connection.view.isSettled(lease) {
                if case .deadline = try await connection.next() { break look }
            }
            var reading = DaemonReading(connection.view)
            if let name {
                reading.device = await DeviceFacts.read(
                    name, devices: connection.view.sortedDevices, remembered: remembered,
                    extensions: connection.view.sortedExtensions)
            }
            try await connection.client.endLease(lease)
            await connection.close()
            return reading
        } catch {
            var reading = DaemonReading()
            reading.facts.failure = error
            return reading
        }
    }

    private init() {}

    private init(_ view: HostView) {
        facts.version = view.manager?.version
        facts.processID = view.manager?.processID
        facts.problems = view.manager?.problems ?? []
        facts.pushFailures = view.nowPlaying?.pushFailures ?? []
        facts.devices = view.devices.count
        facts.unreachableDevices = view.devices.values.count { $0.availability == "unreachable" }
        extensions = view.extensions.values.sorted { ($0.name, $0.id) < ($1.name, $1.id) }.map { status in
            ExtensionFacts(
                name: status.name, state: status.state, lastError: status.lastError, path: status.path,
                devices: status.extensionPoint == ExtensionPoint.remoteMedia.rawValue
                    ? nil : view.devices.values.reduce(0) { $0 + $1.count(of: status.id) })
        }
        mediaNames =
            view.sessions.values.flatMap { [$0.title, $0.subtitle, $0.fileName] }
            + view.mediaSessions.values.flatMap { session in
                let content = session.state.content
                return [content?.title, content?.subtitle, content?.collection].compactMap { $0 }
            }
        deviceNames = view.devices.values.flatMap { [$0.name, $0.deviceName] + $0.parts.map(\.name) }
    }
}

extension ClientSession {
    /// The file name of the current media, which logs contain.
    fileprivate var fileName: String {
        let name = source.split(separator: "/").last.map(String.init) ?? ""
        return name.removingPercentEncoding ?? name
    }
}

extension ClientDevice {
    /// Returns the number of devices of the extension that this entry currently represents.
    fileprivate func count(of identifier: String) -> Int {
        guard !parts.isEmpty else { return self.extension == identifier ? 1 : 0 }
        return parts.count { $0.extension == identifier && $0.availability != DevicePart.absent }
    }
}
