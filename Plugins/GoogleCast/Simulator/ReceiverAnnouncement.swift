import ArgumentParser
import Avahi
import Crypto
import Foundation

/// The announcement of a simulated device.
struct ReceiverAnnouncement: Sendable {
    enum Kind: Sendable {
        case television, speaker, group

        /// The bit field `ca`.
        var capabilities: Int {
            switch self {
            case .television: 5
            case .speaker: 4
            case .group: 36
            }
        }

        var model: String {
            switch self {
            case .television: "Chromecast"
            case .speaker: "Google Home"
            case .group: "Google Cast Group"
            }
        }
    }

    let name: String
    let kind: Kind
    let interface: String?

    /// Returns the identifier of a device, always the same one for a name.
    static func identifier(_ name: String) -> String {
        SHA256.hash(data: Data(name.utf8)).prefix(16).map { byte in
            (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }.joined()
    }

    /// Announces the device until the program ends. Returns when others can find it.
    func publish(_ port: Int) async throws {
        let identifier = Self.identifier(name)
        let publisher = try AvahiPublisher(
            AvahiPublisher.Service(
                name: "Simulated-" + identifier, type: "_googlecast._tcp", port: UInt16(clamping: port),
                txt: [
                    "id": identifier, "fn": name, "md": kind.model, "ve": "05", "ca": String(kind.capabilities),
                    "st": "0", "ic": "/setup/icon.png", "rs": "",
                ], interface: interface))
        await publisher.start()
        for await state in publisher.states {
            if case .failed(let error) = state { throw ValidationError("It can't be announced: \(error.message).") }
            if case .published = state { break }
        }
        await Announcements.current.keep(publisher)
    }
}

/// The announcements of this program, which last as long as their publishers.
private actor Announcements {
    static let current = Announcements()
    private var publishers: [AvahiPublisher] = []

    func keep(_ publisher: AvahiPublisher) { publishers.append(publisher) }
}
