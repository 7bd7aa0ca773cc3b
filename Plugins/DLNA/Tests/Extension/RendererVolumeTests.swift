import DLNAProtocol
import Synchronization
import Testing

@testable import DLNAExtension

@Suite(.timeLimit(.minutes(1)))
@MainActor
struct RendererVolumeTests {
    private let fake = FakeRenderer()
    private let commands = CommandQueue(time: .system)
    private let volume: RendererVolume

    init() throws {
        let details = try RendererDetails.fake()
        volume = RendererVolume(
            details, client: RendererClient(details.description, transport: fake), commands: commands)
    }

    @Test func readsAndNeverWritesByItself() async {
        await volume.read()
        #expect(volume.level == 0.2)
        #expect(!volume.isMuted)
        #expect(fake.calls == ["GetVolume", "GetMute"])
    }

    @Test func writesTheLastOfManyLevels() async {
        await volume.read()
        for level in [0.3, 0.4, 0.5, 7] as [Float] { volume.set(level) }
        #expect(volume.level == 1)
        await commands.drain()
        #expect(fake.now.volume == 100)
        #expect(fake.count("SetVolume") <= 2)
        volume.set(.nan)
        await commands.drain()
        #expect(fake.now.volume == 100)
    }

    @Test func takesWhatTheDeviceDoesItself() async {
        await volume.read()
        var changes: [Bool] = []
        volume.changed = { changes.append($0) }
        volume.apply(RenderingChange(volume: 80))
        volume.apply(RenderingChange(volume: 80))
        volume.apply(RenderingChange(isMuted: true))
        #expect(volume.level == 0.8)
        #expect(volume.isMuted)
        #expect(changes == [true, true])
        volume.apply(RenderingChange(volume: 4000, isMuted: false))
        #expect(volume.level == 1)
    }

    @Test func isNotPulledBackByEchoesOfOlderLevels() async {
        await volume.read()
        volume.set(0.6)
        volume.apply(RenderingChange(volume: 30))
        #expect(volume.level == 0.6)
        await commands.drain()
        volume.apply(RenderingChange(volume: 60))
        #expect(volume.level == 0.6)
    }

    @Test func insistsOnWhatADeviceDidNotHear() async throws {
        let time = Mutex(Duration.zero)
        let commands = CommandQueue(
            time: MonotonicTime(now: { time.withLock { $0 } }, sleep: { pause in time.withLock { $0 += pause } }))
        let details = try RendererDetails.fake()
        let volume = RendererVolume(
            details, client: RendererClient(details.description, transport: fake), commands: commands)
        await volume.read()
        fake.change { $0.failures["SetVolume"] = [.timedOut, .unreachable("no route"), .timedOut] }
        volume.set(0.9)
        await commands.drain()
        #expect(volume.level == 0.9 && fake.now.volume == 90)
        #expect(time.withLock { $0 } == .seconds(3))
        // Not for ever.
        fake.change { $0.failures["SetVolume"] = Array(repeating: .timedOut, count: 100) }
        volume.set(0.1)
        await commands.drain()
        #expect(volume.level == 0.9 && fake.now.volume == 90)
        #expect(time.withLock { $0 } == .seconds(3) + .seconds(CommandQueue.patience))
    }

    @Test func showsTheTruthAfterARefusal() async {
        await volume.read()
        fake.change { $0.failures["SetVolume"] = [.fault(.init(code: 501))] }
        volume.set(0.9)
        await commands.drain()
        #expect(volume.level == 0.2)
    }

    @Test func keepsTheLevelThroughAMute() async {
        await volume.read()
        fake.change { $0.forgetsLevelWhenMuted = true }
        volume.setMuted(true)
        await commands.drain()
        volume.apply(RenderingChange(volume: 0, isMuted: true))
        #expect(volume.level == 0.2)
        volume.setMuted(false)
        await commands.drain()
        #expect(fake.now.volume == 20)
        #expect(!fake.now.isMuted)
    }

    @Test func doesNotTouchTheLevelOfADeviceThatKeepsIt() async {
        await volume.read()
        volume.setMuted(true)
        volume.setMuted(true)
        await commands.drain()
        volume.setMuted(false)
        await commands.drain()
        #expect(fake.count("SetMute") == 2)
        #expect(fake.count("SetVolume") == 0)
    }
}
