import Foundation
import Logging
import MPDProtocol

/// The file with the ``MPDPlaces`` in the extension's own folder.
///
/// Without a folder nothing is stored. An unreadable file counts as missing, so a renamed server then appears as
/// another one.
@MainActor
final class MPDMemory {
    private(set) var places: MPDPlaces
    private let file: URL?

    init(folder: URL?) {
        file = folder?.appending(path: "places.json")
        let data = file.flatMap { try? Data(contentsOf: $0) }
        places = data.flatMap { try? JSONDecoder().decode(MPDPlaces.self, from: $0) } ?? MPDPlaces()
    }

    func keep(_ places: MPDPlaces) {
        guard places != self.places else { return }
        self.places = places
        guard let file else { return }
        do {
            try JSONEncoder().encode(places).write(to: file, options: .atomic)
        } catch {
            log.warning("the names of servers can't be saved", metadata: ["reason": "\(error)"])
        }
    }
}
