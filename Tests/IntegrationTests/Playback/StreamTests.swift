import Foundation
import HostClient
import HostInterface
import Testing

extension Product {
    /// `… | mdhost stream`: playback of other programs' output.
    @Suite struct StreamTests {
        private let speaker = Speaker.shairRoom

        private func pipe(
            _ writer: String, into arguments: String, _ home: Household, within limit: Duration = .seconds(40)
        ) async throws -> CommandResult {
            let script = "\(writer) | '\(Household.mdhost)' stream \(arguments); echo ${PIPESTATUS[@]} >&2"
            return try await Command.run(["/bin/bash", "-c", script], environment: home.environment, within: limit)
        }

        @Test func everySampleOfAFileIsHeard() async throws {
            try await Household.open { home in
                try await speaker.setFullVolume(home)
                let file = try await NoiseFile.make(home.folder + "/noise.flac", seconds: 6)
                let begin = speaker.mark()
                let result = try await pipe("cat '\(file.path)'", into: "'\(speaker.name)'", home)
                #expect(result.errors == "0 0\n", "\(result)")
                #expect(try speaker.played(file.samples, since: begin))
                #expect(try speaker.toldText("minm", since: begin).last == "Noise & Silence")
            }
        }

        /// More than pipes and buffers hold, so that the writer has to wait; no header.
        @Test func samplesAreHeardAsTheyAre() async throws {
            try await Household.open { home in
                try await speaker.setFullVolume(home)
                let file = try await NoiseFile.make(home.folder + "/noise.wav", seconds: 15)
                let begin = speaker.mark()
                let result = try await pipe(
                    "cat '\(file.path).raw'", into: "'\(speaker.name)' --format s16le --title 'From a pipe'", home,
                    within: .seconds(60))
                #expect(result.errors == "0 0\n", "\(result)")
                #expect(try speaker.played(file.samples, since: begin))
                #expect(try speaker.toldText("minm", since: begin).last == "From a pipe")
            }
        }

        /// The descriptor is the daemon's by then, which closes it.
        @Test func theWriterHearsThatItWasStopped() async throws {
            try await Household.open { home in
                async let written = pipe("cat /dev/zero", into: "'\(speaker.name)' --format s16le --detach", home)
                let session = try await home.session(on: speaker.name, "playing") { $0.playback.isPlaying }
                #expect(session.source == "stream:" && session.title == "Stream" && session.playback.isLive)
                try await home.succeed("stop", speaker.name)
                let result = try await written
                #expect(result.errors == "141 0\n", "SIGPIPE: \(result)")
                #expect(try await home.sessions().isEmpty)
            }
        }

        @Test func whatAWriterWroteBeforeItDiedIsHeard() async throws {
            try await Household.open { home in
                try await speaker.setFullVolume(home)
                let file = try await NoiseFile.make(home.folder + "/noise.wav", seconds: 4)
                let begin = speaker.mark()
                let result = try await pipe(
                    "(head -c 529200 '\(file.path).raw'; kill -KILL $BASHPID)",
                    into: "'\(speaker.name)' --format s16le", home)
                #expect(result.errors.hasSuffix("137 0\n"), "\(result)")
                #expect(try speaker.played(file.samples.prefix(529_200), since: begin))
            }
        }

        @Test func devicesThatTakeAddressesPlayItToo() async throws {
            try await Household.open { home in
                // MPD plays no WAV of unknown length.
                for (device, format) in [("Open Room", "flac"), ("Living Room", "wav")] {
                    async let played = pipe(
                        "ffmpeg -v error -t 4 -i '\(LabMedia.flac)' -f \(format) -", into: "'\(device)' --title Piped",
                        home)
                    try await home.session(on: device, "playing") { $0.playback.isPlaying }
                    let result = try await played
                    #expect(result.errors == "0 0\n", "\(device): \(result)")
                }
            }
        }

        @Test func whatIsNoStreamIsTold() async throws {
            try await Household.open { home in
                let empty = try await pipe("true", into: "'\(speaker.name)'", home)
                try #require(empty.errors == "mdhost: There is nothing in the stream.\n0 64\n", "\(empty)")
                let text = try await pipe("yes", into: "'\(speaker.name)'", home)
                #expect(
                    text.errors.contains("The stream is a text file, not audio or video.")
                        && text.errors.hasSuffix(" 6\n"), "\(text)")
                let unknown = try await pipe("cat /dev/zero", into: "'\(speaker.name)' --format s5le", home)
                #expect(unknown.errors.contains("“s5le” is none of u8, s16le,"), "\(unknown)")
            }
        }
    }
}
