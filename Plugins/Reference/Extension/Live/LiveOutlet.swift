import Foundation
import MediaDevice
import ReferenceProtocol

/// The way of live sound and pictures to one receiver, in its own time.
@MainActor
final class LiveOutlet {
    /// The most bytes of sound that wait for the receiver, about two seconds.
    private static let longestQueue = 400_000
    /// The most bytes of sound in one command.
    private static let largestCommand = 64_000

    let device: ReferenceDevice
    private let id: String
    /// The seconds from the source to the listener.
    private let latency: Double
    private let sampleRate: Int
    private var clock = ClockEstimate()
    /// The blocks that wait, one after the other.
    private var blocks: [MediaSampleBlock] = []
    private var sending: Task<Void, Never>?
    private var isAccepted = false
    private(set) var sent = 0
    private(set) var late = 0
    /// A Boolean value that indicates whether the receiver got everything in time.
    private(set) var isComplete = true

    init(_ device: ReferenceDevice, id: String, latency: Double, sampleRate: Int) {
        self.device = device
        self.id = id
        self.latency = latency
        self.sampleRate = sampleRate
    }

    /// Asks the receiver to play, and reads its clock.
    func open(_ live: ReferenceLive) async throws(ConnectionFailure) {
        try await device.perform(.receive(id: id, live: live))
        await compareClock()
        isAccepted = true
        sendSound()
    }

    /// Reads the receiver's clock again, because clocks drift.
    func compareClock() async { for exchange in await device.readClock() { clock.add(exchange) } }

    func close() {
        sending?.cancel()
        blocks = []
    }

    // MARK: Sound

    /// Sends a block after those before. What comes while the receiver hasn't answered goes together.
    func send(_ block: MediaSampleBlock) {
        guard blocks.reduce(0, { $0 + $1.samples.count }) < Self.longestQueue else {
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
                await pass(at: time) { .sound(at: $0, samples: samples) }
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
                guard samples.count + block.samples.count <= Self.largestCommand else { break }
            }
            samples += block.samples
            last = block
            count += 1
        }
        blocks.removeFirst(count)
        return (samples, first.hostTime)
    }

    // MARK: Pictures

    /// Sends a picture, and waits until the receiver has it.
    ///
    /// - Returns: `false` if it is too large, so that those that follow can't be shown.
    func send(_ frame: MediaVideoFrame) async -> Bool {
        guard isAccepted else { return true }
        guard frame.accessUnit.count <= ReferenceLive.largestPicture else {
            isComplete = false
            return false
        }
        await pass(at: frame.hostTime) { .picture(at: $0, accessUnit: frame.accessUnit) }
        // The receiver shows it nevertheless.
        if HostTime.now > frame.hostTime.seconds + latency { late += 1 }
        return true
    }

    private func pass(at time: CMTime, _ command: (Double) -> ReferenceCommand) async {
        guard let offset = clock.offset(at: HostTime.now)?.value else {
            isComplete = false
            return
        }
        do throws(ConnectionFailure) {
            sent += 1
            try await device.pass(command(time.seconds + latency + offset))
        } catch {
            isComplete = false
            if case .refused(let failure) = error, failure.code == .late { late += 1 }
        }
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
