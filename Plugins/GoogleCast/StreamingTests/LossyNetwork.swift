@testable import CastStreaming

/// A sender and a receiver on a simulated network, by a clock of its own.
struct LossyNetwork {
    private(set) var sender: StreamSender
    private(set) var receiver: StreamReceiver
    private(set) var now = 1000.0
    /// The frames that were played, and the time at which each was due.
    private(set) var played: [(content: [UInt8], due: Double)] = []
    private(set) var lost = 0
    /// The requests of the receiver for a key frame.
    private(set) var keyFrameRequests = 0
    private(set) var most = 0
    /// The part of the datagrams that gets lost, `0...1`.
    var loss: Double
    /// The seconds that a datagram takes.
    private let transit: Double
    private var chance: UInt64 = 42
    private var onTheWay: [(arrival: Double, bytes: [UInt8], isToReceiver: Bool)] = []

    init(_ format: StreamFormat = .sound, loss: Double, transit: Double = 0.003) {
        self.loss = loss
        self.transit = transit
        let cipher = FrameCipher()
        sender = StreamSender(format, source: 7, receiver: 8, cipher: cipher, now: now, epoch: 3_000_000_000)
        receiver = StreamReceiver(format, source: 7, receiver: 8, cipher: cipher, now: now)
    }

    /// Sends a frame whose first sample is of now.
    mutating func send(_ frame: [UInt8], isKey: Bool = true) {
        put(sender.send(frame, isKey: isKey, from: now, at: now), isToReceiver: true)
        most = max(most, sender.inFlight)
    }

    mutating func run(for seconds: Double) {
        let end = now + seconds
        while now < end - 1e-9 {
            now = min(end, now + 0.001)
            let arrived = onTheWay.filter { $0.arrival <= now }
            onTheWay.removeAll { $0.arrival <= now }
            for datagram in arrived {
                if datagram.isToReceiver {
                    perform(receiver.received(datagram.bytes, at: now))
                } else {
                    put(sender.received(datagram.bytes, at: now), isToReceiver: true)
                }
            }
            put(sender.tick(at: now), isToReceiver: true)
            if sender.takeKeyFrameRequest() { keyFrameRequests += 1 }
            if now >= receiver.nextWake { perform(receiver.tick(at: now)) }
        }
    }

    private mutating func perform(_ outputs: [StreamReceiver.Output]) {
        for output in outputs {
            switch output {
            case .send(let bytes): put([bytes], isToReceiver: false)
            case .play(_, let content, _, let due, _): played.append((content, due))
            case .lost: lost += 1
            }
        }
    }

    private mutating func put(_ datagrams: [[UInt8]], isToReceiver: Bool) {
        for bytes in datagrams {
            chance = chance &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            guard Double(chance >> 33) / Double(1 << 31) >= loss else { continue }
            onTheWay.append((now + transit, bytes, isToReceiver))
        }
    }
}
