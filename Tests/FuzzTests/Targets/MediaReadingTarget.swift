import MediaReading

extension FuzzTarget {
    /// Packets of a program that decodes what servers send, and orders of an extension.
    static let mediaReading = FuzzTarget(
        name: "media-reading", seeds: { readerPackets.map(\.bytes) + readerOrders.map(\.bytes) },
        words: ["duration", "title", "isSeekable", "picture", "contentType", "image/png", "unreadable", "_0"],
        outcomes: ["refused", "picture", "facts", "samples", "end", "failure", "order"]
    ) { bytes in
        if let order = ReaderOrder(bytes) {
            try demand(order.bytes == bytes, "another order when written")
            if case .open(let rate) = order { try demand(ReaderOrder.rates.contains(rate), "the rate \(rate)") }
            return "order"
        }
        guard let packet = ReaderPacket(bytes[...]) else { return "refused" }
        try demand(bytes.count <= ReaderPacket.longest, "a packet of \(bytes.count) bytes")
        switch packet {
        case .picture: return "picture"
        case .facts(let facts):
            try demand(facts.duration.map { $0.isFinite && $0 > 0 } ?? true, "the duration \(facts.duration ?? 0)")
            return "facts"
        case .samples(let samples, _):
            try demand(!samples.isEmpty && samples.count.isMultiple(of: 2), "half a frame")
            try demand(packet.bytes == bytes, "other samples when written")
            return "samples"
        case .end: return "end"
        case .failure: return "failure"
        }
    }

    private static var readerPackets: [ReaderPacket] {
        let facts = MediaFacts(
            duration: 12.5, title: "Song", picture: MediaFacts.Picture(contentType: "image/png", bytes: []),
            isSeekable: true)
        return [
            .picture([1, 2]), .facts(facts), .facts(MediaFacts(isSeekable: false)),
            .samples([1, -1, 2, -2], generation: 1), .end(generation: 2), .failure(.noAudio, generation: 3),
            .failure(.untrusted("nas.local:443"), generation: 4),
        ]
    }

    private static var readerOrders: [ReaderOrder] { [.open(rate: 44_100), .seek(frame: 1 << 40, generation: 9)] }
}
