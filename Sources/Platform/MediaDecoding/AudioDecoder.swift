import CFFmpeg
package import MediaReading

/// Reads the sound of a file or an address through FFmpeg's libraries: interleaved stereo, 16 bit, at one rate.
///
/// Sound that is stored like that comes out as it is, sample by sample; everything else is converted. Not for two threads
/// at a time; calls wait for the source and for the CPU.
package final class AudioDecoder {
    /// Seconds that are decoded before a position: formats whose frames build on the former ones (MP3, AAC, Opus) come out
    /// wrong at first.
    private static let preroll = 0.5

    package let facts: MediaFacts
    /// The sample rate of the output, in Hz.
    package let rate: Int

    private let input: MediaInput
    private let codec: UnsafeMutablePointer<AVCodecContext>
    private let frame: UnsafeMutablePointer<AVFrame>
    private var converter: SampleConverter
    /// The next frame to be read; `nil` until the first one after a seek.
    private var position: Int64? = 0
    /// Frames before this one are not wanted.
    private var target: Int64 = 0
    /// The frame that the source was asked for.
    private var sought: Int64 = 0
    private var isDraining = false

    /// Opens the media and reads enough to identify it.
    ///
    /// - Parameters:
    ///   - address: `http:` or `https:` URL, or a path.
    ///   - trust: The trusted HTTPS servers.
    ///   - stop: Ends every wait.
    /// - Throws: ``DecodingError``.
    package init(
        address: String, rate: Int = 44_100, trust: CertificateTrust = CertificateTrust(),
        stop: DecodingStop = DecodingStop()
    ) throws(DecodingError) {
        self.rate = rate
        let input = try MediaInput(address: address, trust: trust, stop: stop)
        self.input = input
        codec = try input.openCodec()
        guard let frame = av_frame_alloc() else {
            var codec: UnsafeMutablePointer<AVCodecContext>? = codec
            avcodec_free_context(&codec)
            throw .unreadable("no memory")
        }
        self.frame = frame
        converter = SampleConverter(rate: rate)
        facts = input.facts
    }

    deinit {
        var frame: UnsafeMutablePointer<AVFrame>? = frame
        av_frame_free(&frame)
        var codec: UnsafeMutablePointer<AVCodecContext>? = codec
        avcodec_free_context(&codec)
    }

    /// Returns the next samples, left, right, left, …: as many as the source provides at a time.
    ///
    /// - Returns: `nil` at the end.
    /// - Throws: ``DecodingError``. Damaged places are skipped; only an unreadable source ends it.
    package func read() throws(DecodingError) -> [Int16]? {
        while true {
            let result = avcodec_receive_frame(codec, frame)
            if result == 0 {
                let samples = wanted(try converted())
                if !samples.isEmpty { return samples }
            } else if result == mdhost_av_again {
                try feed()
            } else if result == mdhost_av_end {
                let rest = wanted(converter.finish())
                return rest.isEmpty ? nil : rest
            } else if isDraining {
                return nil
            } else {
                try feed()
            }
        }
    }

    /// Continues at another position, exact to the frame if the source has timestamps.
    ///
    /// - Parameter frame: At ``rate``, from the beginning.
    package func seek(toFrame frame: Int64) throws(DecodingError) {
        sought = max(0, frame - Int64(Self.preroll * Double(rate)))
        try input.seek(toSeconds: Double(sought) / Double(rate))
        avcodec_flush_buffers(codec)
        converter = SampleConverter(rate: rate)
        isDraining = false
        position = nil
        target = frame
    }

    private func feed() throws(DecodingError) {
        guard let packet = try input.nextPacket() else {
            isDraining = true
            avcodec_send_packet(codec, nil)
            return
        }
        // The decoder refuses a damaged packet; the following ones may be intact.
        avcodec_send_packet(codec, packet)
        av_packet_unref(packet)
    }

    private func converted() throws(DecodingError) -> [Int16] {
        defer { av_frame_unref(frame) }
        if position == nil {
            // The source's own time of this frame, as precise as the seek was not.
            position =
                input.seconds(frame.pointee.best_effort_timestamp).map { Int64(($0 * Double(rate)).rounded()) }
                ?? sought
        }
        return try converter.convert(frame)
    }

    private func wanted(_ samples: [Int16]) -> [Int16] {
        let frames = Int64(samples.count / 2)
        let begin = position ?? sought
        position = begin + frames
        let unwanted = min(frames, max(0, target - begin))
        return unwanted == 0 ? samples : Array(samples.dropFirst(Int(unwanted) * 2))
    }
}
