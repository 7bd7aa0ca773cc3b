import ScreenEncoding

/// The way of what is captured to the device.
protocol CaptureOutput: Sendable {
    /// A Boolean value that indicates whether nobody takes it any more.
    var isClosed: Bool { get }
    /// The number of bytes that nobody has taken yet.
    var backlog: Int { get }
    /// Returns whether somebody has asked for a key picture since the last call.
    func takeKeyRequest() -> Bool
    /// Begins, once.
    ///
    /// - Parameter flow: Gives the time in the stream.
    /// - Returns: The ends for the threads of the pictures and of the sound.
    func begin(
        _ pictures: PictureEncoder, hasSound: Bool, _ flow: @escaping @Sendable (Int64) -> Int64?
    ) throws(ScreenEncodingError) -> (any PictureTarget, (any SoundTarget)?)
}

/// Encodes pictures and sends them. For one thread.
protocol PictureTarget: AnyObject {
    /// - Parameters:
    ///   - picture: The picture, with the source's time.
    ///   - time: In the stream, in microseconds.
    ///   - bitRate: In bits a second.
    func take(_ picture: TimedPicture, at time: Int64, isKey: Bool, bitRate: Int) throws(ScreenEncodingError)
}

/// Sends sound. For one thread.
protocol SoundTarget: AnyObject {
    /// - Parameters:
    ///   - samples: Interleaved stereo at ``SoundEncoder/rate``.
    ///   - time: The source's, of the first sample.
    func take(_ samples: [Int16], at time: Int64)
}
