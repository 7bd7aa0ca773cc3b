import Foundation
import SoundFeed
import Testing

@testable import PulseAudio

/// The server's side of a tunnel, with what PulseAudio's module sends.
@Suite struct TunnelSessionTests {
    private static let now = TunnelTime(seconds: 100, microseconds: 5)
    private var session = TunnelSession()

    private func take(_ session: inout TunnelSession, _ bytes: [UInt8]) throws -> [TunnelSession.Event] {
        try session.take(bytes, now: Self.now, wait: 0.02)
    }

    private func frame(
        _ command: TunnelCommand, tag: UInt32 = 7, _ fill: (inout TunnelWriter) -> Void = { _ in }
    ) -> [UInt8] {
        var writer = TunnelWriter(command, tag: tag)
        fill(&writer)
        return TunnelFrames.frame(writer)
    }

    private func create(rate: Int = 44_100) -> [UInt8] {
        frame(.createPlaybackStream) {
            $0.put("Sink for ann@host")
            $0.putFormat(rate: rate)
            $0.putChannels()
            $0.put(.max)
            $0.put("a")
            $0.put(.max)
            $0.put(false)
        }
    }

    private func samples(_ count: Int) -> [UInt8] {
        var head: [UInt8] = []
        for word in [UInt32(count), 0, 0, 0, 0] { withUnsafeBytes(of: word.bigEndian) { head += Array($0) } }
        return head + (0..<count).map { UInt8(truncatingIfNeeded: $0) }
    }

    /// Has the session made a stream, and all that it requested.
    private func begin(_ session: inout TunnelSession) throws {
        _ = try take(&session, create())
        _ = session.requestSilence()
        _ = try take(&session, samples(4))
        for _ in 0..<5 { _ = try take(&session, samples(44_100 * 4)) }
    }

    /// The values of the only answer.
    private func answer(_ events: [TunnelSession.Event]) throws -> TunnelReader {
        guard case .send(let bytes)? = events.first else { throw TunnelFailure("no answer") }
        var frames = TunnelFrames()
        let read = try frames.take(bytes)
        guard case .command(let body)? = read.first, read.count == 1 else { throw TunnelFailure("no command") }
        var reader = TunnelReader(body)
        let command = try reader.number()
        #expect(command == TunnelCommand.reply.rawValue)
        let tag = try reader.number()
        #expect(tag == 7)
        return reader
    }

    @Test mutating func aSinkIsMadeAndAskedForSamples() throws {
        var version = try answer(take(&session, frame(.authenticate) { $0.put(35) }))
        #expect(try version.number() == 11)
        #expect(session.request().isEmpty, "there is no stream yet")
        let created = try take(&session, create())
        #expect(created.last == .begun)
        var stream = try answer(created)
        let numbers = try (0..<7).map { _ in try stream.number() }
        #expect(numbers[2] == 4, "a frame, as nothing ends PulseAudio")
        _ = try take(&session, samples(4))
        #expect(session.outstanding == 0)
        let silence = session.requestSilence()
        #expect(silence.count == 1 && session.outstanding == 5 * 44_100 * 4)
        for _ in 0..<5 { _ = try take(&session, samples(44_100 * 4)) }
        #expect(session.outstanding == 0)
        _ = session.request()
        #expect(session.outstanding == 4096)
        // Byte by byte, as a socket may deliver.
        let sent = samples(4096)
        var events: [TunnelSession.Event] = []
        for byte in sent { events += try take(&session, [byte]) }
        #expect(events == [.samples(sent[20...])])
        #expect(session.outstanding == 0)
        let requested = session.request()
        #expect(requested.count == 1 && session.outstanding == 4096)
    }

    @Test mutating func theDelayAndTheLevelAreTold() throws {
        _ = session.show(level: 0.25, isMuted: false, delay: 2.2)
        _ = try take(&session, create())
        var latency = try answer(
            take(
                &session,
                frame(.readLatency) {
                    $0.put(0)
                    $0.put(TunnelTime(seconds: 99, microseconds: 3))
                }))
        #expect(try latency.microseconds() == 2_220_000, "of the next block, which is requested in 20 ms")
        var info = try answer(take(&session, frame(.readStream) { $0.put(0) }))
        _ = try info.number()
        _ = try info.string()
        for _ in 0..<3 { _ = try info.number() }
        _ = try info.format()
        #expect(try info.channels() == [1, 2])
        #expect(try info.volume() == 16_384)
        let same = session.show(level: 0.25, isMuted: false, delay: 2.2)
        #expect(same.isEmpty)
        let changed = session.show(level: 0.5, isMuted: true, delay: 1)
        #expect(changed.count == 3, "the level is read again, and the clock starts again")
        _ = session.rest()
        let resting = session.show(level: nil, isMuted: nil, delay: 2)
        #expect(resting.isEmpty, "the clock starts again after the rest")
    }

    @Test mutating func aBlockIsPassedOnAsAWhole() throws {
        try begin(&session)
        _ = session.request()
        var events: [TunnelSession.Event] = []
        for count in [1252, 2840] { events += try take(&session, samples(count)) }
        #expect(events.isEmpty)
        events = try take(&session, samples(4))
        let whole = [1252, 2840, 4].flatMap { samples($0)[20...] }
        #expect(events == [.samples(whole[...])])
    }

    @Test mutating func aLevelIsPassedOnOnce() throws {
        _ = try take(&session, create())
        func volume(_ value: UInt32) -> [UInt8] {
            frame(.setStreamVolume) {
                $0.put(0)
                $0.put(volume: value)
            }
        }
        let quiet = try take(&session, volume(32_768))
        #expect(quiet.last == .level(0.5))
        let again = try take(&session, volume(32_768))
        #expect(again.count == 1)
        let loud = try take(&session, volume(98_304))
        #expect(loud.last == .level(1) && loud.count == 3, "PulseAudio is told that it is 100 %")
        let muted = try take(
            &session,
            frame(.setStreamMuted) {
                $0.put(0)
                $0.put(true)
            })
        #expect(muted.last == .muted(true))
        let level = session.show(level: nil, isMuted: true, delay: 0)
        #expect(level.isEmpty, "a device without a level of its own")
    }

    @Test mutating func aClientKnowsWhenNothingIsRequested() throws {
        _ = try take(&session, create())
        #expect(session.delivers)
        let rests = [session.rest(), session.rest()]
        #expect(rests.map(\.count) == [1, 0])
        let requests = [session.request(), session.request()]
        #expect(requests.map(\.count) == [2, 1])
        _ = try take(
            &session,
            frame(.cork) {
                $0.put(0)
                $0.put(true)
            })
        #expect(!session.delivers)
        let silence = session.requestSilence()
        #expect(silence.isEmpty, "a program's sound would come instead")
    }

    @Test mutating func whatIsNotExpectedEndsIt() throws {
        #expect(throws: TunnelFailure.self) { try take(&session, samples(4)) }
        session = TunnelSession()
        #expect(throws: TunnelFailure.self) { try take(&session, create(rate: 48_000)) }
        session = TunnelSession()
        try begin(&session)
        #expect(throws: TunnelFailure.self, "a second stream") { try take(&session, create()) }
        #expect(throws: TunnelFailure.self, "more than was requested") { try take(&session, samples(4)) }
        for length in [UInt32(0), 1 << 20] {
            session = TunnelSession()
            let head = withUnsafeBytes(of: length.bigEndian) { Array($0) } + [UInt8](repeating: 255, count: 16)
            #expect(throws: TunnelFailure.self) { try take(&session, head) }
        }
    }

    @Test mutating func aCommandOfLaterVersionsIsRefused() throws {
        var bytes = frame(.subscribe)
        bytes[24] = 200
        let events = try take(&session, bytes)
        guard case .send(let answer)? = events.first else { throw TunnelFailure("no answer") }
        #expect(answer[24] == 0, "an error")
    }

    /// From PulseAudio 16.1 itself, whose cookie is left out: the sink is made, idles, is set to 25 %, muted and unmuted.
    @Test mutating func aRecordingIsUnderstood() throws {
        let file = try #require(
            Bundle.module.url(forResource: "level-and-mute", withExtension: "bin", subdirectory: "Recordings"))
        var events: [TunnelSession.Event] = []
        for byte in try Data(contentsOf: file) {
            let new = try take(&session, [byte])
            if new.last == .begun { _ = session.requestSilence() }
            events += new
        }
        let (answers, others) = (
            events.filter { if case .send = $0 { true } else { false } },
            events.filter { if case .send = $0 { false } else { true } }
        )
        #expect(
            others == [
                .begun, .samples([UInt8](repeating: 0, count: 4096)[...]), .level(0.25), .muted(true), .muted(false),
            ])
        #expect(answers.count == 12, "each command has its answer")
    }

    @Test func gainIsLeftToTheDevice() {
        func applied(_ sink: ServedSink, isMuted: Bool) -> [UInt8] {
            var samples: ArraySlice<UInt8> = [0x00, 0x40, 0x00, 0xC0]
            TunnelGain(of: sink, level: 0.5, isMuted: isMuted).apply(to: &samples)
            return Array(samples)
        }
        let device = ServedSink(id: "a", name: "A", hasLevel: true, canMute: true)
        #expect(applied(device, isMuted: true) == [0x00, 0x40, 0x00, 0xC0])
        let plain = ServedSink(id: "a", name: "A")
        #expect(applied(plain, isMuted: false) == [0x00, 0x08, 0x00, 0xF8], "an eighth")
        #expect(applied(plain, isMuted: true) == [0, 0, 0, 0])
    }
}
