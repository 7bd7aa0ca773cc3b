import Foundation
import MediaDeviceTesting
import PlaybackKit
import Testing

/// Live sound and pictures on devices that the test answers for.
@MainActor
@Suite(.timeLimit(.minutes(1)))
struct LiveDeliveryTests {
    @MainActor
    private final class Receiver: LiveReceiver {
        /// The seconds that the clock is ahead of the host's.
        let ahead: Double
        var refusal: MediaDeviceError?
        var isLate = false
        private(set) var sound: [(samples: Data, time: Double)] = []
        private(set) var pictures: [(frame: MediaVideoFrame, time: Double)] = []
        private(set) var isStopped = false
        private(set) var hasLeft = false
        private(set) var error: MediaDeviceError?

        init(ahead: Double) { self.ahead = ahead }

        func readClock() async -> ClockExchange? {
            let now = CMClockGetTime(.hostTimeClock).seconds
            return ClockExchange(sent: now, received: now, remote: now + ahead)
        }

        func open(_ delivery: LiveDelivery<Receiver>) async throws(MediaDeviceError) {
            if let refusal { throw refusal }
        }

        func send(_ samples: Data, at time: Double) async throws(MediaDeviceError) -> Bool {
            sound.append((samples, time - ahead))
            return !isLate
        }

        func send(_ frame: MediaVideoFrame, at time: Double) async throws(MediaDeviceError) -> Bool {
            pictures.append((frame, time - ahead))
            return true
        }

        func describe(_ information: MediaOutputSession.MediaInformation?) {}
        func stop() { isStopped = true }

        func left(_ delivery: LiveDelivery<Receiver>, _ error: MediaDeviceError?) {
            hasLeft = true
            self.error = error
        }
    }

    private final class Extension: RealtimeSampleHandling {
        let protocolType = UTType(exportedAs: "org.mdhost.test.live")
        var receivers: [Receiver] = []
        private(set) var delivery: LiveDelivery<Receiver>?
        private var host: MediaDeviceRoutingManager { .routingManager(for: self) }

        func startDeviceDiscovery() {}
        func stopDeviceDiscovery() {}
        func activateDevice(
            _ device: MediaOutputDevice, session: MediaOutputSession, for features: MediaOutputDevice.Capabilities
        ) {
            host.activatedDevice(device, session: session)
        }
        func deactivateDevice(_ device: MediaOutputDevice, session: MediaOutputSession) {}
        func startSession(_ session: MediaOutputSession, identifier: String?, url: URL) {}
        func stopSession(_ session: MediaOutputSession) {}

        func startRealtimeSampleDelivery(session: MediaOutputSession) {
            var settings = LiveSettings()
            settings.largestFrame = 1000
            delivery = try? LiveDelivery(session, host: host, settings: settings)
            delivery?.start(on: receivers)
        }

        func stopRealtimeSampleDelivery(session: MediaOutputSession) {
            if let delivery { host.reportQualityMetricsPassed(delivery.stop(), forSession: session) }
        }
    }

    private let live = Extension()
    private let system: TestSystem<Extension>

    init() { system = TestSystem(live) }

    private func session(on receivers: Receiver...) async throws -> TestSession<Extension> {
        live.receivers = receivers
        let device = try #require(
            MediaOutputDevice(
                id: UUID(), displayName: "Room", capabilities: [.realtimeAudioStreaming, .realtimeVideoStreaming],
                volumeControl: .absolute, requiredNetworkEndpoints: [.hostPort(host: "192.0.2.1", port: 1)]))
        let session = system.activate(device)
        try await session.activated()
        return session
    }

    private static func time(_ seconds: Double) -> CMTime {
        CMTime(seconds: seconds, preferredTimescale: 1_000_000_000)
    }

    @Test func eachPlaysAtTheSameTimeOfItsOwnClock() async throws {
        let (first, second) = (Receiver(ahead: 500), Receiver(ahead: -20))
        let session = try await session(on: first, second)
        let delivery = try session.startSampleDelivery()
        let begin = CMClockGetTime(.hostTimeClock).seconds + 30
        try delivery.send(Data(repeating: 7, count: 400), at: Self.time(begin))
        try await until("played") { first.sound.count == 1 && second.sound.count == 1 }
        for receiver in [first, second] {
            #expect(receiver.sound.first?.samples == Data(repeating: 7, count: 400))
            #expect(receiver.sound.first.map { abs($0.time - begin - 0.3) < 0.005 } == true)
        }
        #expect(live.delivery?.soundFormat?.channelCount == 2 && live.delivery?.videoFormat == nil)
        session.stopSampleDelivery()
        try await system.report("the quality") { [id = session.id] in
            $0 == .qualityReported(thresholdsMet: true, session: id)
        }
        #expect(first.isStopped && second.hasLeft && second.error == nil)
    }

    @Test func picturesComeInOrderAndTheLargestAreLeftOut() async throws {
        let receiver = Receiver(ahead: 3)
        let session = try await session(on: receiver)
        let delivery = try session.startVideoDelivery()
        let begin = CMClockGetTime(.hostTimeClock).seconds + 30
        for (number, count) in [10, 1001, 20].enumerated() {
            let unit = Data(repeating: UInt8(number), count: count)
            try delivery.send(
                MediaVideoFrame(accessUnit: unit, isKeyFrame: true, hostTime: Self.time(begin + Double(number))))
        }
        try await until("shown") { receiver.pictures.count == 2 }
        #expect(receiver.pictures.map(\.frame.accessUnit.count) == [10, 20])
        #expect(abs(receiver.pictures[1].time - begin - 2.3) < 0.005)
        try await until("a key frame after it") { delivery.takeKeyFrameRequests() > 0 }
        session.stopSampleDelivery()
    }

    @Test func oneThatRefusesLeavesTheOthersPlaying() async throws {
        let (first, second) = (Receiver(ahead: 0), Receiver(ahead: 0))
        second.refusal = MediaDeviceError(.sessionFailed, reason: "It plays no sound.")
        let session = try await session(on: first, second)
        let delivery = try session.startSampleDelivery()
        try await until("refused") { second.hasLeft }
        #expect(second.error?.reason == "It plays no sound.")
        try delivery.send(Data(repeating: 1, count: 400))
        try await until("played") { first.sound.count == 1 }
        live.delivery?.ended(on: first)
        try await system.report("the end") { [id = session.id] in
            if case .sessionEnded(id, _) = $0 { true } else { false }
        }
    }

    @Test func whatIsLateIsCounted() async throws {
        let receiver = Receiver(ahead: 0)
        receiver.isLate = true
        let session = try await session(on: receiver)
        try session.startSampleDelivery().send(Data(repeating: 1, count: 400))
        try await until("sent") { receiver.sound.count == 1 }
        session.stopSampleDelivery()
        try await system.report("the quality") { [id = session.id] in
            $0 == .qualityReported(thresholdsMet: false, session: id)
        }
    }
}
