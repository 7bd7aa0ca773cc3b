import Testing

@testable import CastStreaming

/// Messages about a stream, against those of openscreen.
@Suite struct ControlPacketTests {
    private func packets(_ name: String) throws -> [ControlPacket] {
        try ControlPacket.all(in: try OpenscreenPackets.named("compound_rtcp_parser/" + name))
    }

    private func feedback(_ name: String) throws -> StreamFeedback {
        let found = try packets(name).compactMap { if case .feedback(let feedback) = $0 { feedback } else { nil } }
        return try #require(found.first)
    }

    @Test func aReceiverReportIsRead() throws {
        #expect(
            try packets("receiver_report_with_report_block") == [
                .receiverReport(
                    receiver: 2,
                    [
                        ReportBlock(
                            source: 1, fractionLost: 5, lost: 0x010203, highestSequenceNumber: 0x0909_0902,
                            jitter: 170, lastReport: 0x0B0C_8FED, delay: 65_536)
                    ])
            ])
        #expect(
            try packets("receiver_report_without_report_block") == [.receiverReport(receiver: 2, [])])
    }

    @Test func aFeedbackNamesWhatIsMissing() throws {
        let feedback = try feedback("feedback_with_nacks")
        #expect(feedback.receiver == 2 && feedback.source == 1 && !feedback.losses.isEmpty)
        let all = feedback.losses.filter { $0.packet == StreamFeedback.Loss.all }
        #expect(all.allSatisfy { $0.packets.isEmpty })
        #expect(feedback.losses.filter { !all.contains($0) }.allSatisfy { $0.packets.first == $0.packet })
    }

    @Test func framesBeyondTheCheckpointAreAcknowledged() throws {
        let feedback = try feedback("feedback_with_zero_nacks_and_many_acks")
        #expect(feedback.losses.isEmpty && feedback.complete.count > 1 && feedback.complete.allSatisfy { $0 >= 2 })
    }

    /// The packets that openscreen wrote are rewritten bit for bit.
    @Test(arguments: [
        "builder_basics", "builder_including_receiver_report_block",
        "builder_with_lots_of_nacks_and_some_acks", "builder_with_multiple_acks", "builder_with_nack_mix",
        "builder_with_one_ack",
    ])
    func messagesOfOpenscreenAreWrittenAlike(_ name: String) throws {
        let bytes = try OpenscreenPackets.named("compound_rtcp_parser/" + name)
        #expect(try ControlPacket.all(in: bytes).flatMap(\.encoded) == bytes)
    }

    /// Its acknowledgements had no room any more.
    @Test func aFullFeedbackIsRead() throws {
        let full = try feedback("builder_with_lots_of_nacks")
        #expect(full.losses.count > 40 && full.complete.isEmpty && Set(full.losses).count == full.losses.count)
    }

    @Test func aSenderReportIsReadAndWritten() throws {
        let bytes = try OpenscreenPackets.named("sender_report_parser/sender_report_without_report_block")
        let packets = try ControlPacket.all(in: bytes)
        guard case .senderReport(let report)? = packets.first else {
            Issue.record("\(packets)")
            return
        }
        #expect(packets.count == 1 && report.encoded == bytes)
    }

    @Test func damagedMessagesAreRefused() throws {
        #expect(throws: StreamingError.malformed) { try ControlPacket.all(in: [0x42, 0x61, 0, 0]) }
        #expect(throws: StreamingError.truncated) { try ControlPacket.all(in: [0x80, 201, 0, 2, 0, 0, 0, 2]) }
        #expect(throws: StreamingError.truncated) { try ControlPacket.all(in: [0x81, 201, 0, 1, 0, 0, 0, 2]) }
    }

    @Test func timesSurvive() {
        let time = NetworkTime(seconds: 3_900_000_000.25)
        #expect(time.bits == 3_900_000_000 << 32 | 1 << 30 && time.seconds == 3_900_000_000.25)
        #expect(time.middle == UInt32(truncatingIfNeeded: time.bits >> 16))
    }

    @Test func numbersOfFramesAreCompleted() {
        #expect(FrameNumbers.after(-1, 0) == 0 && FrameNumbers.after(255, 0) == 256)
        #expect(FrameNumbers.after(300, 44) == 556 && FrameNumbers.after(300, 45) == 301)
        #expect(FrameNumbers.notAfter(300, 44) == 300 && FrameNumbers.notAfter(3, 0xFF) == -1)
    }
}
