import CastStreaming
import Foundation
import Opus
import ReferenceReceiver

/// The sound that a simulated device receives: decodes each frame when it is due.
struct ReceivedSound {
    private let decoder: OpusDecoder
    private let recording: FileHandle?
    private(set) var played = 0
    private(set) var lost = 0

    /// - Parameter path: The file for the decoded samples, 16 bit, left and right in turn; `nil` for none.
    init(recordingTo path: String?) throws {
        decoder = try OpusDecoder()
        recording = try path.map { try .writing(to: $0) }
    }

    mutating func play(_ packet: [UInt8]) {
        played += 1
        write(try? decoder.decode(packet))
    }

    mutating func lose() {
        lost += 1
        write(try? decoder.conceal(frames: AudioFormat.length))
    }

    func close() { try? recording?.close() }

    private func write(_ samples: [Int16]?) {
        guard let samples, let recording else { return }
        try? recording.write(contentsOf: samples.withUnsafeBytes { Data($0) })
    }
}
