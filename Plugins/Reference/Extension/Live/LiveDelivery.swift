import Foundation
import MediaDevice
import ReferenceProtocol

/// The live sound and pictures of a session on its receivers, each with the same delay.
@MainActor
final class LiveDelivery: DevicePlayback {
    /// The seconds from the source to the listener, unless a person asked for another latency.
    private static let usualLatency = 0.3
    nonisolated static let leastLatency = 0.1
    /// The time between two comparisons of the receivers' clocks.
    private static let interval = Duration.seconds(4)

    let session: MediaOutputSession
    private let host: MediaDeviceRoutingManager
    private let clock: any Clock<Duration>
    private let id = UUID().uuidString
    private let sound: MediaSampleReader
    private let video: MediaVideoReader?
    private let latency: Double
    private var outlets: [LiveOutlet] = []
    private var tasks: [Task<Void, Never>] = []
    private var hasBegun = false
    private var isOver = false
    /// The counts of receivers that have left.
    private var past = (sent: 0, late: 0, isComplete: true)

    /// - Throws: ``MediaDeviceError`` if nothing is delivered in the session.
    init(
        _ session: MediaOutputSession, host: MediaDeviceRoutingManager, clock: any Clock<Duration>
    ) throws(MediaDeviceError) {
        self.session = session
        self.host = host
        self.clock = clock
        video = session.hasRealtimeVideo ? try MediaVideoReader(session: session) : nil
        sound = try MediaSampleReader(session: session, encoding: .signed16, channelCount: 2)
        latency = max(Self.leastLatency, sound.requestedLatency ?? Self.usualLatency)
    }

    /// The announcement for a receiver, with the current title.
    private var live: ReferenceLive {
        ReferenceLive(
            title: session.mediaInformation?.title, artist: session.mediaInformation?.artist,
            sound: video?.hasSound == false
                ? nil : .init(sampleRate: sound.format.sampleRate, channelCount: sound.format.channelCount),
            picture: video.map { .init(width: $0.width, height: $0.height, frameRate: $0.frameRate) })
    }

    func start(on devices: [ReferenceDevice]) {
        for device in devices { add(device) }
        tasks.append(Task { await keepTime() })
        tasks.append(Task { await describe() })
    }

    /// Begins when a receiver is ready: until then the source waits, so that nothing of the beginning is lost.
    private func begin() {
        guard !hasBegun, !isOver else { return }
        hasBegun = true
        tasks.append(Task { await passSound() })
        if let video { tasks.append(Task { await pass(video) }) }
    }

    /// Adds a device to the delivery.
    func add(_ device: ReferenceDevice) {
        guard !isOver, !outlets.contains(where: { $0.device === device }) else { return }
        let outlet = LiveOutlet(device, id: id, latency: latency, sampleRate: sound.format.sampleRate)
        outlets.append(outlet)
        device.player = self
        Task { [live] in
            do throws(ConnectionFailure) {
                try await outlet.open(live)
                // Its pictures begin with a key frame.
                if hasBegun { video?.requestKeyFrame() }
                begin()
                reportQuality()
            } catch {
                guard error.isRefusal else { return lost(device, MediaDeviceError(error, .connectionFailed)) }
                leave(device, MediaDeviceError(error, .sessionFailed))
            }
        }
    }

    /// Ends the delivery to one device. The others continue.
    func remove(_ device: ReferenceDevice) {
        guard outlets.contains(where: { $0.device === device }) else { return }
        device.send(.stop)
        leave(device, nil)
    }

    /// Ends the delivery.
    ///
    /// - Returns: A Boolean value that indicates whether the receivers got everything in time.
    func stop() -> Bool {
        for outlet in outlets { outlet.device.send(.stop) }
        end()
        return past.isComplete
    }

    /// Ends the delivery without changing the devices.
    func end() {
        isOver = true
        for outlet in outlets { forget(outlet) }
        for task in tasks { task.cancel() }
        tasks = []
    }

    private func forget(_ outlet: LiveOutlet) {
        outlet.close()
        outlets.removeAll { $0 === outlet }
        if outlet.device.player === self { outlet.device.player = nil }
        past = (past.sent + outlet.sent, past.late + outlet.late, past.isComplete && outlet.isComplete)
    }

    /// Goes on without a device. Without any, the session is over.
    private func leave(_ device: ReferenceDevice, _ error: MediaDeviceError?) {
        guard !isOver, let outlet = outlets.first(where: { $0.device === device }) else { return }
        forget(outlet)
        guard outlets.isEmpty else {
            if let error { device.fail(error, for: session) }
            return
        }
        end()
        if let error { host.sessionFailed(session, error: error) } else { host.sessionEnded(session) }
    }

    // MARK: What is delivered

    private func passSound() async {
        for await block in sound { for outlet in outlets { outlet.send(block) } }
    }

    /// Passes each picture on when all receivers have the one before. Those that come meanwhile are left out by the source.
    private func pass(_ video: MediaVideoReader) async {
        for await frame in video {
            let sending = outlets.map { outlet in Task { await outlet.send(frame) } }
            for sent in sending where await !sent.value { video.requestKeyFrame() }
        }
    }

    private func keepTime() async {
        while (try? await clock.sleep(for: Self.interval)) != nil {
            for outlet in outlets { await outlet.compareClock() }
            reportQuality()
        }
    }

    private func describe() async {
        var last = session.mediaInformation
        for await information in Observations({ [session] in session.mediaInformation }) where information != last {
            last = information
            for outlet in outlets {
                outlet.device.send(.describe(title: information?.title, artist: information?.artist))
            }
        }
    }

    private func reportQuality() {
        let (sent, late) = outlets.reduce((past.sent, past.late)) { ($0.0 + $1.sent, $0.1 + $1.late) }
        host.reportQuality(
            RealtimeQuality(
                packetsSent: sent, packetsLate: late, packetsLost: 0, packetsResent: 0, stalls: 0, latency: latency),
            forSession: session)
    }

    // MARK: Events of the receivers

    func heard(_ state: ReferencePlayback, from device: ReferenceDevice) {
        // Until it has answered, the receiver may still report its previous media.
        if state.id != id, device.isSettled { leave(device, nil) }
    }

    func ended(_ id: String, _ failure: ReferenceFailure?, on device: ReferenceDevice) {
        if id == self.id { leave(device, failure.map { MediaDeviceError($0, .sessionFailed) }) }
    }

    func lost(_ device: ReferenceDevice, _ error: MediaDeviceError) {
        guard let outlet = outlets.first(where: { $0.device === device }) else { return }
        forget(outlet)
        past.isComplete = false
        // The host starts another delivery when the last one is back.
        if outlets.isEmpty { end() }
        device.fail(error, for: session)
    }

    func failed(_ command: ReferenceCommand, _ failure: ConnectionFailure, on device: ReferenceDevice) {}

    func levelChanged() {}
    func settled(_ device: ReferenceDevice) {}
    func compared(_ device: ReferenceDevice) {}
    func received(_ data: Data, from application: String) {}
}
