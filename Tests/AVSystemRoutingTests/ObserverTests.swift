import DBus
import Foundation
import HostInterface
import ScriptedDaemon
import Testing

@testable import AVSystemRouting

@Suite("Observers of routes", .timeLimit(.minutes(1)))
struct ObserverTests {
    /// The form with a completion handler, answered on another thread.
    private final class CallbackObserver: NSObject, AVSystemRouteControllerObserver {
        func systemRouteController(
            _ controller: AVSystemRouteController, handle event: AVSystemRouteEvent,
            completionHandler: @escaping @Sendable (Bool) -> Void
        ) {
            let isActivation = event.reason == .activate
            DispatchQueue.global().async { completionHandler(isActivation) }
        }
    }

    /// As an app has it whose types are on the main actor by default.
    @MainActor
    private final class MainActorObserver: @MainActor AVSystemRouteControllerObserver {
        private(set) var reasons: [AVSystemRouteEvent.Reason] = []

        func systemRouteController(
            _ controller: AVSystemRouteController, handle event: AVSystemRouteEvent,
            completionHandler: @escaping @Sendable (Bool) -> Void
        ) {
            MainActor.preconditionIsolated()
            reasons.append(event.reason)
            completionHandler(true)
        }
    }

    private final class SilentObserver: AVSystemRouteControllerObserver {}

    @Test("an app registers with what its property list declares")
    func registration() async throws {
        let link = try await Link()
        let observer = RecordingObserver(answer: true)
        #expect(link.controller.addObserver(observer))
        let declaration = try await link.daemon.log.call("RegisterApplication").arguments[1].asDictionary
        #expect(
            declaration == [
                "identifier": .string("com.example.app"), "name": .string("App"),
                "protocols": .array(of: "s", [.string("com.example.sharing")]), "universalURLPlayback": .boolean(true),
            ])
        await link.daemon.close()
    }

    @Test("an event tells the reason and the route, and the same device is the same route")
    func events() async throws {
        let link = try await Link()
        let observer = RecordingObserver(answer: true)
        #expect(link.controller.addObserver(observer))
        #expect(try await link.tell("activate", type: "speaker") == true)
        #expect(try await link.tell("deactivate") == true)
        #expect(observer.events.map(\.reason) == [.activate, .deactivate])
        let route = try #require(observer.events.first?.route)
        #expect(route === observer.events.last?.route)
        #expect(route.routeDisplayName == "Living Room" && route.routeSymbolName == "hifispeaker")
        #expect(route.protocolType.identifier == "com.example.sharing")
        await link.daemon.close()
    }

    @Test("the answer is the observer's, in the form with a completion handler too")
    func callback() async throws {
        let link = try await Link()
        let observer = CallbackObserver()
        #expect(link.controller.addObserver(observer))
        #expect(try await link.tell("activate") == true)
        #expect(try await link.tell("deactivate") == false)
        withExtendedLifetime(observer) {}
        await link.daemon.close()
    }

    @Test("an observer that conforms on the main actor is called there")
    @MainActor
    func mainActor() async throws {
        let link = try await Link()
        let observer = MainActorObserver()
        #expect(link.controller.addObserver(observer))
        #expect(try await link.tell("activate") == true)
        #expect(observer.reasons == [.activate])
        await link.daemon.close()
    }

    @Test("an observer without a method handles nothing")
    func silent() async throws {
        let link = try await Link()
        let observer = SilentObserver()
        #expect(link.controller.addObserver(observer))
        #expect(try await link.tell("activate") == false)
        withExtendedLifetime(observer) {}
        await link.daemon.close()
    }

    @Test("several are asked in order until one handles the event")
    func several() async throws {
        let link = try await Link()
        let observers = [false, true, true].map(RecordingObserver.init(answer:))
        for observer in observers { #expect(link.controller.addObserver(observer)) }
        #expect(try await link.tell("activate") == true)
        #expect(observers.map(\.events.count) == [1, 1, 0])
        await link.daemon.close()
    }

    @Test("one is added once, held weakly, and not asked after its removal")
    func registrationRules() async throws {
        let link = try await Link()
        let removed = RecordingObserver(answer: true)
        #expect(link.controller.addObserver(removed))
        #expect(!link.controller.addObserver(removed))
        weak var forgotten: RecordingObserver?
        do {
            let observer = RecordingObserver(answer: true)
            #expect(link.controller.addObserver(observer))
            forgotten = observer
        }
        #expect(forgotten == nil)
        link.controller.removeObserver(removed)
        link.controller.removeObserver(removed)
        #expect(try await link.tell("activate") == false)
        #expect(removed.events.isEmpty)
        #expect(link.controller.addObserver(removed))
        #expect(try await link.tell("activate") == true)
        await link.daemon.close()
    }

    @Test("an app that declares nothing is told so, as no event can come")
    func undeclared() async throws {
        let link = try await Link(ProgramInformation())
        #expect(!link.controller.addObserver(RecordingObserver(answer: true)))
        await link.daemon.close()
    }

    @Test("where no daemon comes back, the route is over, once")
    func abandoned() async throws {
        let link = try await Link(retryDelays: [.zero, .zero])
        let observer = RecordingObserver(answer: true)
        #expect(link.controller.addObserver(observer))
        #expect(try await link.tell("activate") == true)
        await link.daemon.close()
        while observer.events.count < 2 { await Task.yield() }
        #expect(observer.events.map(\.reason) == [.activate, .deactivate])
        #expect(!link.controller.addObserver(RecordingObserver(answer: true)), "it is not reachable")
    }

    @Test("an event that says too little is not handled")
    func malformed() async throws {
        let link = try await Link()
        let observer = RecordingObserver(answer: true)
        #expect(link.controller.addObserver(observer))
        #expect(try await link.daemon.tell("activate", device: Link.deviceID, ["name": .int32(1)]) == false)
        #expect(observer.events.isEmpty)
        await link.daemon.close()
    }

    @Test("an app whose daemon went away registers with the next one by itself")
    func nextDaemon() async throws {
        let link = try await Link()
        let observer = RecordingObserver(answer: true)
        #expect(link.controller.addObserver(observer))
        #expect(try await link.tell("activate") == true)
        let next = try await ScriptedDaemon()
        link.move(to: next)
        await link.daemon.close()
        let declaration = try await next.log.call("RegisterApplication").arguments[1].asDictionary
        #expect(declaration?["routes"] == .array(of: "o", [.objectPath(Link.devicePath)]))
        #expect(try await next.tell("activate", device: Link.deviceID, Link.description()) == true)
        #expect(observer.events.count == 1, "it is active already")
        #expect(try await next.tell("deactivate", device: Link.deviceID, Link.description()) == true)
        #expect(observer.events.map(\.reason) == [.activate, .deactivate])
        #expect(observer.events[0].route === observer.events[1].route)
        await next.close()
    }

    /// Declines, as its session cannot be started.
    private final class FailingObserver: AVSystemRouteControllerObserver {
        func systemRouteController(
            _ controller: AVSystemRouteController, handle event: AVSystemRouteEvent
        ) async -> Bool {
            let session = AVSystemRouteSession(url: .sample, mode: .player)
            guard event.route.addSession(session) else { return false }
            return (try? await session.start()) != nil
        }
    }

    @Test("why an app declines is told to whoever picked the device")
    func reason() async throws {
        let link = try await Link()
        let observer = FailingObserver()
        #expect(link.controller.addObserver(observer))
        await link.daemon.answer("Play") { _ in
            throw HostError(.unsupportedFormat, "It plays no films.").asDBusError
        }
        let answer = try await link.daemon.answer(to: "activate", device: Link.deviceID, Link.description())
        #expect(answer == [.boolean(false), .string("It plays no films.")])
        await link.daemon.answer("Play") { _ in [.objectPath(Link.sessionPath)] }
        let next = try await link.daemon.answer(to: "activate", device: Link.deviceID, Link.description())
        #expect(next == [.boolean(true), .string("")])
        withExtendedLifetime(observer) {}
        await link.daemon.close()
    }

    @Test("without any daemon a message fails at once, with the reason")
    func noDaemon() async throws {
        let link = try await Link()
        let route = try await link.route()
        await link.daemon.close()
        let error = try await #require(throws: AVSystemRoutingError.self) {
            try await route.routeDataChannel.send(Data([1]))
        }
        #expect(error.hostCode == "host-unavailable")
    }
}

@Suite("Whether an extension fits the app", .timeLimit(.minutes(1)))
struct AvailabilityTests {
    private func isAvailable(
        _ information: ProgramInformation, extensions: [(String, String)],
        point: String = "com.apple.media-device-extension"
    ) async throws -> Bool {
        let link = try await Link(information)
        for (identifier, state) in extensions {
            try await link.daemon.addExtension(identifier, protocol: identifier, state: state, point: point)
        }
        // It waits for the daemon: not on a thread of the cooperative pool.
        let controller = link.controller
        let answer = await withCheckedContinuation { continuation in
            Thread.detachNewThread { continuation.resume(returning: controller.isSupportedExtensionAvailable) }
        }
        await link.daemon.close()
        return answer
    }

    @Test("with a protocol of the app's, or any for an app that plays addresses everywhere")
    func available() async throws {
        var byProtocol = ProgramInformation.sample
        byProtocol.supportsUniversalURLPlayback = false
        var universal = ProgramInformation.sample
        universal.supportedProtocols = [:]
        #expect(try await isAvailable(byProtocol, extensions: [("com.example.sharing", "idle")]))
        #expect(
            try await !isAvailable(
                universal, extensions: [("com.example.other", "idle")], point: "com.apple.nowplaying.remote-media"),
            "it finds no devices")
        #expect(try await !isAvailable(byProtocol, extensions: [("com.example.other", "idle")]))
        #expect(try await isAvailable(universal, extensions: [("com.example.other", "idle")]))
        #expect(try await !isAvailable(universal, extensions: []))
        #expect(try await !isAvailable(universal, extensions: [("com.example.other", "disabled")]))
        #expect(try await !isAvailable(ProgramInformation(), extensions: [("com.example.sharing", "running")]))
    }
}
