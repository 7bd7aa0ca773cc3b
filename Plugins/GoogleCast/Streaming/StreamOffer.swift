import Foundation
public import JSONValues

/// The sound that a sender offers to stream.
///
/// Source: Cast Streaming's session protocol.
public struct StreamOffer: Sendable, Hashable {
    public var number: Int
    /// The position of the stream in the offer.
    public var index = 0
    public var source: UInt32
    public var payloadType = AudioFormat.payloadType
    public var cipher: FrameCipher
    /// The seconds between a sample and its playback.
    public var delay = AudioFormat.delay

    public init(number: Int, source: UInt32, cipher: FrameCipher) {
        self.number = number
        self.source = source
        self.cipher = cipher
    }

    /// The fields of the message, apart from its type.
    public var fields: [String: JSON] {
        let stream: JSON = [
            "index": .number(Double(index)), "type": "audio_source", "codecName": "opus", "rtpProfile": "cast",
            "rtpPayloadType": .number(Double(payloadType)), "ssrc": .number(Double(source)),
            "targetDelay": .number((delay * 1000).rounded()), "aesKey": .string(Self.text(cipher.key)),
            "aesIvMask": .string(Self.text(cipher.mask)), "timeBase": .string("1/\(AudioFormat.rate)"),
            "channels": .number(Double(AudioFormat.channels)), "bitRate": .number(Double(AudioFormat.bitrate)),
        ]
        return ["seqNum": .number(Double(number)), "offer": ["castMode": "mirroring", "supportedStreams": [stream]]]
    }

    private static func text(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}

/// A receiver's answer to an offer.
public enum StreamAnswer: Sendable, Hashable {
    /// - Parameters:
    ///   - port: The UDP port of the receiver.
    ///   - receiver: The receiver's number of the stream.
    case accepted(port: UInt16, receiver: UInt32)
    /// - Parameter reason: The receiver's words; `nil` if it gives none.
    case refused(reason: String?)

    /// Creates the answer to the stream with an index.
    public init(_ json: JSON, index: Int = 0) {
        let answer = json["answer"]
        let place = answer?["sendIndexes"]?.array?.firstIndex { $0.integer == index }
        guard json["result"]?.string == "ok", let place, let receivers = answer?["ssrcs"]?.array,
            receivers.indices.contains(place),
            let receiver = receivers[place].integer.flatMap({ UInt32(exactly: $0) }),
            let port = answer?["udpPort"]?.integer.flatMap({ UInt16(exactly: $0) }), port > 0
        else {
            self = .refused(reason: json["error"]?["description"]?.string)
            return
        }
        self = .accepted(port: port, receiver: receiver)
    }
}
