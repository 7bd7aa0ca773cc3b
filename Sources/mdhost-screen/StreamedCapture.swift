import ScreenEncoding

/// Writes pictures and sound as an MPEG transport stream, for devices that read it from a URL.
final class StreamedCapture: CaptureOutput {
    private let output: StreamOutput

    /// - Parameter descriptor: A pipe's end for writing.
    init(descriptor: Int32) { output = StreamOutput(descriptor: descriptor) }

    var isClosed: Bool { output.isClosed }
    var backlog: Int { output.backlog }
    func takeKeyRequest() -> Bool { false }

    func begin(
        _ pictures: PictureEncoder, hasSound: Bool, _ flow: @escaping @Sendable (Int64) -> Int64?
    ) throws(ScreenEncodingError) -> (any PictureTarget, (any SoundTarget)?) {
        let sound = hasSound ? try SoundEncoder() : nil
        let stream = try TransportStream(to: output, picture: pictures, sound: sound)
        return (Pictures(pictures, stream), sound.map { Sound($0, stream, flow) })
    }

    private final class Pictures: PictureTarget {
        private let encoder: PictureEncoder
        private let stream: TransportStream

        init(_ encoder: PictureEncoder, _ stream: TransportStream) {
            self.encoder = encoder
            self.stream = stream
        }

        func take(_ picture: TimedPicture, at time: Int64, isKey: Bool, bitRate: Int) throws(ScreenEncodingError) {
            try encoder.encode(picture.picture, at: time, isKey: isKey, into: stream)
            stream.pad(to: bitRate, until: time)
        }
    }

    private final class Sound: SoundTarget {
        private let encoder: SoundEncoder
        private let stream: TransportStream
        private let flow: @Sendable (Int64) -> Int64?

        init(_ encoder: SoundEncoder, _ stream: TransportStream, _ flow: @escaping @Sendable (Int64) -> Int64?) {
            self.encoder = encoder
            self.stream = stream
            self.flow = flow
        }

        func take(_ samples: [Int16], at time: Int64) {
            // Nothing was or is sent of the pictures at that time.
            guard let place = flow(time) else { return }
            // Only a lack of memory fails here; the next samples are tried again.
            try? encoder.encode(samples, at: place, into: stream)
        }
    }
}
