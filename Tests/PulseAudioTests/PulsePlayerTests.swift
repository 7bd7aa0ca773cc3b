import Foundation
import SoundServers
import Testing

@testable import PulseAudio

/// With real servers, and an output that looks like a loudspeaker's: no radio is needed for that.
@Suite(.timeLimit(.minutes(2)), .serialized)
struct PulsePlayerTests {
    private static let address = "00:AA:01:02:00:02"

    private func show(_ desktop: SoundDesktop) async throws {
        let properties =
            "device.api=bluez device.string=\(Self.address) bluetooth.protocol=a2dp_sink api.bluez5.address=\(Self.address)"
        let shown = try await desktop.run(
            "pactl", "load-module", "module-null-sink", "sink_name=speaker", "rate=44100",
            "sink_properties=\"\(properties)\"")
        try #require(shown.status == 0, "\(shown.output)")
    }

    private func open(
        _ desktop: SoundDesktop, _ address: String = address, isPaused: Bool = false, patience: Duration = .seconds(20)
    ) async throws -> (player: PulsePlayer, writer: FileHandle) {
        var ends: [Int32] = [-1, -1]
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0)
        let writer = FileHandle(fileDescriptor: ends[0], closeOnDealloc: true)
        let player = try await PulsePlayer.open(
            path: desktop.folder + "/run/pulse/native", bluetooth: address, within: patience, title: "A title",
            isPaused: isPaused, reading: ends[1])
        return (player, writer)
    }

    /// On a thread of its own, as writing waits.
    private func write(_ data: Data, to writer: FileHandle) {
        Thread.detachNewThread {
            var rest = data[...]
            while !rest.isEmpty {
                // FileHandle would raise a signal if the reader is gone.
                let count = rest.withUnsafeBytes {
                    send(writer.fileDescriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                }
                guard count > 0 || errno == EINTR else { break }
                rest = rest.dropFirst(max(0, count))
            }
            try? writer.close()
        }
    }

    /// Returns the share of the samples that was recorded unchanged and in order. The monitor of PulseAudio's null sink
    /// leaves out the first block of every playback, and a server on a busy computer leaves gaps.
    private func share(of samples: Data, in recorded: Data) -> Double {
        let length = 8_820
        var place = recorded.startIndex
        var found = 0
        for begin in stride(from: 0, to: samples.count, by: length) {
            guard let next = recorded[place...].range(of: samples[begin..<min(samples.count, begin + length)]) else {
                continue
            }
            place = next.upperBound
            found += 1
        }
        return Double(found * length) / Double(samples.count)
    }

    @Test(arguments: SoundDesktop.Kind.allCases.filter { SoundDesktop.missing($0) == nil })
    func whatIsWrittenIsHeardInItsOrder(kind: SoundDesktop.Kind) async throws {
        try await SoundDesktop.open(kind) { desktop in
            try await show(desktop)
            let path = desktop.folder + "/heard.raw"
            let recording = try desktop.begin(
                "parec", "-d", "speaker.monitor", "--raw", "--format=s16le", "--rate=44100", "--channels=2",
                "--latency-msec=50", path)
            let (player, writer) = try await open(desktop)
            let noise = try TestNoise(seconds: 3, in: desktop.folder)
            let begun = ContinuousClock.now
            write(noise.samples, to: writer)
            var heard = 0.0
            var isEnded = false
            for await event in player.events {
                if case .heard(let seconds, _, true) = event { heard = max(heard, seconds) }
                isEnded = event == .ended
            }
            #expect(isEnded)
            #expect(begun.duration(to: .now) > .seconds(2.5), "no faster than it is heard")
            #expect(heard < 3.5)
            await player.close()
            func recorded() -> Data { (try? Data(contentsOf: URL(filePath: path))) ?? Data() }
            // A recorder on a busy computer loses samples; the Bluetooth lab compares a loudspeaker's audio sample by
            // sample.
            try await waitUntil("the samples") { recorded().count { $0 != 0 } > noise.samples.count * 3 / 4 }
            // PipeWire resamples to the rate of its graph, and back.
            if kind == .pulseAudio { #expect(share(of: noise.samples, in: recorded()) > 0.5) }
            await recording.end(SIGTERM)
        }
    }

    @Test(.enabled(if: SoundDesktop.missing(.pulseAudio) == nil, "needs PulseAudio and its utilities"))
    func itStandsWhileItIsPaused() async throws {
        try await SoundDesktop.open(.pulseAudio) { desktop in
            try await show(desktop)
            let (player, writer) = try await open(desktop, isPaused: true)
            let noise = try TestNoise(seconds: 20, in: desktop.folder)
            write(noise.samples, to: writer)
            await player.setPaused(false)
            var places: [Double] = []
            for await event in player.events {
                guard case .heard(let seconds, _, let isRunning) = event else { continue }
                if isRunning { await player.setPaused(true) }
                if !isRunning, !places.isEmpty { break }
                if isRunning { places.append(seconds) }
            }
            #expect((places.first ?? 99) < 5)
            await player.close()
        }
    }

    @Test(.enabled(if: SoundDesktop.missing(.pulseAudio) == nil, "needs PulseAudio and its utilities"))
    func anOutputThatComesLaterIsAwaitedAndItsEndIsTold() async throws {
        try await SoundDesktop.open(.pulseAudio) { desktop in
            await #expect(throws: PulsePlayer.Failure.noOutput) {
                try await open(desktop, patience: .milliseconds(300))
            }
            async let opening = open(desktop)
            try await show(desktop)
            let (player, writer) = try await opening
            write(try TestNoise(seconds: 20, in: desktop.folder).samples, to: writer)
            var events: [PulsePlayer.Event] = []
            var removed: (status: Int32, output: String)?
            for await event in player.events {
                events.append(event)
                if case .heard(_, _, true) = event, removed == nil {
                    removed = try await desktop.run("pactl", "unload-module", "module-null-sink")
                }
            }
            // PulseAudio doesn't move it to another output, where it would disturb people.
            #expect(removed?.status == 0 && events.last == .lost, "\(String(describing: removed)) \(events)")
            await player.close()
        }
    }

    @Test(.enabled(if: SoundDesktop.missing(.pulseAudio) == nil, "needs PulseAudio and its utilities"))
    func whereNoServerIsThatIsTold() async throws {
        try await SoundDesktop.open(.pulseAudio) { desktop in
            await desktop.stop()
            do {
                _ = try await open(desktop)
                Issue.record("it plays")
            } catch PulsePlayer.Failure.noServer(let reason) {
                #expect(!reason.isEmpty)
            }
        }
    }
}
