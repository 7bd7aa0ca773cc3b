import DeviceConnections
import Foundation
import MediaDeviceTesting
import PlaybackKit
import TestConditions
import Testing

@testable import DLNAExtension
@testable import DLNAProtocol

@Suite(.timeLimit(.minutes(1)))
@MainActor
final class RendererAdoptionTests {
    private let room: RendererRoom

    init() throws { room = try RendererRoom() }

    /// Adopts a playback.
    ///
    /// - Parameter startedAt: The time at which the device accepted to play; `nil` if it wasn't stored.
    private func adopt(
        startedAt: Double?, _ information: MediaOutputSession.MediaInformation? = nil
    ) async throws -> TestSession<DLNAExtension> {
        let session = try await room.activate()
        let url = try #require(URL(string: "http://192.0.2.1/a%20tone.mp3"))
        try session.adopt(
            EarlierPlayback(url: url, token: startedAt.map { Data(String($0).utf8) }), information: information)
        return session
    }

    @Test(arguments: ["PLAYING", "PAUSED_PLAYBACK"])
    func takesUpWhatTheDeviceStillPlays(state: String) async throws {
        room.fake.change {
            $0.transport = state
            // As the device writes it.
            $0.uri = "http://192.0.2.1/a tone.mp3"
            $0.position = "0:00:12"
        }
        let session = try await adopt(
            startedAt: room.clock.time.seconds - 30, .init(title: "A tone", startPosition: 25))
        await eventually("it was taken up") { room.reports == ["started"] && room.clock.nextPause != nil }
        let control = try #require(session.control)
        #expect(control.isPlaying == (state == "PLAYING") && control.isReady)
        #expect(control.playbackPosition.position.seconds == 12)
        #expect(control.timeRange.duration.seconds == 30)
        #expect(control.metadata.title == "A tone")
        #expect(room.fake.calls.allSatisfy { $0.hasPrefix("Get") }, "the device is not touched: \(room.fake.calls)")
        control.seek(to: CMTime(seconds: 20, preferredTimescale: 1000), tolerance: .zero)
        await eventually("it is there") { room.fake.now.position == "0:00:20" }
        session.stop()
        await eventually("it stopped") { room.fake.now.transport == "STOPPED" }
    }

    @Test(arguments: [
        ("STOPPED", "http://192.0.2.1/a%20tone.mp3"), ("NO_MEDIA_PRESENT", ""),
        ("PLAYING", "http://192.0.2.1/other.mp3"),
    ])
    func leavesAloneWhatIsNotItsOwn(state: String, uri: String) async throws {
        room.fake.change {
            $0.transport = state
            $0.uri = uri
        }
        let session = try await adopt(startedAt: room.clock.time.seconds - 30)
        await eventually("it is over") { room.reports.last == "ended" }
        session.stop()
        session.deactivate()
        await eventually("it is let go") { room.system.extension.devices.player(of: room.device) == nil }
        #expect(room.fake.calls.allSatisfy { $0.hasPrefix("Get") }, "\(room.fake.calls)")
    }

    @Test(arguments: [nil, -1.0])
    func waitsForWhatIsJustStarting(startedAt: Double?) async throws {
        room.fake.change { $0.uri = "http://192.0.2.1/a%20tone.mp3" }
        _ = try await adopt(startedAt: startedAt.map { room.clock.time.seconds + $0 })
        await eventually("it waits") { room.clock.nextPause == .milliseconds(500) }
        room.fake.change { $0.transport = "PLAYING" }
        room.clock.advance(by: .milliseconds(500))
        await eventually("it was taken up") { room.reports == ["started"] }
    }

    @Test func waitsNoLongerThanAStartTakes() async throws {
        room.fake.change { $0.uri = "http://192.0.2.1/a%20tone.mp3" }
        _ = try await adopt(startedAt: room.clock.time.seconds - 3.8)
        await eventually("it waits") { room.clock.nextPause == .milliseconds(500) }
        room.clock.advance(by: .milliseconds(500))
        await eventually("it is over") { room.reports.last == "ended" }
    }

    @Test func aDeviceThatCannotBeAskedIsAFailureOfItsConnection() async throws {
        room.fake.change { $0.failures["GetMediaInfo"] = [.timedOut] }
        _ = try await adopt(startedAt: nil)
        await eventually("it failed") { room.reports == ["failed"] }
        #expect(room.failure?.code == "timed-out")
    }
}
