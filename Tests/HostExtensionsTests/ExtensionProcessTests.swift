import DBus
import Foundation
import HostCore
import HostInterface
import LinkProtocol
import Logging
import Synchronization
import Testing

@testable import HostExtensions

@Suite(.timeLimit(.minutes(1))) struct ExtensionProcessTests {
    private let device = "0A1B2C3D-0000-4000-8000-000000000001"
    private let log = LogRecorder()
    private let inbox = Inbox()

    /// A process whose deadlines do not make a test wait; a test that needs one longer than the machine is slow sets
    /// it.
    private func process(
        _ bundle: FaultyBundle, _ change: (inout ExtensionProcess.Timing) -> Void = { _ in }
    ) -> ExtensionProcess {
        var timing = ExtensionProcess.Timing()
        timing.greeting = .seconds(30)
        timing.call = .seconds(30)
        timing.heartbeat = .seconds(60)
        change(&timing)
        return ExtensionProcess(bundle.launch(), timing: timing, logger: log.logger, receiver: inbox.receiver)
    }

    private func firstMessage() async -> ExtensionMessage? {
        for await message in inbox.messages { return message }
        return nil
    }

    private func report() async -> String? {
        guard case .discoveryFailed(let error)? = await firstMessage() else { return nil }
        return error.message
    }

    private func endOfStart(_ process: ExtensionProcess) async throws -> ExtensionExit {
        do throws(ExtensionLaunchError) {
            _ = try await process.start()
        } catch {
            guard case .ended(let exit) = error else { throw error }
            return exit
        }
        throw HostError(.internalFailure, "the launch succeeded")
    }

    /// Each has a loop with a thread and descriptors, and there may be any number of them one after the other.
    @Test(arguments: ["good", "crash-at-once", "silent"]) func nothingIsLeftOfAProcessThatEnded(_ fault: String)
        async throws
    {
        let kept = Kept()
        do {
            let process = process(try FaultyBundle(fault)) { $0.greeting = .milliseconds(500) }
            let connection = await process.connection
            kept.objects.withLock { $0 = [.init(process), .init(connection), .init(connection.loop)] }
            _ = try? await process.start()
            _ = await process.stop()
        }
        while !kept.left.isEmpty { await Task.yield() }
    }

    @Test func greetingCallsAndMessages() async throws {
        let process = process(try FaultyBundle("good"))
        let hello = try await process.start()
        #expect(hello.protocolIdentifier == "org.example.sharing")
        try await process.perform(.startDeviceDiscovery)
        try await process.perform(.setVolume(device: device, level: 1.5))
        let volume = try await process.volume(of: device)
        #expect(volume == (0.25, true))
        await #expect(throws: HostError(.notSupported, "This device cannot be muted.")) {
            try await process.perform(.muteDevice(device: device))
        }
        var messages = inbox.messages.makeAsyncIterator()
        guard case .foundDevice(let found)? = await messages.next() else {
            Issue.record("no device")
            return
        }
        #expect(found.id == device && found.name == "Speaker" && found.capabilities == .urlPlayback)
        #expect(await messages.next() == .volumeChanged(device: device, level: 1, isMuted: false))
        let exit = await process.stop()
        #expect(exit.status == .exited(0) && exit.wasAsked && exit.hostReason == nil)
        #expect(await process.processID == nil)
        await #expect(throws: HostError.self) { try await process.perform(.startDeviceDiscovery) }
    }

    @Test func theChildGetsNothingButItsLink() async throws {
        let bundle = try FaultyBundle("inspect")
        let leak = open("/dev/null", O_RDONLY)
        defer { close(leak) }
        let process = process(bundle)
        _ = try await process.start()
        let report = try #require(await report())
        let facts = Dictionary(
            uniqueKeysWithValues: report.split(separator: "\n").map {
                (String($0.prefix { $0 != "=" }), String($0.drop { $0 != "=" }.dropFirst()))
            })
        #expect(facts["descriptors"] == "[0, 1, 2, 3]")
        let folder = bundle.folder.path + "/state/org.example.faulty"
        #expect(facts["directory"] == folder && facts["state"] == folder)
        #expect(facts["generation"] == "1" && facts["name"] == "Living room" && facts["group"] == "true")
        let variables = Set(try #require(facts["variables"]).split(separator: ",").map(String.init))
        #expect(variables.isSuperset(of: ["PATH", "MDHOST_EXTENSION_LINK", "MDHOST_INFO_PLIST"]))
        #expect(!variables.contains("MDHOST_TEST_SECRET"))
        let mode = try FileManager.default.attributesOfItem(atPath: folder)[.posixPermissions] as? Int
        #expect(mode == 0o700)
        _ = await process.stop()
    }

    @Test func noGreetingInTime() async throws {
        let process = process(try FaultyBundle("silent")) { $0.greeting = .milliseconds(200) }
        let exit = try await endOfStart(process)
        #expect(exit.status == .signalled(SIGKILL))
        #expect(exit.clause == "was ended because it sent no greeting within 0.2 seconds")
        while !zombies().isEmpty { await Task.yield() }
    }

    @Test func endsBeforeTheGreeting() async throws {
        let exit = try await endOfStart(process(try FaultyBundle("exit-at-once")))
        #expect(exit.status == .exited(3))
        #expect(exit.clause == "ended with status 3")
    }

    @Test func lastWordsAreKept() async throws {
        let exit = try await endOfStart(process(try FaultyBundle("crash-at-once")))
        #expect(exit.status == .signalled(SIGABRT))
        #expect(exit.banner == "Fatal error: nothing works")
        #expect(log.lines(.error).contains { $0.contains("Fatal error: nothing works") })
    }

    @Test func aCrashFailsThePendingCall() async throws {
        let process = process(try FaultyBundle("crash-in-call"))
        _ = try await process.start()
        do throws(HostError) {
            try await process.perform(.startDeviceDiscovery)
            Issue.record("the call succeeded")
        } catch {
            #expect(error.code == .extensionCrashed)
        }
        let exit = await process.waitForExit()
        #if SANITIZED
            // Swift's crash handler does not get through ThreadSanitizer's own (scripts/sanitize.d/known.toml).
            #expect(exit.status != .exited(0))
        #else
            #expect(exit.status == .signalled(SIGABRT))
        #endif
    }

    /// A call detects it before the next heartbeat does, and fails like a call to an extension that ended.
    @Test func aHungExtensionIsEndedOnceItIsAskedForSomething() async throws {
        let process = process(try FaultyBundle("hang")) {
            $0.call = .milliseconds(100)
            $0.doubt = .milliseconds(50)
            $0.heartbeat = .seconds(60)
        }
        _ = try await process.start()
        do throws(HostError) {
            try await process.perform(.startDeviceDiscovery)
            Issue.record("the call succeeded")
        } catch {
            #expect(error.code == .extensionCrashed)
        }
        #expect(await process.waitForExit().hostReason == "answered nothing for 5.0 seconds")
    }

    @Test func aHungExtensionIsEndedThoughNobodyAsksForAnything() async throws {
        let process = process(try FaultyBundle("hang")) {
            $0.heartbeat = .milliseconds(20)
            $0.doubt = .milliseconds(50)
            $0.hang = .milliseconds(200)
            $0.silence = .milliseconds(600)
        }
        _ = try await process.start()
        // The longer time is that of a busy one, which one that has just started is.
        let reasons = ["answered nothing for 0.2 seconds", "answered nothing for 0.6 seconds"]
        #expect(reasons.contains(await process.waitForExit().hostReason ?? ""))
    }

    /// A busy extension gets more time than an idle one.
    @Test func aBusyExtensionIsNotEnded() async throws {
        let process = process(try FaultyBundle("busy")) {
            $0.heartbeat = .milliseconds(20)
            $0.doubt = .milliseconds(50)
            $0.hang = .milliseconds(200)
            $0.silence = .seconds(40)
        }
        _ = try await process.start()
        try await process.perform(.startDeviceDiscovery)
        guard case .foundDevice? = await firstMessage() else {
            Issue.record("no device")
            return
        }
        #expect(await process.stop().hostReason == nil)
    }

    /// The system reports it; no timeout has to pass.
    @Test func aStoppedExtensionIsEnded() async throws {
        let process = process(try FaultyBundle("good")) {
            $0.heartbeat = .milliseconds(20)
            $0.doubt = .milliseconds(50)
            $0.hang = .seconds(60)
        }
        _ = try await process.start()
        kill(try #require(await process.processID), SIGSTOP)
        #expect(await process.waitForExit().hostReason == "was stopped and does not go on")
    }

    @Test func whatKeepsAProcessFromRunningIsRead() {
        let stat = "812 (a b) c) T 1 812 812 0 -1 1077936128 2 0 0 0 70 5 0 0 20 0 9 0 1 1 1"
        let stopped = ProcessState(
            status: "Name:\tmdhost-mpd\nState:\tT (stopped)\nTracerPid:\t0\n", stat: stat, threads: [stat, stat])
        #expect(stopped.isStopped && !stopped.isTraced && !stopped.isRunnable && stopped.ticks == 75)
        let traced = ProcessState(
            status: "Name:\tT\nState:\tt (tracing stop)\nTracerPid:\t812\n", stat: "nonsense",
            threads: ["", "813 (R) R 1 812"])
        #expect(!traced.isStopped && traced.isTraced && traced.isRunnable && traced.ticks == 0)
        #expect(!stopped.isBusy(since: stopped) && stopped.isBusy(since: nil) && stopped.isBusy(since: traced))
        let well = ProcessState(process: getpid())
        #expect(well?.isStopped == false)
    }

    @Test func garbageOnTheLinkEndsIt() async throws {
        let process = process(try FaultyBundle("garbage"))
        let exit = try await endOfStart(process)
        #expect(exit.hostReason == "sent bytes that aren't a message")
    }

    @Test func malformedMessagesAreDroppedAndLoggedOncePerKind() async throws {
        let process = process(try FaultyBundle("malformed"))
        _ = try await process.start()
        #expect(await firstMessage() == .volumeChanged(device: device, level: 1, isMuted: true))
        let warnings = log.lines(.warning)
        #expect(warnings.count { $0.contains("LostDevice") } == 1)
        #expect(warnings.count { $0.contains("FoundDevice") } == 1)
        #expect(warnings.count { $0.contains("SessionEnded") } == 1)
        #expect(warnings.count == 5)
        _ = await process.stop()
    }

    @Test func messagesThatNeedManyTimesTheirSizeAreRefused() async throws {
        let process = process(try FaultyBundle("huge"))
        _ = try await process.start()
        #expect(await firstMessage() == .volumeChanged(device: device, level: 1, isMuted: true))
        _ = await process.stop()
    }

    @Test func repliesToCallsThatNobodyMadeAreIgnored() async throws {
        let process = process(try FaultyBundle("unasked"))
        _ = try await process.start()
        #expect(await report() == "survived")
        _ = await process.stop()
    }

    @Test func nothingCountsBeforeTheGreetingAndNoneIsTakenTwice() async throws {
        let process = process(try FaultyBundle("impatient"))
        _ = try await process.start()
        #expect(await report() == "introduced twice")
        #expect(log.lines(.warning).count { $0.contains("LostDevice") } == 1)
        #expect(log.lines(.warning).contains { $0.contains("Hello") && $0.contains("twice") })
        _ = await process.stop()
    }

    @Test func anotherLinkVersionIsRefused() async throws {
        let process = process(try FaultyBundle("wrong-version"))
        await #expect(
            throws: ExtensionLaunchError.unusable(
                "Faulty needs a newer mdhost: its SDK 0 speaks version 2 of the link, and this mdhost version 1.")
        ) {
            try await process.start()
        }
    }

    @Test func aFloodEndsTheProcess() async throws {
        let queue = ExtensionEventQueue(countLimit: 1000)
        let receiver = LinkReceiver(
            greeted: { _ in },
            message: { message, cost in
                queue.offer(.init(identifier: "x", generation: 1, event: .message(message)), cost: cost)
            })
        let process = ExtensionProcess(try FaultyBundle("flood").launch(), logger: log.logger, receiver: receiver)
        _ = try await process.start()
        let exit = await process.waitForExit()
        #expect(exit.hostReason == "sent messages faster than they could be taken")
        queue.finish()
        var count = 0
        for await _ in queue.stream { count += 1 }
        #expect(count == 1000)
    }

    @Test func aStubbornOneIsKilled() async throws {
        let process = process(try FaultyBundle("stubborn")) {
            $0.farewell = .milliseconds(100)
            $0.termination = .milliseconds(100)
        }
        _ = try await process.start()
        let exit = await process.stop()
        #expect(exit.status == .signalled(SIGKILL) && exit.wasAsked)
        #expect(log.lines(.notice).contains("the extension ignored SIGTERM"))
    }

    @Test func descendantsGoWithTheProcess() async throws {
        let process = process(try FaultyBundle("grandchild"))
        _ = try await process.start()
        let descendant = try #require(await report().flatMap { Int32($0) })
        #expect(isAlive(descendant))
        _ = await process.stop()
        while isAlive(descendant) { await Task.yield() }
        while !zombies().isEmpty { await Task.yield() }
    }

    @Test func tenMegabytesOfOutputAreReadButNotAllLogged() async throws {
        let process = process(try FaultyBundle("chatty"))
        _ = try await process.start()
        #expect(await report() == "printed")
        _ = await process.stop()
        let lines = log.lines(.info).count { $0.hasPrefix("xxx") }
        #expect(lines >= 200 && lines < 20_000)
        #expect(log.lines(.notice).contains { $0.contains("not logged") })
    }

    @Test func aProgramThatCannotRunSaysWhy() async throws {
        let bundle = try FaultyBundle("good")
        var launch = bundle.launch()
        let program = try bundle.folder.write("no program", to: "nothing", mode: 0o755)
        launch.manifest = ExtensionManifest(
            identifier: "org.example.none", displayName: "None", version: "1", bundlePath: bundle.folder.path,
            executablePath: program, protocols: [])
        let process = ExtensionProcess(launch, logger: log.logger, receiver: inbox.receiver)
        await #expect(throws: ExtensionLaunchError.notStarted("\(program) cannot be started: Exec format error")) {
            try await process.start()
        }
    }
}

/// The objects that are still alive.
private final class Kept: Sendable {
    struct Reference: @unchecked Sendable {
        weak var object: AnyObject?
        let name: String
        init(_ object: AnyObject) {
            self.object = object
            name = "\(type(of: object))"
        }
    }
    let objects = Mutex<[Reference]>([])
    var left: [String] { objects.withLock { $0.filter { $0.object != nil }.map(\.name) } }
}
