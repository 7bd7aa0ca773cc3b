import Foundation
import MediaDevice

/// The way of live sound and pictures to one device, in its own time.
@MainActor
final class LiveOutlet<Receiver: LiveReceiver> {
    let receiver: Receiver
    /// The seconds from the source to the listener.
    private let latency: Double
    private let sampleRate: Int
    private let settings: LiveSettings
    private var clock = ClockEstimate()
    /// The blocks that wait, one after the other.
    private var blocks: [MediaSampleBlock] = []
    private var sending: Task<Void, Never>?
    private var isAccepted = false
    private(set) var sent = 0
    private(set) var late = 0
    /// A Boolean value that indicates whether the device got everything in time.
    private(set) var isComplete = true

    init(_ receiver: Receiver, latency: Double, sampleRate: Int, _ settings: LiveSettings) {
        self.receiver = receiver
        self.latency = latency
        self.sampleRate = sampleRate
        self.settings = settings
    }

    /// Asks the device to play, and reads its clock.
    func open(_ delivery: LiveDelivery<Receiver>) async throws(MediaDeviceError) {
        try await receiver.open(delivery)
        await compareClock()
        isAccepted = true
        sendSound()
    }

    /// Reads the device's clock again, because clocks drift.
    func compareClock() async { for exchange in await receiver.readClockRepeatedly() { clock.add(exchange) } }

    func close() {
        sending?.cancel()
        blocks = []
    }

    // MARK: Sound

    /// Sends a block after those before. What comes while the device hasn't answered goes together.
    func send(_ block: MediaSampleBlock) {
        guard blocks.reduce(0, { $0 + $1.samples.count }) < settings.longestQueue else {
            isComplete = false
            return
        }
        blocks.append(block)
        sendSound()
    }

    private func sendSound() {
        guard isAccepted, sending == nil else { return }
        sending = Task {
            while !Task.isCancelled, let (samples, time) = takeSound() {
                await pass(at: time) { moment throws(MediaDeviceError) in try await receiver.send(samples, at: moment) }
            }
            sending = nil
        }
    }

    /// Takes the waiting blocks that belong together.
    private func takeSound() -> (samples: Data, time: CMTime)? {
        guard let first = blocks.first else { return nil }
        var samples = Data()
        var (last, count) = (first, 0)
        for block in blocks {
            if count > 0 {
                guard block.follows(last, sampleRate: sampleRate) else { break }
                guard samples.count + block.samples.count <= settings.largestBlock else { break }
            }
            samples += block.samples
            last = block
            count += 1
        }
        blocks.removeFirst(count)
        return (samples, first.hostTime)
    }

    // MARK: Pictures

    /// Sends a picture, and waits until the device has it.
    ///
    /// - Returns: `false` if it is too large, so that those that follow can't be shown.
    func send(_ frame: MediaVideoFrame) async -> Bool {
        guard isAccepted else { return true }
        guard frame.accessUnit.count <= settings.largestFrame else {
            isComplete = false
            return false
        }
        await pass(at: frame.hostTime) { moment throws(MediaDeviceError) in try await receiver.send(frame, at: moment) }
        // The device shows it nevertheless.
        if HostTime.now > frame.hostTime.seconds + latency { late += 1 }
        return true
    }

    private func pass(
        at time: CMTime, _ send: @MainActor (Double) async throws(MediaDeviceError) -> Bool
    ) async {
        guard let offset = clock.offset(at: HostTime.now)?.value else {
            isComplete = false
            return
        }
        do throws(MediaDeviceError) {
            sent += 1
            guard try await !send(time.seconds + latency + offset) else { return }
            late += 1
        } catch {}
        isComplete = false
    }
}

extension MediaSampleBlock {
    /// Returns whether it is played immediately after another one.
    fileprivate func follows(_ other: MediaSampleBlock, sampleRate: Int) -> Bool {
        let length = CMTime(value: CMTimeValue(other.frameCount), timescale: CMTimeScale(sampleRate))
        return presentationTime == other.presentationTime + length
            && abs((hostTime - other.hostTime - length).seconds) < 0.001
    }
}
