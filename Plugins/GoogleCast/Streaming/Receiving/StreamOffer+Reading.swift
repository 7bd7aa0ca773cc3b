public import JSONValues

extension StreamOffer {
    /// Creates the offer of stereo Opus in a message; `nil` if it has none.
    public init?(_ json: JSON) {
        let streams = json["offer"]?["supportedStreams"]?.array ?? []
        let stream = streams.first {
            $0["type"]?.string == "audio_source" && $0["codecName"]?.string == "opus" && $0["channels"]?.integer == 2
                && $0["timeBase"]?.string == "1/\(AudioFormat.rate)"
        }
        guard let stream, let number = json["seqNum"]?.integer, let index = stream["index"]?.integer,
            let source = stream["ssrc"]?.integer.flatMap({ UInt32(exactly: $0) }),
            let type = stream["rtpPayloadType"]?.integer, 96...127 ~= type,
            let cipher = FrameCipher(
                key: Self.bytes(stream["aesKey"]?.string), mask: Self.bytes(stream["aesIvMask"]?.string))
        else { return nil }
        self.init(number: number, source: source, cipher: cipher)
        self.index = index
        payloadType = UInt8(type)
        let milliseconds = stream["targetDelay"]?.integer ?? 400
        delay = Double(max(1, min(milliseconds, 5000))) / 1000
    }

    private static func bytes(_ text: String?) -> [UInt8] {
        let digits = Array(text ?? "").prefix(64).map(\.hexDigitValue)
        guard digits.count.isMultiple(of: 2), !digits.contains(nil) else { return [] }
        return stride(from: 0, to: digits.count, by: 2).map {
            UInt8((digits[$0] ?? 0) << 4 | (digits[$0 + 1] ?? 0))
        }
    }
}

extension StreamAnswer {
    /// Returns the fields of the message, apart from its type.
    public func fields(to number: Int, index: Int) -> [String: JSON] {
        switch self {
        case .accepted(let port, let receiver):
            [
                "seqNum": .number(Double(number)), "result": "ok",
                "answer": [
                    "udpPort": .number(Double(port)), "sendIndexes": [.number(Double(index))],
                    "ssrcs": [.number(Double(receiver))], "castMode": "mirroring",
                ],
            ]
        case .refused(let reason):
            [
                "seqNum": .number(Double(number)), "result": "error",
                "error": ["code": 1, "description": .string(reason ?? "")],
            ]
        }
    }
}
