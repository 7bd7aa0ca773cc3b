import DLNAProtocol
import PlaybackKit

/// The current announcements of renderers, which it passes to the directory as they come and go.
@MainActor
final class RendererBrowser {
    /// Newer versions answer a search for version 1 too, but not all do.
    static let searchTargets = (1...3).map { "urn:schemas-upnp-org:device:MediaRenderer:\($0)" }

    private let directory: RendererDirectory
    private var current: Set<Sighting> = []

    init(directory: RendererDirectory) { self.directory = directory }

    /// Discards all announcements for a search that starts anew.
    func reset() {
        current = []
        directory.suspend()
    }

    /// Replaces all announcements.
    func update(_ sightings: [Sighting]) {
        for name in Set(current.map(\.name)).subtracting(sightings.map(\.name)) { directory.withdraw(usn: name) }
        for sighting in sightings where !current.contains(sighting) { announce(sighting) }
        current = Set(sightings)
    }

    private func announce(_ sighting: Sighting) {
        guard let location = sighting.location else { return }
        let addresses = sighting.endpoints.compactMap { endpoint in
            if case .hostPort(let host, _) = endpoint { "\(host)" } else { nil }
        }
        directory.announce(
            .init(
                usn: sighting.name, location: location, bootIdentifier: sighting.record["BOOTID.UPNP.ORG"],
                addresses: addresses))
    }
}
