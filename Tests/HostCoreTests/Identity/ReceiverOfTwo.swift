import Foundation
import HostInterface
import LinkProtocol
import Synchronization

@testable import HostCore

/// A receiver that is found by two extensions: "Living Room" by DLNA and "Open Room" by MPD.
struct ReceiverOfTwo: Sendable {
    static let film = URL(string: "http://media.example/film.mp4")!

    let dlna = AdoptingExtension()
    let mpd = AdoptingExtension()
    let dlnaRunner: ScriptedRunner
    let mpdRunner: ScriptedRunner
    let world: HostUnderTest

    var host: MediaHost { world.host }

    let living: DeviceDescription
    let open: DeviceDescription

    /// - Parameters:
    ///   - store: The state left by an earlier daemon.
    ///   - change: A change to the devices.
    init(
        store: MemoryStore = MemoryStore(), discovery: any DiscoveryProvider = SilentDiscovery(),
        _ change: (inout DeviceDescription, inout DeviceDescription) -> Void = { _, _ in }
    ) {
        var living = HostUnderTest.device
        var open = HostUnderTest.device
        open.id = "99999999-2222-3333-4444-555555555555"
        open.name = "Open Room"
        open.type = "speaker"
        open.endpoints = ["10.0.0.5:6600"]
        change(&living, &open)
        (self.living, self.open) = (living, open)
        dlnaRunner = dlna.runner(identifier: "org.example.dlna", protocolName: "DLNA")
        mpdRunner = mpd.runner(identifier: "org.example.mpd", protocolName: "MPD")
        world = HostUnderTest(dlnaRunner, others: [mpdRunner], discovery: discovery, store: store)
    }

    /// Looks around until both are there.
    func discover() async {
        await host.takeLease("test")
        await find(living, dlnaRunner)
        await find(open, mpdRunner)
    }

    func find(_ device: DeviceDescription, _ runner: ScriptedRunner) async {
        runner.emit(.message(.foundDevice(device)))
        await world.until { await $0.isListed(device.id) }
    }

    func lose(_ device: DeviceDescription, _ runner: ScriptedRunner) async {
        runner.emit(.message(.lostDevice(id: device.id)))
        await world.until { await !$0.isListed(device.id) }
    }

    func merge() async throws {
        await discover()
        _ = try await host.mergeDevices([living.id, open.id])
    }

    func play(via: String? = nil) async throws -> String {
        try await host.play(
            Self.film, on: living.id, application: nil, media: MediaInformation(), via: via, prompt: nil)
    }

    /// The number of starts on each: DLNA, MPD.
    var starts: [Int] {
        [dlnaRunner, mpdRunner].map { runner in
            runner.calls.count { if case .startSession = $0 { true } else { false } }
        }
    }

    /// Returns the published changes of devices and sessions so far, in words.
    func told() async -> [String] {
        await host.published()
        return world.published.withLock { changes in
            changes.compactMap { change in
                switch change {
                case .device(let device): "+\(device.description.name)"
                case .deviceRemoved(let id): "-\(id == living.id ? living.name : open.name)"
                case .session(let session): "\(session.id) on \(session.entryID == living.id ? living.name : open.name)"
                default: nil
                }
            }
        }
    }
}

extension MediaHost {
    fileprivate func isListed(_ id: String) -> Bool { registry[id]?.availability == .ready }

    /// Names of everything in the list, sorted.
    var names: [String] { devices.map(\.description.name).sorted() }
}
