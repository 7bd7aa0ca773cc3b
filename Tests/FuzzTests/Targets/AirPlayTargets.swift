import AirPlayPairing
import AirPlayProtocol
import Foundation

extension FuzzTarget {
    /// A receiver's side of an RTSP connection, in pieces of any size, while this side sends requests with a password.
    static let airplayConnection = FuzzTarget(
        name: "airplay-connection",
        seeds: {
            [
                "RTSP/1.0 200 OK\r\nCSeq: 1\r\nTransport: RTP/AVP/UDP;server_port=6101;control_port=6102\r\n\r\n",
                "RTSP/1.0 401 Unauthorized\r\nCSeq: 1\r\nWWW-Authenticate: Digest realm=\"raop\", nonce=\"abc\"\r\n\r\n"
                    + "RTSP/1.0 200 OK\r\nCSeq: 2\r\n\r\n",
                "RTSP/1.0 200 OK\r\nCSeq: 1\r\nContent-Length: 18\r\n\r\nvolume: -11.250000",
                "HTTP/1.1 403 Forbidden\nCSeq: 1\n\n",
            ].map { Array($0.utf8) }
        },
        words: [
            "RTSP/1.0 ", "200 OK", "401 Unauthorized", "453", "\r\n", "\n\n", "CSeq: 1\r\n", "CSeq: 2\r\n",
            "Content-Length: ", "WWW-Authenticate: Digest ", "realm=\"", "nonce=\"", "qop=\"auth\"", "stale=true",
            "Transport: ", "server_port=", "control_port=", "volume: ", "-144", "1e999",
        ],
        outcomes: ["open", "malformed", "answered"]
    ) { bytes in
        var random = SplitMix64(state: UInt64(bytes.count))
        var machine = RTSPConnectionMachine(password: "p", headers: [:], clientNonce: "0")
        var open: Set<RTSPConnectionMachine.RequestID> = []
        var request: RTSPConnectionMachine.RequestID = 0
        var outcome = "open"
        func perform(_ actions: [RTSPConnectionMachine.Action]) throws {
            for action in actions {
                switch action {
                case .complete(let id, let result):
                    try demand(open.remove(id) != nil, "completed twice or never asked")
                    guard case .success(let response) = result else { continue }
                    outcome = outcome == "open" ? "answered" : outcome
                    let transport = try? StreamTransport(header: response.headers["Transport"] ?? "")
                    try demand((1...65_535).contains(transport?.audio ?? 1), "a port that is none")
                    let level = AirPlayVolume.level(parameter: String(decoding: response.body, as: UTF8.self))
                    try demand((0...1).contains(level ?? 0), "a level of \(level ?? 0)")
                case .close: outcome = "malformed"
                case .send, .expectAnswer, .switched: break
                }
            }
        }
        var rest = bytes[...]
        while !rest.isEmpty, !machine.isClosed {
            request += 1
            open.insert(request)
            try perform(machine.submit(request, RTSPRequest("OPTIONS", "*")))
            let count = min(rest.count, Int.random(in: 1...200, using: &random))
            try perform(machine.received(rest.prefix(count)))
            rest = rest.dropFirst(count)
        }
        let reached = outcome
        try perform(machine.disconnected("the end"))
        try demand(open.isEmpty, "a request without an answer")
        return reached
    }

    /// A request to the sender's remote control: a method, an address and a token, with spaces between.
    static let airplayRemote = FuzzTarget(
        name: "airplay-remote",
        seeds: {
            [
                "GET /ctrl-int/1/pause 7", "POST /ctrl-int/1/setproperty?dmcp.device-volume=-22.500000 7",
                "GET /ctrl-int/1/setproperty?session-id=1&dmcp.volume=40 8", "GET /ctrl-int/1/nextitem 4294967295",
                "GET /ctrl-int/1/playstatusupdate?revision-number=2 7",
            ].map { Array($0.utf8) }
        },
        words: [
            "GET ", "/ctrl-int/1/", "pause", "setproperty", "?", "&", "=", "dmcp.device-volume=", "dmcp.volume=",
            "-144",
            "1e999", "nan", "nextitem", "getproperty", " 7", " 4294967296",
        ],
        outcomes: ["refused", "command", "beyond", "question"]
    ) { bytes in
        let words = String(decoding: bytes, as: UTF8.self).split(separator: " ", omittingEmptySubsequences: false)
            .map(String.init)
        var guests = RemoteGuests<Bool>()
        let token = guests.admit(true, at: "a") { 7 }
        let header = words.last ?? ""
        if guests.guest(header, isFrom: { $0 == "a" }) != nil {
            let digits = Array(header.utf8.drop { $0 == UInt8(ascii: "0") })
            try demand(digits == [UInt8(ascii: "7")] && header.utf8.count <= 10, "a guest by \(header)")
        }
        try demand(token == 7 && guests.guest(header, isFrom: { _ in false }) == nil, "a guest from elsewhere")
        guard words.count > 1, let request = RemoteRequest(method: words[0], uri: words[1]) else { return "refused" }
        switch request {
        case .command(.level(let level)):
            try demand((0...1).contains(level), "a level of \(level)")
            return "command"
        case .command: return "command"
        case .beyond: return "beyond"
        case .question: return "question"
        }
    }

    /// Datagrams of a receiver: it asks for the time, or for lost packets.
    static let airplayDatagrams = FuzzTarget(
        name: "airplay-datagrams",
        seeds: {
            [
                [0x80, 0xD5, 0, 1, 0xFF, 0xFE, 0, 6], [0x80, 0xD2, 0, 7] + [UInt8](repeating: 9, count: 28),
                [0x80, 0xD5, 0, 1, 0xFE, 0, 0xFF, 0xFF],
            ]
        }, outcomes: ["nothing", "time", "packets"]
    ) { bytes in
        var stream = AudioStream(sequenceNumber: 65_000, timestamp: 1, source: 1, latency: 1)
        for _ in 0..<700 { stream.enqueue([1, 2, 3]) }
        stream.start(at: StreamTime(nanoseconds: 0))
        _ = stream.due(at: StreamTime(nanoseconds: 0), ahead: 6)
        var listener = AudioListener()
        listener.listen(delay: 0, latency: 1)
        let packets = listener.receivedControl(bytes, of: stream)
        try demand(packets.count <= 1024, "\(packets.count) packets at once")
        let time = StreamTime(nanoseconds: 1)
        let answer = listener.receivedTiming(bytes, at: time, now: time)
        try demand(answer.map { $0.count == 32 } ?? true, "an answer of another length")
        let quality = listener.quality(of: stream)
        try demand(quality.packetsMissing >= 0, "more sent again than lost")
        return packets.isEmpty ? answer == nil ? "nothing" : "time" : "packets"
    }

    /// The messages of a pairing, as the device's answers.
    static let airplayPairing = FuzzTarget(
        name: "airplay-pairing",
        seeds: {
            [
                [6, 1, 2, 7, 1, 3, 8, 2, 0x2C, 1], [6, 1, 4],
                TaggedValues([(.state, [2]), (.publicKey, [UInt8](repeating: 7, count: 384)), (.salt, [1, 2])]).encoded,
            ]
        }, outcomes: ["malformed", "values", "error"]
    ) { bytes in
        guard let values = try? TaggedValues(bytes) else { return "malformed" }
        try demand((try? TaggedValues(values.encoded))?.encoded == values.encoded, "other values when read again")
        guard let error = PairingError(values) else { return "values" }
        if case .backOff(let seconds?) = error { try demand(seconds >= 0, "a wait of \(seconds) s") }
        try demand(!error.sentence.isEmpty, "an error without words")
        return "error"
    }

    /// An answer of the older pairing: a binary property list.
    static let airplayPropertyList = FuzzTarget(
        name: "airplay-property-list",
        seeds: {
            [
                try PairingPropertyList.encoded(["pk": Data(repeating: 7, count: 256), "salt": Data([1, 2])]),
                try PairingPropertyList.encoded(["method": "pin", "user": "75FBEEC773CFC563"]),
            ]
        }, outcomes: ["malformed", "key", "values"]
    ) { bytes in
        guard let values = try? PairingPropertyList(bytes) else { return "malformed" }
        try demand(bytes.count <= PairingPropertyList.limit, "a list of \(bytes.count) bytes")
        return values["pk"] == nil ? "values" : "key"
    }

    /// The frames of an encrypted connection; the first is valid.
    static let airplayChannel = FuzzTarget(
        name: "airplay-channel",
        seeds: {
            var sender = EncryptedChannel(channelKeys)
            let first = try sender.seal(Array("RTSP/1.0 200 OK\r\n\r\n".utf8))
            return [first, first + (try sender.seal([UInt8](repeating: 1, count: 1500))), [0xFF, 0xFF], [0, 0]]
        }, outcomes: ["refused", "plain", "waiting"]
    ) { bytes in
        var receiver = EncryptedChannel(channelKeys.reversed)
        var plain: [UInt8] = []
        for byte in bytes {
            guard let opened = try? receiver.open([byte]) else { return "refused" }
            plain += opened
        }
        try demand(plain.count <= bytes.count, "more than there was")
        return plain.isEmpty ? "waiting" : "plain"
    }

    /// A series of a receiver's playback reports.
    static let airplayPlayback = FuzzTarget(
        name: "airplay-playback",
        words: [
            "<dict>", "</dict>", "<array>", "</array>", "<key>", "</key>", "<real>", "</real>", "<true/>", "<false/>",
            "<integer>", "duration", "position", "rate", "readyToPlay", "error", "code", "nan", "1e999", "-1",
        ], outcomes: ["malformed", "nothing", "playing"], usualRuns: 1_000
    ) { bytes in
        guard let information = try? PlaybackInformation(bytes) else { return "malformed" }
        var tracker = VideoTracker(now: 0)
        for time in 1...3 {
            tracker.apply(information, at: Double(time))
            let place = tracker.place(at: Double(time))
            try demand(place.isFinite && place >= 0, "at \(place) s")
            try demand(place <= tracker.duration ?? .infinity, "\(place) s is beyond the end")
            tracker.commanded(isPlaying: time % 2 == 0, at: Double(time))
        }
        return information.isReady ? "playing" : "nothing"
    }

    /// A connection on which a receiver sends requests, in pieces of any size; the playback gets its events.
    static let airplayEvent = FuzzTarget(
        name: "airplay-event",
        words: [
            "POST ", "GET ", "/event", "/event?", " HTTP/1.1\r\n", " RTSP/1.0\r\n", "\r\n", "\n\n", "Content-Length: ",
            "Content-Length: 65537\r\n", "X-Apple-Session-ID: ", "CSeq: 1\r\n", "<dict>", "</dict>", "<key>", "</key>",
            "<string>", "</string>", "category", "video", "state", "loading", "playing", "paused", "stopped", "error",
            "code", "<real>1e999</real>",
        ], outcomes: ["waiting", "malformed", "refused", "event"], usualRuns: 1_000
    ) { bytes in
        var random = SplitMix64(state: UInt64(bytes.count))
        var (machine, whole) = (ReverseConnectionMachine(), ReverseConnectionMachine())
        var actions: [ReverseConnectionMachine.Action] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = min(rest.count, Int.random(in: 1...200, using: &random))
            actions += machine.received(rest.prefix(count))
            rest = rest.dropFirst(count)
        }
        try demand(actions == whole.received(bytes), "something else where it is cut")
        var outcome = "waiting"
        var tracker = VideoTracker(now: 0, isAdopted: true)
        for (index, action) in actions.enumerated() {
            switch action {
            case .send(let answer):
                let isSuccess = answer.starts(with: "HTTP/1.1 200 ".utf8) || answer.starts(with: "RTSP/1.0 200 ".utf8)
                outcome = isSuccess ? outcome : "refused"
            case .event(let event):
                try demand(index > 0, "an event without an answer")
                outcome = "event"
                tracker.told(event, at: Double(index))
                tracker.apply(PlaybackInformation(duration: 100, position: 1, rate: 1), at: Double(index))
                let delay = tracker.delay(at: Double(index), usual: 1, rare: 3)
                try demand((0.25...3).contains(delay), "\(delay) s until it is asked")
            case .close:
                try demand(index == actions.count - 1 && machine.isClosed, "something after the end")
                outcome = "malformed"
            }
        }
        return outcome
    }

    private static let channelKeys = ChannelKeys(
        sending: [UInt8](repeating: 1, count: 32), receiving: [UInt8](repeating: 2, count: 32))
}
