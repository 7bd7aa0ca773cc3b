/// The format of streamed sound: Opus, 48 kHz, stereo.
public enum AudioFormat {
    /// Frames of samples, and units of timestamps, per second.
    public static let rate = 48_000
    public static let channels = 2
    /// The samples of a packet of Opus for each channel, 20 ms.
    public static let length = 960
    /// The duration of a packet in seconds.
    public static let duration = Double(length) / Double(rate)
    public static let bitrate = 128_000
    /// The payload type of sound. Some televisions with Android take no other.
    public static let payloadType: UInt8 = 127
    /// The seconds between a sample and its playback.
    public static let delay = 0.4
    /// The delays that may be asked for. Receivers with less than the shortest have no time for lost packets.
    public static let delays = 0.1...2.0
    /// The highest number of frames without acknowledgement.
    public static let window = 120
    /// The seconds of silence after which each side gives up.
    public static let patience = 15.0
    /// The seconds between reports.
    public static let reportInterval = 0.5
}
