import Foundation
import HostInterface
import LinkProtocol
import Synchronization

@testable import HostCore

/// A running host with two devices of one extension, and apps.
enum RoutingWorld {
    static let radio = "22222222-2222-3333-4444-555555555555"

    static func app(_ name: String = "app", protocols: [String] = [], universal: Bool = true)
        -> ApplicationDeclaration
    {
        ApplicationDeclaration(
            identifier: name, name: name.capitalized, protocols: protocols, universalURLPlayback: universal)
    }

    /// An extension whose devices are open, and play.
    static let open = { @Sendable (call: ExtensionCall) -> [ExtensionMessage] in
        switch call {
        case .activate(let device, let session, _, _): [.activatedDevice(device: device.id, session: session)]
        case .startSession(let session, let application, _, _):
            [
                .started(
                    session: session, application: application ?? "",
                    state: {
                        var state = PlaybackState()
                        state.isPlaying = true
                        return state
                    }())
            ]
        default: []
        }
    }

    /// - Parameter supportsSimultaneousSessions: The extension's declaration; `nil` for none.
    static func make(
        _ apps: ScriptedApplications, store: MemoryStore = MemoryStore(), supportsSimultaneousSessions: Bool? = nil,
        _ script: @escaping @Sendable (ExtensionCall) -> [ExtensionMessage] = RoutingWorld.open
    ) async -> HostUnderTest {
        let runner = ScriptedRunner(supportsSimultaneousSessions: supportsSimultaneousSessions, script: script)
        let world = HostUnderTest(runner, store: store)
        await world.host.serve(applications: apps)
        await world.discover()
        var radio = HostUnderTest.device
        radio.id = Self.radio
        radio.name = "Radio"
        radio.endpoints = ["10.0.0.6:1400"]
        world.runner.emit(.message(.foundDevice(radio)))
        await world.until { await $0.devices.contains { $0.id == Self.radio } }
        return world
    }
}

/// Apps that answer as scripted, and record their events.
final class ScriptedApplications: ApplicationPort {
    private let heard = Mutex<[String]>([])
    private let answers: @Sendable (ApplicationRouteEvent) async throws(HostError) -> Bool
    let gone = Mutex<Set<String>>([])
    /// Their processes by app.
    let processes = Mutex<[String: Set<Int32>]>([:])
    /// The problem they report while they handle a route event.
    let problem = Mutex<String?>(nil)

    init(_ answers: @escaping @Sendable (ApplicationRouteEvent) async throws(HostError) -> Bool = { _ in true }) {
        self.answers = answers
    }

    var events: [String] { heard.withLock { $0 } }
    func isConnected(_ application: String) -> Bool { !gone.withLock { $0.contains(application) } }
    func processIDs(of application: String) -> Set<Int32> { processes.withLock { $0[application] ?? [] } }
    func tell(_ event: ApplicationRouteEvent) async throws(HostError) -> ApplicationAnswer {
        heard.withLock { $0.append("\(event.application) \(event.reason.rawValue) \(event.name)") }
        let isHandled = try await answers(event)
        return ApplicationAnswer(
            isHandled: isHandled, problem: event.reason == .activate ? problem.withLock { $0 } : nil)
    }
}
