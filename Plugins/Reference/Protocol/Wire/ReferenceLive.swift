/// Sound and pictures that a client sends as they come (PROTOCOL.md, Live sound and pictures).
public struct ReferenceLive: Codable, Sendable, Hashable {
    /// The format of sound: signed 16-bit samples, little-endian, the channels of a frame in turn.
    public struct Sound: Codable, Sendable, Hashable {
        /// Frames per second, `1000...768_000`.
        public var sampleRate: Int
        /// Samples per frame, `1...8`.
        public var channelCount: Int

        public init(sampleRate: Int, channelCount: Int) {
            self.sampleRate = sampleRate
            self.channelCount = channelCount
        }

        /// The size of one frame in bytes.
        public var bytesPerFrame: Int { 2 * channelCount }
        public var isPossible: Bool { (1000...768_000).contains(sampleRate) && (1...8).contains(channelCount) }
    }

    /// The format of pictures: H.264 access units as a byte stream (ITU-T H.264, annex B).
    public struct Picture: Codable, Sendable, Hashable {
        /// The width in pixels, `16...7680`.
        public var width: Int
        /// The height in pixels, `16...4320`.
        public var height: Int
        /// Pictures a second at most, `1...240`.
        public var frameRate: Int

        public init(width: Int, height: Int, frameRate: Int) {
            self.width = width
            self.height = height
            self.frameRate = frameRate
        }

        public var isPossible: Bool {
            (16...7680).contains(width) && (16...4320).contains(height) && (1...240).contains(frameRate)
        }
    }

    /// The most bytes of a picture, and of the samples of one command.
    public static let largestPicture = 1_000_000

    public var title: String?
    public var artist: String?
    /// `nil` for pictures without sound.
    public var sound: Sound?
    /// `nil` for sound alone.
    public var picture: Picture?

    public init(title: String? = nil, artist: String? = nil, sound: Sound?, picture: Picture? = nil) {
        self.title = title
        self.artist = artist
        self.sound = sound
        self.picture = picture
    }
}
