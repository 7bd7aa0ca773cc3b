extension ControlPacket {
    public var encoded: [UInt8] {
        switch self {
        case .senderReport(let report): return Self.encode(200, 0, report.content)
        case .receiverReport(let receiver, let blocks):
            var content: [UInt8] = []
            content.append(bigEndian: receiver)
            let blocks = blocks.prefix(31)
            return Self.encode(201, UInt8(blocks.count), content + blocks.flatMap(\.content))
        case .referenceTime(let receiver, let time):
            var content: [UInt8] = []
            content.append(bigEndian: receiver)
            content += [4, 0, 0, 2]
            content.append(bigEndian: time.bits)
            return Self.encode(207, 0, content)
        case .feedback(let feedback): return Self.encode(206, Self.feedbackSubtype, feedback.content)
        case .pictureLoss(let receiver, let source):
            var content: [UInt8] = []
            for number in [receiver, source] { content.append(bigEndian: number) }
            return Self.encode(206, Self.pictureLossSubtype, content)
        case .other(let type): return Self.encode(type, 0, [])
        }
    }
}

extension SenderReport {
    init(_ content: inout ByteReader) throws(StreamingError) {
        self.init(
            source: try content.number(), time: NetworkTime(bits: try content.number()),
            timestamp: try content.number(), packets: try content.number(), bytes: try content.number())
    }
}

extension ReportBlock {
    var content: [UInt8] {
        var bytes: [UInt8] = []
        for number in [
            source, UInt32(fractionLost) << 24 | min(lost, 0xFF_FFFF), highestSequenceNumber, jitter, lastReport, delay,
        ] { bytes.append(bigEndian: number) }
        return bytes
    }
}

extension StreamFeedback {
    var content: [UInt8] {
        var bytes: [UInt8] = []
        for number in [receiver, source, Self.name] { bytes.append(bigEndian: number) }
        let losses = losses.prefix(255)
        bytes += [checkpoint, UInt8(losses.count)]
        bytes.append(bigEndian: delay)
        for loss in losses {
            bytes.append(loss.frame)
            bytes.append(bigEndian: loss.packet)
            bytes.append(loss.following)
        }
        var bits = [UInt8](repeating: 0, count: 2)
        for bit in complete.map({ $0 - 2 }) where bit >= 0 && bit < 254 * 8 {
            while bit / 8 >= bits.count { bits += [0, 0, 0, 0] }
            bits[bit / 8] |= 1 << UInt8(bit % 8)
        }
        bytes.append(bigEndian: Self.secondName)
        return bytes + [count, UInt8(bits.count)] + bits
    }
}

extension NetworkTime {
    public var seconds: Double { Double(bits >> 32) + Double(bits & 0xFFFF_FFFF) / 4_294_967_296 }
}
