import HostInterface
import LinkProtocol
import ManualTime
import Synchronization

@testable import HostCore

/// The sinks of a home under a test's control.
struct SoundWorld {
    let home: HostUnderTest
    let sinks: SoundSinks
    let server: ScriptedSoundServer
    let clock = ManualClock()
    let reports = Reports()
    let running: Task<Void, Never>

    init(
        _ runner: ScriptedRunner, store: MemorySinks = MemorySinks(),
        server: ScriptedSoundServer = ScriptedSoundServer(), media: (HostUnderTest) -> SinkMedia? = { _ in nil }
    ) {
        home = HostUnderTest(runner)
        self.server = server
        let reports = reports
        let sinks = SoundSinks(
            host: home.host, server: server, store: store, following: store.following.withLock { $0 },
            media: media(home), clock: clock, title: "Sound of home", report: { reports.add($0) })
        self.sinks = sinks
        home.follower.withLock { $0 = { sinks.hostChanged($0) } }
        running = Task { await sinks.run() }
    }

    func until(_ condition: () async -> Bool) async {
        while await !condition() { await Task.yield() }
    }

    /// Another one for each number.
    static func speaker(_ number: Int) -> DeviceDescription {
        var device = SoundSinksTests.speaker
        let digits = String(number)
        device.id = "99999999-2222-3333-4444-" + String(repeating: "0", count: 12 - digits.count) + digits
        device.name = "Speaker \(number)"
        return device
    }

    func find(_ device: DeviceDescription) async {
        home.runner.emit(.message(.foundDevice(device)))
        await home.until { await $0.devices.contains { $0.id == device.id && $0.availability == .ready } }
        await home.host.published()
    }

    func state() async -> SoundSinkStatus.State? { await sinks.statuses.first?.state }

    func finish() async {
        await sinks.close()
        await running.value
        await home.finish()
    }
}
