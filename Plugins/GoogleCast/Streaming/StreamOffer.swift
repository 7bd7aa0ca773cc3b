import Foundation
public import JSONValues

/// The streams that a sender offers: sound, pictures, or both.
///
/// Source: Cast Streaming's session protocol.
public struct StreamOffer: Sendable, Hashable {
    /// A stream of the offer.
    public struct Stream: Sendable, Hashable {
        /// The position in the offer.
        public var index: Int
        /// The sender's number of the stream.
        public var source: UInt32
        public var payloadType: UInt8
        public var cipher: FrameCipher

        public init(index: Int = 0, source: UInt32, payloadType: UInt8, cipher: FrameCipher) {
            self.index = index
            self.source = source
            self.payloadType = payloadType
            self.cipher = cipher
        }
    }

    public var number: Int
    /// Stereo Opus.
    public var sound: Stream?
    public var pictures: Stream?
    public var pictureFormat: PictureFormat?
    /// The seconds between a sample or picture and its playback.
    public var delay = AudioFormat.delay

    public init(number: Int, sound: Stream? = nil, pictures: Stream? = nil, _ pictureFormat: PictureFormat? = nil) {
        self.number = number
        self.sound = sound
        self.pictures = pictures
        self.pictureFormat = pictureFormat
    }

    /// Creates an offer with random numbers and keys.
    ///
    /// - Parameters:
    ///   - hasSound: A Boolean value that indicates whether sound is offered.
    ///   - pictures: The format of the pictures; `nil` for sound alone.
    public static func random(hasSound: Bool, _ pictures: PictureFormat? = nil) -> StreamOffer {
        // Senders of Google take these numbers.
        let sound = Stream(
            source: .random(in: 1...500_000), payloadType: StreamFormat.sound.payloadType, cipher: FrameCipher())
        let moving = Stream(
            index: hasSound ? 1 : 0, source: .random(in: 500_001...1_000_000),
            payloadType: StreamFormat.pictures.payloadType, cipher: FrameCipher())
        return StreamOffer(
            number: .random(in: 1...1_000_000), sound: hasSound ? sound : nil, pictures: pictures.map { _ in moving },
            pictures)
    }

    /// The fields of the message, apart from its type.
    public var fields: [String: JSON] {
        let streams =
            [sound.map(soundFields)] + [pictures.flatMap { stream in pictureFormat.map { fields(stream, $0) } }]
        return [
            "seqNum": .number(Double(number)),
            "offer": [
                "castMode": "mirroring", "supportedStreams": .array(streams.compactMap(\.self).map(JSON.object)),
            ],
        ]
    }

    private func soundFields(_ stream: Stream) -> [String: JSON] {
        stream.fields(delay: delay).merging([
            "type": "audio_source", "codecName": "opus", "timeBase": .string("1/\(StreamFormat.sound.rate)"),
            "channels": .number(Double(AudioFormat.channels)), "bitRate": .number(Double(AudioFormat.bitrate)),
        ]) { $1 }
    }

    private func fields(_ stream: Stream, _ format: PictureFormat) -> [String: JSON] {
        stream.fields(delay: delay).merging(format.fields) { $1 }
    }
}

extension StreamOffer.Stream {
    fileprivate func fields(delay: Double) -> [String: JSON] {
        [
            "index": .number(Double(index)), "rtpProfile": "cast", "rtpPayloadType": .number(Double(payloadType)),
            "ssrc": .number(Double(source)), "targetDelay": .number((delay * 1000).rounded()),
            "aesKey": .string(Self.text(cipher.key)), "aesIvMask": .string(Self.text(cipher.mask)),
        ]
    }

    private static func text(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}

/// A receiver's answer to an offer.
public enum StreamAnswer: Sendable, Hashable {
    /// - Parameters:
    ///   - port: The UDP port of the receiver, for all streams.
    ///   - receivers: The receiver's numbers of the streams that it takes, by their position in the offer.
    ///   - limits: Of the pictures.
    case accepted(port: UInt16, receivers: [Int: UInt32], limits: PictureLimits = PictureLimits())
    /// - Parameter reason: The receiver's words; `nil` if it gives none.
    case refused(reason: String?)

    public init(_ json: JSON) {
        let answer = json["answer"]
        let pairs = zip(answer?["sendIndexes"]?.array ?? [], answer?["ssrcs"]?.array ?? []).compactMap {
            index, number in
            index.integer.flatMap { index in number.integer.flatMap { UInt32(exactly: $0) }.map { (index, $0) } }
        }
        guard json["result"]?.string == "ok", !pairs.isEmpty,
            let port = answer?["udpPort"]?.integer.flatMap({ UInt16(exactly: $0) }), port > 0
        else {
            self = .refused(reason: json["error"]?["description"]?.string)
            return
        }
        self = .accepted(
            port: port, receivers: Dictionary(pairs) { first, _ in first },
            limits: PictureLimits(answer?["constraints"]?["video"]))
    }
}
