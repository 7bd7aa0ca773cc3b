import CScreenEncoding

/// The sound that the desktop plays: the monitor of the default output of PulseAudio, or of PipeWire in its place.
///
/// For one thread.
package final class DesktopSound {
    /// Of 20 ms.
    private static let fragment = SoundEncoder.rate / 50 * 4

    private let input: DeviceInput

    package struct Samples {
        package var samples: [Int16]
        /// Of the first sample: microseconds since 1970.
        package var time: Int64
    }

    /// - Throws: ``ScreenEncodingError`` if no sound server answers, or it has no output.
    package init() throws(ScreenEncodingError) {
        input = try DeviceInput(
            format: "pulse", name: "@DEFAULT_MONITOR@",
            options: [
                "name": "mdhost", "stream_name": "Screen", "sample_rate": "\(SoundEncoder.rate)", "channels": "2",
                "fragment_size": "\(Self.fragment)",
            ], isWaiting: false)
    }

    /// Returns the samples that are there; `nil` if there are none yet.
    ///
    /// - Throws: ``ScreenEncodingError`` when the sound server is gone.
    package func next() throws(ScreenEncodingError) -> Samples? {
        guard let packet = try input.read() else { return nil }
        guard let data = packet.pointee.data else { return nil }
        let bytes = UnsafeRawBufferPointer(start: data, count: Int(packet.pointee.size) / 4 * 4)
        let samples = [Int16](unsafeUninitializedCapacity: bytes.count / 2) { buffer, count in
            UnsafeMutableRawBufferPointer(buffer).copyMemory(from: bytes)
            count = bytes.count / 2
        }
        return Samples(samples: samples, time: packet.pointee.pts)
    }
}
