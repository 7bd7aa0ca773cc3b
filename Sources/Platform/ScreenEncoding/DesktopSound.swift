import CScreenEncoding
import Glibc
import Synchronization
import Threads

/// The sound that the desktop plays: the monitor of the default output of PulseAudio, or of PipeWire in its place.
///
/// A thread of its own reads it, because reading waits for sound; it ends with the sound server, or with the program.
package final class DesktopSound: Sendable {
    /// Of 20 ms, in bytes.
    private static let fragment = SoundEncoder.rate / 50 * 4
    /// The pieces that wait at most: two seconds. Older ones are left out.
    private static let waitingLimit = 100

    package struct Samples: Sendable {
        package var samples: [Int16]
        /// Of the first sample: microseconds since 1970.
        package var time: Int64
    }

    private struct State {
        var waiting: [Samples] = []
        var failure: ScreenEncodingError?
    }

    private let state = Mutex(State())

    /// - Throws: ``ScreenEncodingError`` if no sound server answers, or it has no output.
    package init() throws(ScreenEncodingError) {
        let input = OwnedInput(
            input: try DeviceInput(
                format: "pulse", name: "@DEFAULT_MONITOR@",
                options: [
                    "name": "mdhost", "stream_name": "Screen", "sample_rate": "\(SoundEncoder.rate)", "channels": "2",
                    "fragment_size": "\(Self.fragment)",
                ]))
        guard BackgroundThread.start({ self.read(input) }) else { throw ScreenEncodingError("no thread") }
    }

    /// Returns the oldest samples that wait; `nil` if there are none yet.
    ///
    /// - Throws: ``ScreenEncodingError`` when the sound server is gone.
    package func next() throws(ScreenEncodingError) -> Samples? {
        let result: Result<Samples?, ScreenEncodingError> = state.withLock { state in
            if !state.waiting.isEmpty { return .success(state.waiting.removeFirst()) }
            return state.failure.map { .failure($0) } ?? .success(nil)
        }
        return try result.get()
    }

    /// Waits until sound comes in time: a sound server that buffers for seconds does so until it knows that somebody
    /// listens.
    ///
    /// - Parameters:
    ///   - lateness: The accepted time from a sample to its arrival, in microseconds.
    ///   - limit: The time to wait at most, in microseconds.
    package func settle(to lateness: Int64, within limit: Int64) throws(ScreenEncodingError) {
        let end = TimedPicture.now + limit
        while TimedPicture.now < end {
            while let next = try next() {
                if TimedPicture.now - next.time <= lateness { return }
            }
            usleep(10_000)
        }
    }

    private func read(_ input: OwnedInput) {
        while true {
            do throws(ScreenEncodingError) {
                guard let samples = try Self.samples(of: input.input) else { continue }
                state.withLock { state in
                    if state.waiting.count == Self.waitingLimit { state.waiting.removeFirst() }
                    state.waiting.append(samples)
                }
            } catch {
                return state.withLock { $0.failure = error }
            }
        }
    }

    private static func samples(of input: DeviceInput) throws(ScreenEncodingError) -> Samples? {
        guard let packet = try input.read(), let data = packet.pointee.data else { return nil }
        let bytes = UnsafeRawBufferPointer(start: data, count: Int(packet.pointee.size) / 4 * 4)
        let samples = [Int16](unsafeUninitializedCapacity: bytes.count / 2) { buffer, count in
            UnsafeMutableRawBufferPointer(buffer).copyMemory(from: bytes)
            count = bytes.count / 2
        }
        return Samples(samples: samples, time: packet.pointee.pts)
    }
}

/// Handed over to the thread that reads it, and used there alone.
private struct OwnedInput: @unchecked Sendable { let input: DeviceInput }
