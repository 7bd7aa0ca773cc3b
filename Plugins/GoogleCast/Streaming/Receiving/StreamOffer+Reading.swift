import Foundation
public import JSONValues

extension StreamOffer {
    /// Creates an offer from a message, with the first sound and the first pictures that are supported.
    ///
    /// - Returns: `nil` if there is neither.
    public init?(_ json: JSON) {
        let streams = json["offer"]?["supportedStreams"]?.array ?? []
        guard let number = json["seqNum"]?.integer else { return nil }
        let sound = streams.first {
            $0["type"]?.string == "audio_source" && $0["codecName"]?.string == "opus" && $0["channels"]?.integer == 2
                && $0["timeBase"]?.string == "1/\(StreamFormat.sound.rate)" && Stream($0) != nil
        }
        let pictures = streams.first { PictureFormat($0) != nil && Stream($0) != nil }
        guard let offered = sound ?? pictures else {
            return nil
        }
        self.init(
            number: number, sound: sound.flatMap(Stream.init), pictures: pictures.flatMap(Stream.init),
            pictures.flatMap(PictureFormat.init))
        self.delay = Double(max(1, min(offered["targetDelay"]?.integer ?? 400, 5000))) / 1000
    }
}

extension StreamOffer.Stream {
    fileprivate init?(_ stream: JSON) {
        guard let index = stream["index"]?.integer,
            let source = stream["ssrc"]?.integer.flatMap({ UInt32(exactly: $0) }),
            let type = stream["rtpPayloadType"]?.integer, 96...127 ~= type,
            let cipher = FrameCipher(
                key: Self.bytes(stream["aesKey"]?.string), mask: Self.bytes(stream["aesIvMask"]?.string))
        else { return nil }
        self.init(index: index, source: source, payloadType: UInt8(type), cipher: cipher)
    }

    private static func bytes(_ text: String?) -> [UInt8] {
        let digits = Array(text ?? "").prefix(64).map(\.hexDigitValue)
        guard digits.count.isMultiple(of: 2), !digits.contains(nil) else { return [] }
        return stride(from: 0, to: digits.count, by: 2).map {
            UInt8((digits[$0] ?? 0) << 4 | (digits[$0 + 1] ?? 0))
        }
    }
}

extension PictureFormat {
    /// - Returns: `nil` for streams of sound, and of other codecs.
    fileprivate init?(_ stream: JSON) {
        guard stream["type"]?.string == "video_source",
            let codec = stream["codecName"]?.string.flatMap({ Codec(rawValue: $0) }),
            stream["timeBase"]?.string == "1/\(StreamFormat.pictures.rate)"
        else { return nil }
        let size = stream["resolutions"]?.array?.first
        let rate = stream["maxFrameRate"].flatMap(FrameRate.init)?.value ?? 30
        self.init(
            codec: codec, width: max(16, min(size?["width"]?.integer ?? 1280, 7680)),
            height: max(16, min(size?["height"]?.integer ?? 720, 4320)), rate: Int(max(1, min(rate, 240)).rounded()))
    }
}

extension StreamAnswer {
    /// Returns the fields of the message, apart from its type.
    public func fields(to number: Int) -> [String: JSON] {
        switch self {
        case .accepted(let port, let receivers, _):
            let streams = receivers.sorted { $0.key < $1.key }
            return [
                "seqNum": .number(Double(number)), "result": "ok",
                "answer": [
                    "udpPort": .number(Double(port)),
                    "sendIndexes": .array(streams.map { .number(Double($0.key)) }),
                    "ssrcs": .array(streams.map { .number(Double($0.value)) }), "castMode": "mirroring",
                ],
            ]
        case .refused(let reason):
            return [
                "seqNum": .number(Double(number)), "result": "error",
                "error": ["code": 1, "description": .string(reason ?? "")],
            ]
        }
    }
}
