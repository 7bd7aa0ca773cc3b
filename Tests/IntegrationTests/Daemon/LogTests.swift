import Foundation
import Testing

extension Product {
    /// `Logger` in an extension's process: the log for the person, and the redacted log in a report.
    @Suite struct LogTests {
        @Test func messagesAreFollowedWithLevelAndCategoryAndReportedWithoutWhatIsPrivate() async throws {
            try await Household.open { home in
                try ArticleDevice.installExtension(home)
                let device = try await ArticleDevice.start(home, "Log Room", manner: "pin")
                _ = try await home.discover()
                let follow = try home.start("extension", "logs", ArticleDevice.extension, "--follow")
                try await eventually("the search") { follow.output.contains(/info +\[requests\] start discovery/) }
                let watch = try home.start("discover", "--watch")
                // Only while it is in use there is a connection, and a message of another category at its end.
                let person = try await Typist.open(home, "play", "Log Room", LabMedia.mp3, "--detach")
                try await person.sees("4-digit code for Log Room:")
                person.type("4711\n")
                #expect(await person.end() == 0, "\(person.screen)")
                try await home.succeed("volume", "Log Room", "30")
                try await eventually("a debug message") {
                    follow.output.contains(/debug +\[requests\] set volume 0\.3/)
                }
                await device.stop()
                try await eventually("another category") {
                    follow.output.contains(/error +\[network\] Log Room:/)
                }
                #expect(follow.output.contains(/notice +\[requests\] code 4711 for Log Room/), "\(follow.output)")
                follow.send(SIGINT)
                #expect(await follow.waitForExit() == 0)
                let lines = try await ArticleDevice.log("requests", home)
                #expect(
                    lines.contains("notice code 4711 for Log Room")
                        && lines.contains { $0.hasPrefix("debug set volume 0.3") })

                let archive = home.folder + "/report.tar.gz"
                try await home.succeed("doctor", "--bundle", archive)
                let report = try await Command.run(["/usr/bin/env", "tar", "-xzOf", archive]).output
                #expect(report.contains("[requests] code <private> for <private>"), "\(report)")
                #expect(report.contains("[requests] start discovery"))
                #expect(!report.contains("4711") && !report.contains("Log Room"))
                watch.send(SIGINT)
                _ = await watch.waitForExit()
            }
        }
    }
}
