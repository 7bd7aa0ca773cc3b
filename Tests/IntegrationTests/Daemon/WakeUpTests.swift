import Foundation
import Testing

extension Product {
    /// Notices when a change makes idle processes work: counts of waits, which don't depend on how fast the machine is.
    @Suite(.timeLimit(.minutes(3))) struct WakeUpTests {
        /// Two rounds of questions to every device.
        private static let length = Duration.seconds(16)

        @Test func aPickerIsOpenAndNothingIsNew() async throws {
            try await PrivateDaemon.run(watching: true) { daemon in
                // Until then it searches again and again.
                try await Task.sleep(for: .seconds(31))
                let extensions = PrivateDaemon.children(of: daemon.processID)
                #expect(extensions.count >= PrivateDaemon.ownExtensions)
                let before = Activity.of([daemon.processID] + extensions)
                try await Task.sleep(for: Self.length)
                let after = Activity.of([daemon.processID] + extensions)
                let count = after.waits - before.waits
                print("COUNTS picker open: \(count) waits in \(Self.length), \(after.pages) pages of the daemon's own")
                // Asking eight devices takes about 40; a timer of one second in every process would take 140 more.
                #expect(count <= 110)
                #expect(after.pages <= 3_500)
            }
        }
    }
}

/// The counts of several processes.
private struct Activity {
    /// How often their threads began to wait; being pushed off a processor doesn't count.
    var waits = 0
    /// Pages of the first process that belong to no file.
    var pages = 0

    static func of(_ processes: [Int32]) -> Activity {
        var activity = Activity()
        for process in processes {
            let folder = "/proc/\(process)/task"
            for thread in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] {
                activity.waits += value("voluntary_ctxt_switches", in: "\(folder)/\(thread)/status")
            }
        }
        if let first = processes.first { activity.pages = value("RssAnon", in: "/proc/\(first)/status") / 4 }
        return activity
    }

    private static func value(_ key: String, in path: String) -> Int {
        let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
        let line = text.split(separator: "\n").first { $0.hasPrefix(key + ":") }
        return line.flatMap { Int($0.filter(\.isNumber)) } ?? 0
    }
}
