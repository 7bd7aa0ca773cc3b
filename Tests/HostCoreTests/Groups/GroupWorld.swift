import Foundation
import HostInterface
import LinkProtocol
import Synchronization

@testable import HostCore

/// A host with devices that can be grouped, and an extension that fulfils every request unless told otherwise.
final class GroupWorld: Sendable {
    static let film = URL(string: "http://media.example/film.mp4")!
    static let (living, kitchen, bath) = (id(1), id(2), id(3))

    /// The current behaviour of the devices.
    struct Script: Sendable {
        /// The errors of activations, by device.
        var refusals: [String: HostError] = [:]
        /// Devices that want the code 1234.
        var locked: Set<String> = []
        /// A Boolean value that indicates whether a playback still exists when it is resumed.
        var stillPlays = true
    }

    private final class Box: Sendable {
        let script = Mutex(Script())
    }

    private let box = Box()
    let world: HostUnderTest
    var host: MediaHost { world.host }
    var runner: ScriptedRunner { world.runner }
    var script: Script {
        get { box.script.withLock { $0 } }
        set { box.script.withLock { $0 = newValue } }
    }

    init(
        store: MemoryStore = MemoryStore(), discovery: any DiscoveryProvider = SilentDiscovery(), starts: Bool = true,
        timing: HostTiming = .withoutLingering
    ) {
        let runner = ScriptedRunner(starts: starts) { [box] call in Self.answer(call, box.script.withLock { $0 }) }
        for (number, level) in [(1, 0.8), (2, 0.4), (3, 0.2)] {
            runner.setVolume((level, false), device: Self.id(number))
        }
        world = HostUnderTest(runner, discovery: discovery, timing: timing, store: store)
    }

    static func id(_ number: Int) -> String { "\(number)1111111-2222-3333-4444-555555555555" }

    static func device(
        _ number: Int, _ name: String, _ change: (inout DeviceDescription) -> Void = { _ in }
    ) -> DeviceDescription {
        var device = HostUnderTest.device
        device.id = id(number)
        device.name = name
        device.canGroup = true
        device.endpoints = ["10.0.0.\(number):1400"]
        change(&device)
        return device
    }

    /// Looks around until the living room, the kitchen, the bath and `others` are there.
    func discover(_ others: DeviceDescription...) async {
        await host.takeLease("test")
        let devices = [Self.device(1, "Living Room"), Self.device(2, "Kitchen"), Self.device(3, "Bath")] + others
        for device in devices { runner.emit(.message(.foundDevice(device))) }
        await world.until { host in
            await Set(host.devices.filter { $0.availability == .ready }.map(\.id)).isSuperset(of: devices.map(\.id))
        }
    }

    /// Plays on the living room, and on others with it.
    func play(with others: [String]? = nil, on id: String = living) async throws -> String {
        try await host.play(
            Self.film, on: id, with: others, application: nil, media: MediaInformation(title: "Film"), prompt: nil)
    }

    func known(_ id: String) async -> HostDevice? { await host.devices.first { $0.id == id } }
    func group(of id: String) async -> [String]? { await known(id)?.group }
    func until(_ id: String, _ fits: @escaping (HostDevice) -> Bool) async {
        await world.until { await $0.devices.first { $0.id == id }.map(fits) == true }
    }

    /// The sessions the device was activated in, one after the other.
    func activations(of id: String) -> [String] {
        runner.calls.compactMap {
            if case .activate(let device, let session, _, _) = $0, device.id == id { session } else { nil }
        }
    }

    func count(_ fits: (ExtensionCall) -> Bool) -> Int { runner.calls.count { fits($0) } }

    var starts: Int { count { if case .startSession = $0 { true } else { false } } }
    var stops: Int { count { if case .stopSession = $0 { true } else { false } } }
    var deactivated: [String] {
        runner.calls.compactMap { if case .deactivate(let device, _) = $0 { device } else { nil } }
    }
    /// The levels given to devices, in order.
    var levels: [String: [Double]] {
        runner.calls.reduce(into: [:]) {
            if case .setVolume(let device, let level) = $1 {
                $0[device, default: []].append((level * 100).rounded() / 100)
            }
        }
    }

    private static func answer(_ call: ExtensionCall, _ script: Script) -> [ExtensionMessage] {
        switch call {
        case .activate(let device, let session, _, _):
            if let error = script.refusals[device.id] {
                return [.failedToActivate(device: device.id, session: session, error: error)]
            }
            if script.locked.contains(device.id) {
                let challenge = PairingChallenge(method: .numericCode, length: 4, reason: "A code.")
                return [.requestPairingCode(device: device.id, session: session, challenge: challenge)]
            }
            return [.activatedDevice(device: device.id, session: session)]
        case .connectUsingPairingCode(let code, let device, let session):
            return code == "1234"
                ? [.activatedDevice(device: device, session: session)]
                : [
                    .failedToActivate(
                        device: device, session: session, error: HostError(.authorizationFailed, "Wrong."))
                ]
        case .startSession(let session, _, _, _), .adoptSession(let session, _, _, _, _):
            if case .adoptSession = call, !script.stillPlays { return [.sessionEnded(session: session, ending: nil)] }
            var state = PlaybackState()
            state.isReady = true
            state.isPlaying = true
            return [.started(session: session, application: "", state: state)]
        default: return []
        }
    }
}
