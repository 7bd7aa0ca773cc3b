import JSONValues
import Testing

@testable import CastStreaming

@Suite struct StreamOfferTests {
    private static let hd = PictureFormat(width: 1280, height: 720, rate: 30)

    @Test func anOfferOfSoundIsUnderstood() throws {
        let offer = StreamOffer.random(hasSound: true)
        #expect(try #require(StreamOffer(.object(offer.fields))) == offer)
        #expect(offer.sound?.index == 0 && offer.pictures == nil)
    }

    @Test(arguments: [true, false]) func anOfferOfPicturesIsUnderstood(_ hasSound: Bool) throws {
        var offer = StreamOffer.random(hasSound: hasSound, Self.hd)
        offer.delay = 0.2
        #expect(try #require(StreamOffer(.object(offer.fields))) == offer)
        #expect(offer.pictures?.index == (hasSound ? 1 : 0) && offer.pictures?.payloadType == 96)
        #expect(offer.sound?.source != offer.pictures?.source)
        let stream = offer.fields["offer"]?["supportedStreams"]?.array?.last
        #expect(stream?["codecName"] == "h264" && stream?["timeBase"] == "1/90000" && stream?["targetDelay"] == 200)
        #expect(stream?["codecParameter"] == "avc1.4D001F" && stream?["profile"] == "main" && stream?["level"] == "3.1")
    }

    /// Source: ITU-T H.264, table A-1.
    @Test(arguments: [
        (1280, 720, 30, 31), (1280, 720, 60, 32), (1920, 1080, 30, 40), (1920, 1080, 60, 42), (3840, 2160, 30, 51),
    ])
    func theLevelHoldsThePictures(_ width: Int, _ height: Int, _ rate: Int, _ level: Int) {
        #expect(PictureFormat(width: width, height: height, rate: rate).level == level)
    }

    /// As Chromium offers it: VP8 before others, and a fraction of two numbers for the rate.
    @Test func theFirstSupportedStreamsAreTaken() throws {
        func stream(_ type: String, _ codec: String, _ index: Int) -> JSON {
            [
                "index": .number(Double(index)), "type": .string(type), "codecName": .string(codec), "channels": 2,
                "ssrc": .number(Double(100 + index)), "rtpPayloadType": 127, "maxFrameRate": "30000/1001",
                "timeBase": type == "audio_source" ? "1/48000" : "1/90000", "targetDelay": 400,
                "aesKey": "000102030405060708090a0b0c0d0e0f", "aesIvMask": "000102030405060708090a0b0c0d0e0f",
            ]
        }
        let streams = [
            stream("audio_source", "aac", 0), stream("audio_source", "opus", 1), stream("video_source", "av1", 2),
            stream("video_source", "vp8", 3), stream("video_source", "h264", 4),
        ]
        let offer = try #require(StreamOffer(["seqNum": 1, "offer": ["supportedStreams": .array(streams)]]))
        #expect(offer.sound?.index == 1 && offer.pictures?.index == 3)
        #expect(offer.pictureFormat == PictureFormat(codec: .vp8, width: 1280, height: 720, rate: 30))
    }

    @Test func whatCannotBeStreamedIsNoOffer() {
        #expect(StreamOffer(["seqNum": 1, "offer": ["supportedStreams": [["type": "audio_source"]]]]) == nil)
        #expect(StreamOffer(["seqNum": 1, "offer": ["supportedStreams": [["type": "video_source"]]]]) == nil)
        #expect(StreamOffer(["offer": [:]]) == nil)
    }

    /// Devices of Google name one or the other.
    @Test(
        arguments: [
            (
                ["maxDimensions": ["width": 1280, "height": 720, "frameRate": "30000/1001"]], nil,
                "1280x720 and 30 pictures a second"
            ),
            (
                ["maxDimensions": ["width": 1920, "height": 1080, "frameRate": "30"]], nil,
                "1920x1080 and 30 pictures a second"
            ),
            (["maxDimensions": ["width": 1920, "height": 1080, "frameRate": 60]], nil, nil),
            (["maxPixelsPerSecond": 62_208_000], nil, "30 pictures a second of 1920x1080"),
            (
                ["maxPixelsPerSecond": 20_000_000], "21 pictures a second of 1280x720",
                "9 pictures a second of 1920x1080"
            ),
            (
                ["maxDimensions": ["width": 0, "height": -1, "frameRate": "1/0"], "maxPixelsPerSecond": "many"], nil,
                nil
            ),
            (["maxDimensions": ["width": 640, "height": 360, "frameRate": .number(1e300)]], "640x360", "640x360"),
            (["maxDimensions": ["width": 640]], nil, nil),
            (["maxDimensions": "x"], nil, nil), (nil, nil, nil),
        ] as [(JSON?, String?, String?)])
    func theLimitsOfAReceiverAreNamed(_ video: JSON?, _ hd: String?, _ fullHD: String?) {
        let answer: JSON = [
            "result": "ok",
            "answer": [
                "udpPort": 1, "sendIndexes": [0], "ssrcs": [1], "constraints": video.map { ["video": $0] } ?? [:],
            ],
        ]
        guard case .accepted(_, _, let limits) = StreamAnswer(answer) else {
            Issue.record("refused")
            return
        }
        #expect(limits.excess(of: Self.hd) == hd)
        #expect(limits.excess(of: PictureFormat(width: 1920, height: 1080, rate: 60)) == fullHD)
    }

    @Test func anAnswerIsUnderstood() {
        let answer = StreamAnswer.accepted(port: 40_000, receivers: [0: 346, 1: 347])
        #expect(StreamAnswer(.object(answer.fields(to: 12))) == answer)
        let refusal = StreamAnswer.refused(reason: "no")
        #expect(StreamAnswer(.object(refusal.fields(to: 12))) == refusal)
        #expect(StreamAnswer(["result": "ok"]) == .refused(reason: nil))
        let none: JSON = ["result": "ok", "answer": ["udpPort": 1, "sendIndexes": [], "ssrcs": []]]
        #expect(StreamAnswer(none) == .refused(reason: nil))
        // More indexes than numbers, and an index twice.
        let odd: JSON = ["result": "ok", "answer": ["udpPort": 1, "sendIndexes": [1, 1, 0], "ssrcs": [5, 6]]]
        #expect(StreamAnswer(odd) == .accepted(port: 1, receivers: [1: 5]))
    }
}
