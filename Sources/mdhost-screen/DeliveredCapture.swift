import ScreenEncoding

/// Sends pictures and sound in packets, for devices whose extension takes samples.
final class DeliveredCapture: CaptureOutput {
    private let video: VideoOutput
    private let sound: Int32

    /// - Parameters:
    ///   - video: A socket for packets.
    ///   - sound: A socket for packets.
    init(video: Int32, sound: Int32) {
        self.video = VideoOutput(socket: video)
        self.sound = sound
    }

    var isClosed: Bool { video.isClosed }
    var backlog: Int { video.backlog }
    func takeKeyRequest() -> Bool { video.takeKeyRequest() }

    func begin(
        _ pictures: PictureEncoder, hasSound: Bool, _ flow: @escaping @Sendable (Int64) -> Int64?
    ) throws(ScreenEncodingError) -> (any PictureTarget, (any SoundTarget)?) {
        let target: SoundOutput? = hasSound ? SoundOutput(socket: sound) : nil
        if !hasSound { SoundOutput.end(sound) }
        return (Pictures(pictures, video), target)
    }

    private final class Pictures: PictureTarget {
        private let encoder: PictureEncoder
        private let output: VideoOutput

        init(_ encoder: PictureEncoder, _ output: VideoOutput) {
            self.encoder = encoder
            self.output = output
        }

        func take(_ picture: TimedPicture, at time: Int64, isKey: Bool, bitRate: Int) throws(ScreenEncodingError) {
            let captured = HostTime.nanoseconds(at: picture.time)
            try encoder.encode(picture.picture, at: time, isKey: isKey) { unit, isKey in
                output.send(unit, capturedAt: captured, isKey: isKey)
            }
        }
    }
}
