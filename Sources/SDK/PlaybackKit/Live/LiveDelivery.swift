public import Foundation
public import MediaDevice
import Observation

/// The live sound and pictures of a session on its devices, each with the same delay: in step with each other and with the
/// source.
///
/// For an extension that conforms to `RealtimeSampleHandling` itself. Each device gets the time of a block in its own
/// clock. One that is slow or lost doesn't hold up the sound of the others. The host gets the quality whenever a device is
/// added, and every four seconds.
@MainActor
public final class LiveDelivery<Receiver: LiveReceiver> {
    /// Identifies the delivery, for protocols that tell one playback from the next.
    public let id = UUID()
    /// The session.
    public let session: MediaOutputSession
    /// The time from the source to the listener in seconds.
    public let latency: Double
    private let settings: LiveSettings
    private let host: MediaDeviceRoutingManager
    private let clock: any Clock<Duration>
    private let sound: MediaSampleReader
    private let video: MediaVideoReader?
    private var outlets: [LiveOutlet<Receiver>] = []
    private var tasks: [Task<Void, Never>] = []
    private var hasBegun = false
    private var isOver = false
    /// The counts of devices that have left.
    private var past = (sent: 0, late: 0, isComplete: true)

    /// Creates the delivery of a session, without devices.
    ///
    /// - Parameters:
    ///   - session: The session. It has no other reader of its samples.
    ///   - host: The host, which gets the quality and the end.
    ///   - settings: The format and the bounds.
    ///   - clock: The clock for pauses; tests pass their own.
    /// - Throws: `MediaDeviceError` if nothing is delivered in the session.
    public init(
        _ session: MediaOutputSession, host: MediaDeviceRoutingManager, settings: LiveSettings = LiveSettings(),
        clock: any Clock<Duration> = ContinuousClock()
    ) throws(MediaDeviceError) {
        self.session = session
        self.settings = settings
        self.host = host
        self.clock = clock
        video = session.hasRealtimeVideo ? try MediaVideoReader(session: session) : nil
        sound = try MediaSampleReader(
            session: session, encoding: settings.encoding, sampleRate: settings.sampleRate,
            channelCount: settings.channelCount)
        latency = max(settings.leastLatency, sound.requestedLatency ?? settings.usualLatency)
    }

    /// The format of the sound; `nil` for pictures without sound.
    public var soundFormat: MediaSampleFormat? { video?.hasSound == false ? nil : sound.format }

    /// The format of the pictures; `nil` for sound alone.
    public var videoFormat: LiveVideoFormat? {
        video.map { LiveVideoFormat(width: $0.width, height: $0.height, frameRate: $0.frameRate) }
    }

    /// Starts the delivery on these devices.
    public func start(on receivers: [Receiver]) {
        for receiver in receivers { add(receiver) }
        tasks.append(Task { await keepTime() })
        tasks.append(Task { await describe() })
    }

    /// Begins when a device is ready: until then the source waits, so that nothing of the beginning is lost.
    private func begin() {
        guard !hasBegun, !isOver else { return }
        hasBegun = true
        tasks.append(Task { await passSound() })
        if let video { tasks.append(Task { await pass(video) }) }
    }

    /// Adds a device to the delivery.
    public func add(_ receiver: Receiver) {
        guard !isOver, outlet(of: receiver) == nil else { return }
        let outlet = LiveOutlet(receiver, latency: latency, sampleRate: sound.format.sampleRate, settings)
        outlets.append(outlet)
        Task {
            do throws(MediaDeviceError) {
                try await outlet.open(self)
                // Its pictures begin with a key frame.
                if hasBegun { video?.requestKeyFrame() }
                begin()
                reportQuality()
            } catch {
                if error.code == .connectionFailed { lost(receiver, error) } else { ended(on: receiver, error) }
            }
        }
    }

    /// Ends the delivery to one device. The others continue; without any, the session is over.
    public func remove(_ receiver: Receiver) {
        guard outlet(of: receiver) != nil else { return }
        receiver.stop()
        ended(on: receiver)
    }

    /// Ends the delivery.
    ///
    /// - Returns: A Boolean value that indicates whether the devices got everything in time.
    public func stop() -> Bool {
        for outlet in outlets { outlet.receiver.stop() }
        end()
        return past.isComplete
    }

    /// Ends the delivery without changing the devices, because something else takes its place.
    public func end() {
        isOver = true
        for outlet in outlets { forget(outlet) }
        for task in tasks { task.cancel() }
        tasks = []
    }

    private func outlet(of receiver: Receiver) -> LiveOutlet<Receiver>? { outlets.first { $0.receiver === receiver } }

    private func forget(_ outlet: LiveOutlet<Receiver>, _ error: MediaDeviceError? = nil) {
        outlet.close()
        outlets.removeAll { $0 === outlet }
        past = (past.sent + outlet.sent, past.late + outlet.late, past.isComplete && outlet.isComplete)
        outlet.receiver.left(self, error)
    }

    // MARK: What is delivered

    private func passSound() async {
        for await block in sound { for outlet in outlets { outlet.send(block) } }
    }

    /// Passes each picture on when all devices have the one before. Those that come meanwhile are left out by the source.
    private func pass(_ video: MediaVideoReader) async {
        for await frame in video {
            let sending = outlets.map { outlet in Task { await outlet.send(frame) } }
            for sent in sending where await !sent.value { video.requestKeyFrame() }
        }
    }

    private func keepTime() async {
        while (try? await clock.sleep(for: ClockEstimate.interval)) != nil {
            for outlet in outlets { await outlet.compareClock() }
            reportQuality()
        }
    }

    private func describe() async {
        var last = session.mediaInformation
        for await information in Observations({ [session] in session.mediaInformation }) where information != last {
            last = information
            for outlet in outlets { outlet.receiver.describe(information) }
        }
    }

    private func reportQuality() {
        let (sent, late) = outlets.reduce((past.sent, past.late)) { ($0.0 + $1.sent, $0.1 + $1.late) }
        host.reportQuality(
            RealtimeQuality(
                packetsSent: sent, packetsLate: late, packetsLost: 0, packetsResent: 0, stalls: 0, latency: latency),
            forSession: session)
    }

    // MARK: Events of the devices

    /// Processes the end of the delivery on one device, whose person stopped it or chose something else. Without a device
    /// left, the session is over. Ignored for a device that isn't part of the delivery.
    ///
    /// - Parameters:
    ///   - receiver: The device.
    ///   - error: The reason if the device couldn't continue.
    public func ended(on receiver: Receiver, _ error: MediaDeviceError? = nil) {
        guard !isOver, let outlet = outlet(of: receiver) else { return }
        guard outlets.count == 1 else { return forget(outlet, error) }
        forget(outlet)
        end()
        if let error { host.sessionFailed(session, error: error) } else { host.sessionEnded(session) }
    }

    /// Processes the loss of a device. The host starts another delivery when the last one is back.
    public func lost(_ receiver: Receiver, _ error: MediaDeviceError) {
        guard let outlet = outlet(of: receiver) else { return }
        forget(outlet, error)
        past.isComplete = false
        if outlets.isEmpty { end() }
    }
}
